"""What a tool is told about the turn it runs in. It receives its scope; it never derives one."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from brain.identity import Identity
from brain.resources import Resources


@dataclass(frozen=True, kw_only=True)
class ToolContext:
    """Who asks, when, and in which turn. ``call_id`` names the call: doing it twice has the effect of once.

    ``own`` are the logged words of the turn itself, which are no answer to it; ``operation_id`` names the turn.
    ``as_of`` is the moment at which memory is read, None for now; of a turn that is not ``learnt`` nothing is noted.
    ``is_approved``: a person has decided that this very call may run.
    """

    identity: Identity
    resources: Resources
    session_id: UUID
    call_id: str
    at: datetime
    time_zone: str
    user_text: str
    own: tuple[UUID, ...] = ()
    operation_id: str = ""
    as_of: datetime | None = None
    learnt: bool = True
    is_approved: bool = False


@dataclass(frozen=True, kw_only=True)
class ToolResult:
    """What a tool found or did, in words for the model.

    ``untrusted`` are the passages in it that somebody else wrote, so that nothing dangerous follows from them; left
    out, all of it counts as such. ``ends`` closes the conversation, with ``forced`` even when something else failed.
    ``failed`` is the code of a tool that says by itself that it did not do what it is for.
    """

    text: str
    failed: str = ""
    untrusted: tuple[str, ...] | None = None
    ends: bool = False
    forced: bool = False
