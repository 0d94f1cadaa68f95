"""``brain sessions``: which conversations there are, and what their beginnings came to."""

from dataclasses import dataclass
from typing import Annotated

import typer

from apps.cli.memory_ids import short_ids
from apps.cli.options import AsJson, PersonOptions, command, scope_from
from apps.cli.output import emit, say, show_fields, show_table
from apps.cli.runner import load_settings, run
from apps.views.session_names import KNOWN, fetch_session
from brain.resources import Resources
from memory.sessions import SessionInfo, Summary

sessions = typer.Typer(no_args_is_help=True, help="See conversations and the blocks that sum them up.")


@dataclass(frozen=True, kw_only=True)
class SessionListOptions(PersonOptions):
    """Which sessions to list."""

    limit: Annotated[int, typer.Option(min=1, max=KNOWN, help="How many, the last spoken in first.")] = 50
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class OneSession(PersonOptions):
    """Which session."""

    session: Annotated[str, typer.Argument(help="Its name, or a beginning of its id that no other shares.")]
    json: AsJson = False


@command(sessions, "list")
def list_sessions(options: SessionListOptions) -> None:
    """List a person's conversations, the last one first."""
    known = run(lambda resources: _fetch_newest(resources, options, options.limit), load_settings())
    if options.json:
        emit(known)
    elif known:
        names = short_ids([each.session_id for each in known])
        show_table(
            ("id", "status", "turns", "blocks", "last", "name"),
            [_row(name, each) for name, each in zip(names, known, strict=True)],
        )
    else:
        say("No conversations yet.")


@command(sessions, "show")
def show(options: OneSession) -> None:
    """Show a conversation's blocks, each with the turns that it stands for."""
    known, blocks = run(lambda resources: _fetch_with_blocks(resources, options), load_settings())
    if options.json:
        emit({"session": known, "blocks": blocks})
        return
    show_fields(
        {
            "name": known.name,
            "id": known.session_id,
            "status": known.status,
            "turns": known.turns,
            "from": f"{known.started_at:%Y-%m-%d %H:%M}",
            "until": f"{known.last_at:%Y-%m-%d %H:%M}",
            "expires": f"{known.expires_at:%Y-%m-%d}",
            **known.entity_slots,
        }
    )
    for block in blocks:
        say(f"\nblock {block.block}: turns {block.first_position + 1} to {block.last_position + 1}")
        say(_block_text(block))


def _block_text(block: Summary) -> str:
    if block.withdrawn:
        return "(withdrawn: it quoted what was forgotten; it will be worded anew)"
    return block.text or "(nothing worth keeping)"


def _row(name: str, known: SessionInfo) -> tuple[object, ...]:
    return name, known.status, known.turns, known.blocks, f"{known.last_at:%Y-%m-%d %H:%M}", known.name


async def _fetch_newest(resources: Resources, person: PersonOptions, limit: int) -> list[SessionInfo]:
    return await resources.memory.sessions.list_newest(scope_from(person, resources.settings.dm_scope), limit)


async def _fetch_with_blocks(resources: Resources, options: OneSession) -> tuple[SessionInfo, list[Summary]]:
    scope = scope_from(options, resources.settings.dm_scope)
    known = await fetch_session(resources.memory.sessions, scope, options.session)
    return known, await resources.memory.sessions.summaries(scope, known.session_id, KNOWN)
