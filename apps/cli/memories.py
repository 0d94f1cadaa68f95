"""``brain memories``: see what is remembered, where it came from and how it changed."""

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from apps.cli.naming import memory_named, short_names
from apps.cli.options import AsJson, Person, command, scope_from
from apps.cli.output import emit, say, show_fields, show_table
from apps.cli.proof import Proof
from apps.cli.running import configured, run
from brain.resources import Resources
from memory.contracts import MemoryItem, MemoryVersion
from memory.errors import BrainError
from memory.revision import differences, snapshot

MemoryId = Annotated[str, typer.Argument(help="The memory's id, or a beginning of it that no other shares.")]

memories = typer.Typer(no_args_is_help=True, help="See, trace, correct, confirm, forget and restore memories.")


@dataclass(frozen=True, kw_only=True)
class ListOptions(Person):
    """Which memories to list."""

    everything: Annotated[bool, typer.Option("--all", help="Superseded and forgotten ones too.")] = False
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many, newest first.")] = 100
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class OneMemory(Person):
    """Which memory."""

    memory: MemoryId
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class TwoVersions(OneMemory):
    """Which two versions of a memory."""

    a: Annotated[int, typer.Argument(min=1, help="One version.")]
    b: Annotated[int, typer.Argument(min=1, help="The other version.")]


@command(memories, "list")
def list_memories(options: ListOptions) -> None:
    """List a person's memories, newest first."""
    items = run(lambda resources: _newest(resources, options), configured())
    if options.json:
        emit([snapshot(item) for item in items])
    elif items:
        names = short_names([item.memory_id for item in items])
        rows = [_row(name, item) for name, item in zip(names, items, strict=True)]
        show_table(("id", "type", "status", "conf.", "since", "memory"), rows)
    else:
        say("No memories yet.")


@command(memories, "show")
def show(options: OneMemory) -> None:
    """Show one memory with the words it was learned from, verified against their hash now."""
    item, proofs = run(lambda resources: _with_proofs(resources, options), configured())
    if options.json:
        emit(snapshot(item) | {"evidence": proofs})
        return
    show_fields({name: value for name, value in snapshot(item).items() if value not in (None, [], "")})
    for proof in proofs:
        say(f"learned from {proof}")


@command(memories, "history")
def history(options: OneMemory) -> None:
    """List every version of a memory: what changed it, who and why."""
    versions = run(lambda resources: _versions(resources, options), configured())
    if options.json:
        emit(versions)
        return
    rows = [(v.version, v.change, v.operator, v.reason, v.recorded_at, v.snapshot.get("content")) for v in versions]
    show_table(("version", "change", "by", "why", "when", "memory"), rows)


@command(memories, "compare")
def compare(options: TwoVersions) -> None:
    """Show in what two versions of a memory differ."""
    changed = run(lambda resources: _differences(resources, options), configured())
    if options.json:
        emit({name: {"a": a, "b": b} for name, (a, b) in changed.items()})
    elif changed:
        columns = ("field", f"version {options.a}", f"version {options.b}")
        show_table(columns, [(name, a, b) for name, (a, b) in changed.items()])
    else:
        say("They do not differ.")


async def _newest(resources: Resources, options: ListOptions) -> list[MemoryItem]:
    scope = scope_from(options, resources.settings.dm_scope)
    return await resources.memory.items.newest(scope, include_inactive=options.everything, limit=options.limit)


async def _with_proofs(resources: Resources, options: OneMemory) -> tuple[MemoryItem, list[Proof]]:
    """Verified first and read after, because a mismatch marks the memory stale."""
    scope, items = scope_from(options, resources.settings.dm_scope), resources.memory.items
    named = await memory_named(items, scope, options.memory)
    evidence = await items.evidence(scope, named.memory_id)
    return await items.get(scope, named.memory_id), [Proof.of_evidence(each) for each in evidence]


async def _versions(resources: Resources, options: OneMemory) -> list[MemoryVersion]:
    scope, items = scope_from(options, resources.settings.dm_scope), resources.memory.items
    named = await memory_named(items, scope, options.memory)
    return await items.history(scope, named.memory_id)


async def _differences(resources: Resources, options: TwoVersions) -> dict[str, tuple[Any, Any]]:
    versions = {each.version: each for each in await _versions(resources, options)}
    for number in (options.a, options.b):
        if number not in versions:
            raise BrainError("E_NOT_FOUND", f"There is no version {number}.", "'brain memories history' lists them.")
    return differences(versions[options.a].snapshot, versions[options.b].snapshot)


def _row(name: str, item: MemoryItem) -> tuple[object, ...]:
    since = item.valid_at.strftime("%Y-%m-%d")
    return name, item.memory_type, item.status, f"{item.confidence:.2f}", since, item.content
