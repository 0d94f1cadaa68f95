"""``brain memories``: see what is remembered, where it came from and how it changed."""

from dataclasses import dataclass
from typing import Annotated

import typer

from apps.cli.memory_ids import fetch_short_ids, find_memory
from apps.cli.options import AsJson, PersonOptions, command, scope_from
from apps.cli.output import emit, plain_text, say, show_fields, show_table
from apps.cli.runner import load_settings, run
from apps.views.proof import Proof
from brain.resources import Resources
from memory.contracts import MemoryItem, MemoryVersion
from memory.errors import BrainError
from memory.revision import differences, snapshot

MemoryId = Annotated[str, typer.Argument(help="The memory's id, or a beginning of it that no other shares.")]

memories = typer.Typer(
    no_args_is_help=True, help="See, trace, correct, confirm, forget, restore, pin and exclude memories."
)


@dataclass(frozen=True, kw_only=True)
class MemoryListOptions(PersonOptions):
    """Which memories to list."""

    everything: Annotated[bool, typer.Option("--all", help="Superseded and forgotten ones too.")] = False
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many, newest first.")] = 100
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class OneMemory(PersonOptions):
    """Which memory."""

    memory: MemoryId
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class TwoVersions(OneMemory):
    """Which two versions of a memory; the last two when none is named."""

    a: Annotated[int, typer.Argument(min=0, help="One version; the one before the last when none is named.")] = 0
    b: Annotated[int, typer.Argument(min=0, help="The other version; the last one when none is named.")] = 0


@command(memories, "list")
def list_memories(options: MemoryListOptions) -> None:
    """List a person's memories, newest first."""
    items, names = run(lambda resources: _fetch_newest(resources, options), load_settings())
    if options.json:
        emit([snapshot(item) for item in items])
    elif items:
        rows = [_row(name, item) for name, item in zip(names, items, strict=True)]
        show_table(("id", "type", "status", "conf.", "since", "memory"), rows)
    else:
        say("No memories yet.")


@command(memories, "show")
def show(options: OneMemory) -> None:
    """Show one memory with the words it was learned from, verified against their hash now."""
    item, proofs = run(lambda resources: _fetch_with_proofs(resources, options), load_settings())
    if options.json:
        emit(snapshot(item) | {"evidence": proofs})
        return
    show_fields({name: plain_text(value) for name, value in snapshot(item).items() if value not in (None, [], "")})
    for proof in proofs:
        say(f"learned from {proof}")


@command(memories, "history")
def history(options: OneMemory) -> None:
    """List every version of a memory: what changed it, who and why."""
    versions = run(lambda resources: _fetch_versions(resources, options), load_settings())
    if options.json:
        emit(versions)
        return
    show_table(("version", "change", "by", "why", "when", "memory"), [_version_row(each) for each in versions])


@command(memories, "compare")
def compare(options: TwoVersions) -> None:
    """Show in what two versions of a memory differ."""
    one, other = run(lambda resources: _fetch_two_versions(resources, options), load_settings())
    changed = differences(one.snapshot, other.snapshot)
    if options.json:
        emit({name: {"a": a, "b": b} for name, (a, b) in changed.items()})
    elif changed:
        columns = ("field", f"version {one.version}", f"version {other.version}")
        show_table(columns, [(name, plain_text(a), plain_text(b)) for name, (a, b) in changed.items()])
    else:
        say("They do not differ.")


async def _fetch_newest(resources: Resources, options: MemoryListOptions) -> tuple[list[MemoryItem], list[str]]:
    scope, items = scope_from(options, resources.settings.dm_scope), resources.memory.items
    found = await items.list_newest(scope, include_inactive=options.everything, limit=options.limit)
    return found, await fetch_short_ids(items, scope, found)


async def _fetch_with_proofs(resources: Resources, options: OneMemory) -> tuple[MemoryItem, list[Proof]]:
    """Verified first and read after, because a mismatch marks the memory stale."""
    scope, items = scope_from(options, resources.settings.dm_scope), resources.memory.items
    named = await find_memory(items, scope, options.memory)
    evidence = await items.evidence(scope, named.memory_id)
    return await items.get(scope, named.memory_id), [Proof.of_evidence(each) for each in evidence]


async def _fetch_versions(resources: Resources, options: OneMemory) -> list[MemoryVersion]:
    scope, items = scope_from(options, resources.settings.dm_scope), resources.memory.items
    named = await find_memory(items, scope, options.memory)
    return await items.history(scope, named.memory_id)


async def _fetch_two_versions(resources: Resources, options: TwoVersions) -> tuple[MemoryVersion, MemoryVersion]:
    versions = {each.version: each for each in await _fetch_versions(resources, options)}
    last = max(versions)
    one, other = options.a or max(last - 1, 1), options.b or last
    for number in (one, other):
        if number not in versions:
            raise BrainError("E_NOT_FOUND", f"There is no version {number}.", "'brain memories history' lists them.")
    return versions[one], versions[other]


def _version_row(each: MemoryVersion) -> tuple[object, ...]:
    when = f"{each.recorded_at:%Y-%m-%d %H:%M}"
    return each.version, each.change, each.operator, each.reason, when, each.snapshot.get("content")


def _row(name: str, item: MemoryItem) -> tuple[object, ...]:
    since = item.valid_at.strftime("%Y-%m-%d")
    return name, item.memory_type, _standing(item), f"{item.confidence:.2f}", since, item.content


def _standing(item: MemoryItem) -> str:
    """Its status, or how a person set its use; a pin counts only while the memory is active."""
    if item.use == "excluded" or (item.use == "pinned" and item.status == "active"):
        return item.use
    return item.status
