"""``brain sessions``: which conversations there are, and what their beginnings came to."""

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.memory_ids import short_ids
from apps.cli.output import say, show_fields, show_table
from apps.memory_api import sessions as sessions_api
from apps.memory_api.paging import Page
from apps.memory_api.sessions import Session, SummaryBlock, WholeSession

sessions = typer.Typer(no_args_is_help=True, help="See conversations and the blocks that sum them up.")


def _show_list(found: Page[Session]) -> None:
    names = short_ids([each.id for each in found.items])
    rows = [
        (name, each.status, each.turns, f"{each.last_at:%Y-%m-%d %H:%M}", each.title, each.name)
        for name, each in zip(names, found.items, strict=True)
    ]
    if rows:
        show_table(("id", "status", "turns", "last", "title", "name"), rows)
    else:
        say("No conversations yet.")


def _show_session(found: WholeSession) -> None:
    """Its blocks, each with the turns that it stands for."""
    known = found.session
    show_fields(
        {
            "title": known.title,
            "name": known.name,
            "id": known.id,
            "status": known.status,
            "turns": known.turns,
            "from": f"{known.started_at:%Y-%m-%d %H:%M}",
            "until": f"{known.last_at:%Y-%m-%d %H:%M}",
            "expires": f"{known.expires_at:%Y-%m-%d}",
            **known.entity_slots,
        }
    )
    for block in found.blocks:
        say(f"\nblock {block.block}: turns {block.first_turn + 1} to {block.last_turn + 1}")
        say(_block_text(block))


def _block_text(block: SummaryBlock) -> str:
    if block.withdrawn:
        return "(withdrawn: it quoted what was forgotten; it will be worded anew)"
    return block.text or "(nothing worth keeping)"


add_endpoint(sessions, sessions_api.list_sessions, _show_list)
add_endpoint(sessions, sessions_api.show_session, _show_session)
