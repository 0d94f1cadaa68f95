"""The port of transcripts: what a person looks at afterwards, turn by turn, with what memory did in each."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from memory.scope import Scope
from memory.turns import Event, Operation

Standing = Literal["said", "withheld", "left", "replaced"]
"""``withheld``: it says what was forgotten, or is off the record; ``left``: its thread went on from before it;
``replaced``: the reply was given again."""


@dataclass(frozen=True, kw_only=True)
class TranscriptTurn(Event):
    """A logged turn. What is withheld has no text. ``memories`` stood before the model in its operation."""

    operation_id: UUID
    standing: Standing
    memories: int


@dataclass(frozen=True, kw_only=True)
class SessionOperation(Operation):
    """What became of a turn, and the session that it was said in."""

    session_id: UUID
    session_name: str


@dataclass(frozen=True, kw_only=True)
class CandidateUse:
    """That a memory was considered for an answer: with which score and why it was used, or why not."""

    operation_id: UUID
    session_name: str
    at: datetime
    score: float
    decision_reason: str
    used: bool


class Transcripts(Protocol):
    """Readings of the log for people. Each looks at the person's 100 newest sessions at most."""

    async def turns(self, scope: Scope, session_id: UUID, before: int | None, limit: int) -> list[TranscriptTurn]:
        """The last turns of a session, or the last ones before a position; oldest first."""
        ...

    async def operations(self, scope: Scope, limit: int) -> list[SessionOperation]:
        """What became of the last turns, newest first."""
        ...

    async def uses(self, scope: Scope, memory_id: UUID, limit: int) -> list[CandidateUse]:
        """The last answers that a memory was a candidate for, newest first."""
        ...
