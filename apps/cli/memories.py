"""``brain memories``: see what is remembered, where it came from and how it changed, and change it."""

from collections.abc import Callable

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.memory_ids import short_ids
from apps.cli.output import plain_text, say, show_fields, show_table
from apps.memory_api import conflicts, versions
from apps.memory_api import memories as memories_api
from apps.memory_api.conflicts import ConflictView, Settled
from apps.memory_api.memories import Memory, WriteResult
from apps.memory_api.paging import Page
from apps.memory_api.versions import Comparison, History, Quote, TracedMemory

memories = typer.Typer(
    no_args_is_help=True, help="See, trace, correct, confirm, forget, restore, pin and exclude memories."
)


def _show_list(found: Page[Memory]) -> None:
    names = short_ids([each.id for each in found.items])
    rows = [_row(name, each) for name, each in zip(names, found.items, strict=True)]
    if rows:
        show_table(("id", "type", "status", "conf.", "since", "memory"), rows)
    else:
        say("No memories yet.")


def _row(name: str, each: Memory) -> tuple[object, ...]:
    """Under its status, or how a person set its use; a pin counts only while the memory is active."""
    is_set = each.use == "excluded" or (each.use == "pinned" and each.status == "active")
    standing = each.use if is_set else each.status
    return name, each.type, standing, f"{each.confidence:.2f}", f"{each.valid_at:%Y-%m-%d}", each.text


def _show_memory(found: TracedMemory) -> None:
    told = found.model_dump(exclude={"evidence"})
    show_fields({name: plain_text(value) for name, value in told.items() if value not in (None, [], "")})
    for quote in found.evidence:
        say(f"learned from {describe_quote(quote)}")


def describe_quote(quote: Quote) -> str:
    """Words, who said them when and where, and whether they still have their hash."""
    mark = "verified" if quote.verified else "NOT VERIFIED"
    place = f"characters {quote.start}–{quote.end}" if quote.start is not None else ""
    told = ", ".join(part for part in (quote.turn_id, place) if part)
    where = f" ({told})" if told else ""
    at = f"{quote.occurred_at:%Y-%m-%dT%H:%M}"
    return f"“{quote.quote}” — {quote.speaker}, {at}{where}, sha256 {quote.sha256[:12]}…, {mark}"


def _show_history(found: History) -> None:
    rows = [
        (each.version, each.change, each.operator, each.reason, f"{each.recorded_at:%Y-%m-%d %H:%M}", each.text)
        for each in found.versions
    ]
    show_table(("version", "change", "by", "why", "when", "memory"), rows)


def _show_comparison(found: Comparison) -> None:
    rows = [(name, plain_text(each.a), plain_text(each.b)) for name, each in found.differences.items()]
    if rows:
        show_table(("field", f"version {found.a}", f"version {found.b}"), rows)
    else:
        say("They do not differ.")


def _show_conflicts(found: Page[ConflictView]) -> None:
    names = short_ids([each.id for each in found.items])
    rows = [
        (name, each.kind, each.status, f"{each.opened_at:%Y-%m-%d}", each.held.text, each.new.text)
        for name, each in zip(names, found.items, strict=True)
    ]
    if rows:
        show_table(("id", "kind", "status", "since", "remembered", "against it"), rows)
    else:
        say("No conflicts.")


def _show_settled(done: Settled) -> None:
    say(f"Settled: conflict {done.id}, {done.status}.")


def _show_write(done: str) -> Callable[[WriteResult], None]:
    return lambda result: say(f"{done}: memory {result.memory.id}, receipt {result.receipt_id}, {result.status}.")


add_endpoint(memories, memories_api.list_memories, _show_list)
add_endpoint(memories, versions.get_memory, _show_memory)
add_endpoint(memories, versions.list_versions, _show_history)
add_endpoint(memories, versions.compare_versions, _show_comparison)
add_endpoint(memories, memories_api.correct_memory, _show_write("Corrected"))
add_endpoint(memories, memories_api.confirm_memory, _show_write("Confirmed"))
add_endpoint(memories, memories_api.forget_memory, _show_write("Forgotten"))
add_endpoint(memories, memories_api.restore_memory, _show_write("Restored"))
add_endpoint(
    memories,
    memories_api.set_memory_use,
    _show_write("Pinned"),
    use="pinned",
    word="pin",
    help_text="Put a memory into every prompt, whatever is asked, as far as BRAIN_PIN_TOKENS reach.",
)
add_endpoint(
    memories,
    memories_api.set_memory_use,
    _show_write("Excluded from use"),
    use="excluded",
    word="exclude",
    help_text="Keep a memory out of every prompt, recall and reply, without losing it.",
)
add_endpoint(
    memories,
    memories_api.set_memory_use,
    _show_write("Used where it bears on what is said"),
    use="auto",
    word="auto",
    help_text="Use a memory where it bears on what is said: neither pinned nor excluded.",
)
add_endpoint(memories, conflicts.list_conflicts, _show_conflicts)
add_endpoint(memories, conflicts.resolve_conflict, _show_settled)
