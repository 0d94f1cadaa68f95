"""Conversations with labels of what should be remembered of them, one record per line; the format is in README.md."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from memory.errors import bad_request

Language = Literal["en", "zh"]
Split = Literal["dev", "held"]
ASSISTANT = "assistant"
PRIVATE_SPEAKER = "user"
_PACE = timedelta(seconds=40)
"""Between one turn and the next: a conversation dates its sessions, not its turns."""
_AFTER = timedelta(hours=1)
"""A checkpoint stands so long behind its session."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Head(_Record):
    """Begins a conversation. ``user`` is who asks the questions; a ``channel`` makes it a group's."""

    conversation: str
    category: str
    language: Language
    split: Split
    zone: str
    user: str
    channel: str | None = None


class SessionStart(_Record):
    """Begins a session; ``at`` is in the conversation's zone."""

    session: str
    at: datetime


class Turn(_Record):
    """One message. In private the person is ``user``, in a group everybody has a name; Brain is ``assistant``."""

    turn: str
    speaker: str
    text: str


class Label(_Record):
    """What should be remembered from its first ``evidence`` on, and is past from ``ended_by``, or ``until``, on.

    ``object`` names the accepted values, any of which will do; the parts of «a + b» must all be there. An ``optional``
    label is true and harmless: nobody asks for it, and it is no junk. ``replaces`` is the label before it in a chain.
    """

    label: str
    subject: tuple[str, ...]
    predicate: str
    object: tuple[str, ...]
    negated: bool = False
    since: date | None = None
    until: date | None = None
    evidence: tuple[str, ...] = ()
    ended_by: tuple[str, ...] = ()
    replaces: str | None = None
    optional: bool = False


class Trap(_Record):
    """What must not be remembered of ``subject`` (``*``: of anybody), and why."""

    trap: tuple[str, ...]
    subject: tuple[str, ...]
    why: str


class Question(_Record):
    """What the user may ask later, and the labels that have ever been the answer, in order."""

    question: str
    about: tuple[str, ...]


Line = Annotated[Head | SessionStart | Turn | Label | Trap | Question, Field(union_mode="left_to_right")]
_LINE: TypeAdapter[Head | SessionStart | Turn | Label | Trap | Question] = TypeAdapter(Line)


@dataclass(frozen=True)
class Spoken:
    """A turn with the moment at which it was said (aware)."""

    turn: Turn
    at: datetime

    @property
    def by_person(self) -> bool:
        """Whether somebody else than Brain speaks."""
        return self.turn.speaker != ASSISTANT


@dataclass(frozen=True)
class Session:
    """Turns that belong together. ``closes`` is the checkpoint behind them."""

    name: str
    spoken: tuple[Spoken, ...]

    @property
    def closes(self) -> datetime:
        """When one looks at what was remembered."""
        return self.spoken[-1].at + _AFTER


@dataclass(frozen=True)
class Conversation:
    """One person's, or one group's, sessions with what should be left of them."""

    head: Head
    sessions: tuple[Session, ...]
    labels: tuple[Label, ...]
    traps: tuple[Trap, ...]
    questions: tuple[Question, ...]

    @property
    def name(self) -> str:
        """Its own name."""
        return self.head.conversation

    @cached_property
    def label_of(self) -> Mapping[str, Label]:
        """Labels by name."""
        return {each.label: each for each in self.labels}

    @cached_property
    def said_at(self) -> Mapping[str, datetime]:
        """When each turn was said."""
        return {each.turn.turn: each.at for session in self.sessions for each in session.spoken}

    def learned(self, label: Label) -> datetime | None:
        """When it could first be known; None for a label without evidence."""
        return min((self.said_at[turn] for turn in label.evidence), default=None)

    def ended(self, label: Label) -> datetime | None:
        """When it could first be known to be past; None while it holds."""
        if label.ended_by:
            return min(self.said_at[turn] for turn in label.ended_by)
        if label.until is None:
            return None
        midnight = datetime.combine(label.until, datetime.min.time(), ZoneInfo(self.head.zone))
        return midnight + timedelta(days=1)

    def current(self, label: Label, at: datetime) -> bool:
        """Whether it is to be remembered as true at that moment."""
        return self.known(label, at) and not self.past(label, at)

    def known(self, label: Label, at: datetime) -> bool:
        """Whether it has been said by then."""
        learned = self.learned(label)
        return learned is not None and learned <= at

    def past(self, label: Label, at: datetime) -> bool:
        """Whether it has been said, and is over, by then."""
        ended = self.ended(label)
        return self.known(label, at) and ended is not None and ended <= at


@dataclass(frozen=True)
class LabelledFile:
    """A file of labelled conversations. ``sha256`` is the file's: figures of different data cannot be compared."""

    path: Path
    sha256: str
    conversations: tuple[Conversation, ...]


def read_labelled(path: Path) -> LabelledFile:
    """A whole file, every line checked. Raises ``E_BAD_REQUEST`` naming the line that cannot be used."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise bad_request(f"{path} cannot be read: {error.strerror}.", "Check the path.") from None
    records = list(_records(path, content))
    conversations = tuple(_conversation(path, part) for part in _parts(path, records))
    return LabelledFile(path, hashlib.sha256(content).hexdigest(), conversations)


def _records(path: Path, content: bytes) -> Iterator[Any]:
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            yield _LINE.validate_json(line)
        except ValidationError:
            raise bad_request(f"{path}:{number} is no record of a labelled conversation.", "See README.md.") from None


def _parts(path: Path, records: Sequence[Any]) -> Iterator[Sequence[Any]]:
    starts = [number for number, record in enumerate(records) if isinstance(record, Head)]
    if not starts or starts[0]:
        raise bad_request(f"{path} does not begin with a conversation.", "See README.md.")
    for start, end in zip(starts, [*starts[1:], len(records)], strict=True):
        yield records[start:end]


def _conversation(path: Path, records: Sequence[Any]) -> Conversation:
    head: Head = records[0]
    conversation = Conversation(
        head=head,
        sessions=tuple(_sessions(records, ZoneInfo(head.zone))),
        labels=tuple(each for each in records if isinstance(each, Label)),
        traps=tuple(each for each in records if isinstance(each, Trap)),
        questions=tuple(each for each in records if isinstance(each, Question)),
    )
    unknown = sorted(_unknown_names(conversation))
    if unknown:
        raise bad_request(f"{path}: {head.conversation} names what is not there: {', '.join(unknown)}.")
    return conversation


def _sessions(records: Sequence[Any], zone: ZoneInfo) -> Iterator[Session]:
    begun: SessionStart | None = None
    turns: list[Turn] = []
    for record in [*records, None]:
        if isinstance(record, Turn):
            turns.append(record)
            continue
        if begun and turns:
            start = begun.at.replace(tzinfo=zone)
            yield Session(begun.session, tuple(Spoken(turn, start + n * _PACE) for n, turn in enumerate(turns)))
            begun, turns = None, []
        begun = record if isinstance(record, SessionStart) else begun


def _unknown_names(conversation: Conversation) -> set[str]:
    """A misspelt name would count as a miss for ever."""
    labels = {name for question in conversation.questions for name in question.about}
    labels |= {label.replaces for label in conversation.labels if label.replaces}
    turns = {turn for label in conversation.labels for turn in (*label.evidence, *label.ended_by)}
    return (labels - conversation.label_of.keys()) | (turns - conversation.said_at.keys())
