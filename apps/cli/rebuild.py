"""``brain rebuild``: derive the index, or with ``--memories`` the memories, again from the log."""

import sys
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from apps.cli.options import AsJson, PersonOptions, command, scope_from
from apps.cli.output import emit, say
from apps.cli.runner import load_settings, run
from apps.people import fetch_people
from brain.resources import Resources
from language.secrets import mask_secrets
from memory.errors import BrainError, bad_request
from memory.scope import Scope

LOST_PERCENT = 5.0
MAX_SHOWN = 20
"""Memories of each sort that are listed, and not only counted."""


@dataclass(frozen=True, kw_only=True)
class RebuildOptions(PersonOptions):
    """Whose index or memories to derive again."""

    memories: Annotated[
        bool,
        typer.Option(
            "--memories",
            help="The memories: those that rules wrote and nobody touched. Says what it would do unless told to.",
        ),
    ] = False
    apply: Annotated[bool, typer.Option("--apply", help="With --memories: do it.")] = False
    most_lost: Annotated[
        float,
        typer.Option(help="With --memories: change nothing of a person of whom more percent would be lost.", min=0),
    ] = LOST_PERCENT
    all_users: Annotated[bool, typer.Option("--all-users", help="Everybody's private memory in this tenant.")] = False
    json: AsJson = False

    def __post_init__(self) -> None:
        """An index is always derived at once."""
        super().__post_init__()
        if self.apply and not self.memories:
            raise bad_request("--apply belongs to --memories.", "Without --memories the index is derived at once.")


@dataclass(frozen=True, kw_only=True)
class RebuiltMemories:
    """What was done with one person's memories, or would be; ``error`` says why not all of it was.

    ``changed`` pairs a memory with the words that take its place, none where it is lost.
    """

    considered: int
    left_alone: int
    stays: int
    read_anew: int
    replaced: int
    lost: int
    added: int
    changed: tuple[tuple[str, tuple[str, ...]], ...] = ()
    statements: tuple[str, ...] = ()
    error: str = ""


def register(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "rebuild")
    def rebuild(options: RebuildOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Derive a person's whole index again from the log and the memories, or with --memories these from the log."""
        if options.memories:
            _rebuild_memories(options)
            return
        rows = run(lambda resources: _for_everybody(resources, options, _rebuild_index), load_settings())
        if options.json:
            emit({"people": len(rows), "rows": sum(rows.values())})
            return
        for name, count in rows.items():
            say(f"{count} index rows derived again for {name}.")


def _rebuild_memories(options: RebuildOptions) -> None:
    async def rebuild(resources: Resources, scope: Scope, progress: Progress) -> RebuiltMemories:
        return await rebuild_memories_of(resources, scope, options, progress)

    found = run(lambda resources: _for_everybody(resources, options, rebuild), load_settings())
    if options.json:
        emit({name: asdict(rebuilt) for name, rebuilt in found.items()})
    else:
        for name, rebuilt in found.items():
            _show(name, rebuilt)
        if not options.apply:
            say("Nothing was changed. Add --apply to do it.")
    if options.apply and any(each.error for each in found.values()):
        raise typer.Exit(1)


async def _for_everybody(
    resources: Resources, options: RebuildOptions, work: Callable[[Resources, Scope, Progress], Awaitable[Any]]
) -> dict[str, Any]:
    """One person after the other; a run cut off leaves each memory and each index whole, old or new."""
    names = await fetch_people(resources.settings, options.tenant) if options.all_users else [options.user]
    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as progress:
        return {
            name: await work(resources, scope_from(replace(options, user=name), resources.settings.dm_scope), progress)
            for name in progress.track(names, description="people")
        }


async def _rebuild_index(resources: Resources, scope: Scope, progress: Progress) -> int:
    return await resources.memory.index.rebuild(scope)


async def rebuild_memories_of(
    resources: Resources, scope: Scope, options: RebuildOptions, progress: Progress
) -> RebuiltMemories:
    """Plan it, and do it where the options say so and not too much would be lost."""
    from evolution.rebuild import (
        carry_out_rebuild,
        count_sessions,
        plan_rebuild,
    )  # reading sentences takes long to import, which --help need not wait for

    sessions = progress.add_task("sessions", total=await count_sessions(resources, scope))
    plan = await plan_rebuild(resources, scope, lambda: progress.advance(sessions))
    progress.remove_task(sessions)
    told = RebuiltMemories(
        considered=plan.considered,
        left_alone=plan.left_alone,
        stays=plan.stays,
        read_anew=len(plan.read_anew),
        replaced=len(plan.replaced),
        lost=len(plan.lost),
        added=len(plan.added),
        changed=tuple(
            (mask_secrets(item.content), tuple(mask_secrets(draft.content) for draft in change.drafts))
            for item, change in (*plan.lost, *plan.replaced)
        ),
        statements=tuple(mask_secrets(each.draft.content) for each in plan.added),
    )
    if plan.lost_share * 100 > options.most_lost:
        return replace(
            told, error=f"{plan.lost_share:.1%} would be lost without anything in their place, so nothing is changed."
        )
    if not options.apply:
        return told
    try:
        await carry_out_rebuild(resources, scope, plan)
    except BrainError as refused:
        if refused.code != "E_CONFLICT":
            raise
        return replace(told, error=f"It stopped, and what was done stays: {refused.message} {refused.hint}")
    return told


def _show(name: str, rebuilt: RebuiltMemories) -> None:
    say(
        f"{name}: of {rebuilt.considered} memories that rules wrote and nobody touched {rebuilt.stays} stay, "
        f"{rebuilt.read_anew} are read otherwise, {rebuilt.replaced} give way to others, {rebuilt.lost} to nothing; "
        f"{rebuilt.added} statements are new. {rebuilt.left_alone} memories are left alone."
    )
    for content, instead in rebuilt.changed[:MAX_SHOWN]:
        say(f"  {content} -> {' | '.join(instead) or 'nothing'}")
    for content in rebuilt.statements[:MAX_SHOWN]:
        say(f"  new: {content}")
    if rebuilt.error:
        say(f"  {rebuilt.error}")
