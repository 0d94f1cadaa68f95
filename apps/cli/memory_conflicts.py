"""``brain memories conflicts|resolve``: contradictions that wait for a decision."""

from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from apps.cli.memories import memories
from apps.cli.memory_changes import WhyOptions, author_of
from apps.cli.memory_ids import find_memory, short_ids
from apps.cli.options import AsJson, PersonOptions, command, scope_from
from apps.cli.output import emit, say, show_table
from apps.cli.runner import load_settings, run
from apps.views.conflict_sides import ConflictSides, fetch_conflict_sides
from brain.documents.profile_refresh import try_refresh_profile
from brain.resources import Resources
from memory.conflicts import Conflict, ConflictStatus, Resolution, Settlement
from memory.errors import BrainError, bad_request
from memory.scope import Scope

_MOST = 1_000
_COLUMNS = ("id", "kind", "status", "since", "remembered", "against it")


@dataclass(frozen=True, kw_only=True)
class ConflictListOptions(PersonOptions):
    """Which conflicts to list."""

    everything: Annotated[bool, typer.Option("--all", help="Settled ones too.")] = False
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class ResolveOptions(WhyOptions):
    """How to settle which conflict."""

    conflict: Annotated[str, typer.Argument(help="The conflict's id, or a beginning of it that no other shares.")]
    resolution: Annotated[
        Resolution,
        typer.Argument(help="keep: both are true; merge: they say the same; discard: only one is true."),
    ]
    winner: Annotated[
        str, typer.Option(help="The memory that stays; the better founded, then the newer one when none is named.")
    ] = ""


@command(memories, "conflicts")
def list_conflicts(options: ConflictListOptions) -> None:
    """List memories that contradict each other and wait for a decision, oldest first."""
    found = run(lambda resources: _fetch_sides(resources, options), load_settings())
    if options.json:
        emit([asdict(each.conflict) | {"held": each.held.content, "new": each.new.content} for each in found])
    elif found:
        names = short_ids([each.conflict.conflict_id for each in found])
        show_table(_COLUMNS, [_row(name, each) for name, each in zip(names, found, strict=True)])
    else:
        say("No conflicts.")


@command(memories, "resolve")
def resolve(options: ResolveOptions) -> None:
    """Settle a conflict. The memory that does not stay is superseded and can be restored."""
    conflict_id, status = run(lambda resources: _resolve(resources, options), load_settings())
    if options.json:
        emit({"conflict_id": conflict_id, "status": status})
    else:
        say(f"Settled: conflict {conflict_id}, {status}.")


async def _fetch_sides(resources: Resources, options: ConflictListOptions) -> list[ConflictSides]:
    scope = scope_from(options, resources.settings.dm_scope)
    return await fetch_conflict_sides(resources.memory, scope, include_settled=options.everything, limit=_MOST)


async def _resolve(resources: Resources, options: ResolveOptions) -> tuple[str, ConflictStatus]:
    scope, memory = scope_from(options, resources.settings.dm_scope), resources.memory
    conflict = await _find_conflict(resources, scope, options.conflict)
    winner = (await find_memory(memory.items, scope, options.winner)).memory_id if options.winner else None
    settlement = Settlement(resolution=options.resolution, winner=winner)
    status = await memory.conflicts.resolve(scope, conflict.conflict_id, settlement, author_of(resources, options))
    await try_refresh_profile(resources, scope)
    return str(conflict.conflict_id), status


async def _find_conflict(resources: Resources, scope: Scope, name: str) -> Conflict:
    """The open conflict of that id or unique beginning of one."""
    prefix = name.strip().lower()
    opened = await resources.memory.conflicts.list_conflicts(scope, limit=_MOST)
    found = [each for each in opened if prefix and str(each.conflict_id).startswith(prefix)]
    if not found:
        raise BrainError("E_NOT_FOUND", "There is no such open conflict.", "'brain memories conflicts' lists them.")
    if len(found) > 1:
        raise bad_request(f"{len(found)} conflicts begin with {prefix[:60]!r}.", "Give more of the id.")
    return found[0]


def _row(name: str, each: ConflictSides) -> tuple[object, ...]:
    conflict = each.conflict
    return name, conflict.kind, conflict.status, f"{conflict.opened_at:%Y-%m-%d}", each.held.content, each.new.content
