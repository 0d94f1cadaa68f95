"""Recorded conversations, questions about them and the turns that answer those: one JSON object per line."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from apps.calibration.metrics import Evidence
from memory.errors import bad_request

ADVERSARIAL = "adversarial"
"""The category of questions with a false premise: there is nothing to find, so they never enter a total."""
_TURN = timedelta(seconds=1)


class _DatasetPart(BaseModel):
    """Whatever else a line carries is for others."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class LabelledQuestion(_DatasetPart):
    """What is asked, and the turns that answer it. ``evidence_alternatives``: turns that state the same as another."""

    question_id: str
    question: str = Field(min_length=1)
    category: str
    evidence: tuple[str, ...] = ()
    asked_at: datetime | None = None
    evidence_alternatives: Mapping[str, tuple[str, ...]] = Field(default_factory=dict)

    @property
    def wanted_evidence(self) -> Evidence:
        """Each piece of evidence under every turn that states it."""
        alternatives = self.evidence_alternatives
        pieces = (frozenset((turn, *alternatives.get(turn, ()))) for turn in self.evidence)
        return tuple(dict.fromkeys(pieces))


class LabelledTurn(_DatasetPart):
    """One message; its words are read by the ingestion."""

    turn_id: str


class LabelledSession(_DatasetPart):
    """When turns were said; a time without an offset is in UTC."""

    session_id: str
    occurred_at: datetime
    turns: tuple[LabelledTurn, ...]


class LabelledConversation(_DatasetPart):
    """One person's sessions, and what is asked about them."""

    conversation_id: str
    language: str
    sessions: tuple[LabelledSession, ...]
    questions: tuple[LabelledQuestion, ...] = ()

    @cached_property
    def session_of(self) -> Mapping[str, str]:
        """The session of every turn."""
        return {turn.turn_id: session.session_id for session in self.sessions for turn in session.turns}

    @model_validator(mode="after")
    def _check_evidence(self) -> "LabelledConversation":
        """A misspelt label would count as a miss for ever."""
        if len(self.session_of) != sum(len(session.turns) for session in self.sessions):
            raise ValueError("two turns share a turn_id")
        for question in self.questions:
            unknown = frozenset[str]().union(*question.wanted_evidence) - self.session_of.keys()
            if unknown:
                raise ValueError(f"{question.question_id} names unknown turns: {', '.join(sorted(unknown))}")
        return self

    def question_time(self, question: LabelledQuestion) -> datetime:
        """When the question is put: as it says itself, or else just after the last turn."""
        if question.asked_at is not None:
            return aware(question.asked_at)
        return max(aware(session.occurred_at) + len(session.turns) * _TURN for session in self.sessions)


@dataclass(frozen=True)
class Dataset:
    """A file of conversations. ``sha256`` is the file's: figures of different data cannot be compared."""

    path: Path
    sha256: str
    conversations: tuple[LabelledConversation, ...]

    @property
    def questions(self) -> list[tuple[LabelledConversation, LabelledQuestion]]:
        """Those that can be judged: questions without evidence are skipped."""
        pairs = ((one, question) for one in self.conversations for question in one.questions)
        return [(one, question) for one, question in pairs if question.evidence]


def aware(at: datetime) -> datetime:
    """The time in UTC where it names no offset."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def read_dataset(path: Path) -> Dataset:
    """A whole file, every line checked. Raises ``E_BAD_REQUEST`` naming the line that cannot be used."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise bad_request(f"{path} cannot be read: {error.strerror}.", "Check the path.") from None
    return Dataset(path, hashlib.sha256(content).hexdigest(), tuple(_conversations(path, content)))


def _conversations(path: Path, content: bytes) -> Iterator[LabelledConversation]:
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            yield LabelledConversation.model_validate_json(line)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            place = ".".join(str(part) for part in first["loc"])
            raise bad_request(f"{path}:{number}: {place} {first['msg']}.", "Correct the line.") from None
