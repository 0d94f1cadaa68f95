"""Recorded conversations in a file: one JSON object (one conversation) per line, read and checked line by line."""

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    model_validator,
)

from apps.iso_times import parse_time
from memory.errors import BrainError, bad_request
from memory.names import require_name

MAX_LINE = 64 * 1024 * 1024
"""Bytes of one conversation; more is refused before it is parsed."""


def _check_name(name: str, part: ValidationInfo) -> str:
    try:
        return require_name(str(part.field_name), name)
    except BrainError as error:
        raise ValueError(error.message) from None


Name = Annotated[str, AfterValidator(_check_name)]
Words = Annotated[str, Field(pattern=r"^[^\x00]*$")]


class _RecordingPart(BaseModel):
    """A piece of the format: what it does not know is ignored, what it knows must have the right type."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


class RecordedTurn(_RecordingPart):
    """One message of the recording."""

    turn_id: Name
    speaker: Name
    text: Words
    image_caption: Words | None = None

    @property
    def full_text(self) -> str:
        """The text, with a shared picture as somebody who saw it would describe it."""
        return f"{self.text} [shares image: {self.image_caption}]".strip() if self.image_caption else self.text


class RecordedSession(_RecordingPart):
    """Turns that belong together; ``occurred_at`` is when the first of them was said (ISO 8601, local when naive)."""

    session_id: Name
    occurred_at: str
    turns: tuple[RecordedTurn, ...]

    @model_validator(mode="after")
    def _check_turns(self) -> "RecordedSession":
        parse_time(self.occurred_at, "UTC")
        seen: set[str] = set()
        for turn in self.turns:
            if turn.turn_id in seen:
                raise ValueError(f"session {self.session_id[:60]!r} has two turns {turn.turn_id[:60]!r}")
            seen.add(turn.turn_id)
        return self


class RecordedConversation(_RecordingPart):
    """One line of the file. Questions and whatever else it carries are for others."""

    conversation_id: Name
    sessions: tuple[RecordedSession, ...]


@dataclass(frozen=True)
class RecordingLine:
    """What one line held: a conversation, or why it cannot be one. ``size`` counts its bytes and blank lines before."""

    file: Path
    number: int
    size: int
    content: RecordedConversation | BrainError


def read_lines(file: Path) -> Generator[RecordingLine]:
    """Every line that is not blank, each checked as a whole. Raises ``E_BAD_REQUEST`` when the file cannot be read."""
    try:
        with file.open("rb") as source:
            before = 0
            for number, raw in enumerate(iter(lambda: _next_line(source), b""), start=1):
                if raw.strip():
                    yield RecordingLine(file, number, source.tell() - before, _parse_line(raw))
                    before = source.tell()
    except OSError as error:
        raise bad_request(f"{file} cannot be read: {error.strerror}.", "Check the path.") from None


def _next_line(source: BinaryIO) -> bytes:
    """The next line; of an overlong one as much as shows that it is, the rest of it passed over."""
    raw = source.readline(MAX_LINE + 1)
    piece = raw
    while len(piece) > MAX_LINE and not piece.endswith(b"\n"):
        piece = source.readline(MAX_LINE + 1)
    return raw


def _parse_line(raw: bytes) -> RecordedConversation | BrainError:
    if len(raw) > MAX_LINE:
        return bad_request(f"The line is longer than {MAX_LINE >> 20} MiB.", "Split the conversation.")
    try:
        return RecordedConversation.model_validate_json(raw)
    except ValidationError as error:
        return bad_request(_first_error(error), "Correct the line and ingest the file again.")
    except BrainError as error:
        return error


def _first_error(error: ValidationError) -> str:
    """The first complaint and its place, without the rejected value, which may be anything."""
    first = error.errors(include_input=False, include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    said = str(first["msg"]).replace(" at line 1 column ", " at column ")  # the parser's, not the file's
    said = said.removeprefix("Value error, ")
    return f"{place}: {said}" if place else said
