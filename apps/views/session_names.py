"""Conversations as people name them."""

from collections.abc import Sequence

from memory.errors import BrainError, bad_request
from memory.scope import Scope
from memory.sessions import SessionInfo, Sessions

MAX_SEARCHED = 1_000
"""How many sessions are searched for a name or the beginning of an id."""


async def fetch_session(sessions: Sessions, scope: Scope, name: str) -> SessionInfo:
    """The conversation of that name, or of the beginning of an id. Raises ``E_NOT_FOUND`` or ``E_BAD_REQUEST``."""
    return find_session(await sessions.list_newest(scope, MAX_SEARCHED), name.strip())


def find_session(known: Sequence[SessionInfo], name: str) -> SessionInfo:
    """The one among these."""
    matching = [each for each in known if each.name == name]
    matching = matching or [each for each in known if name and str(each.session_id).startswith(name.lower())]
    if len(matching) > 1:
        raise bad_request(f"{len(matching)} conversations begin with {name[:60]!r}.", "Give more of the id.")
    if not matching:
        raise BrainError("E_NOT_FOUND", f"There is no conversation {name[:60]!r}.", "The list of sessions shows them.")
    return matching[0]
