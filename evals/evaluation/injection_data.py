"""Worlds with what should and what should not stand before the model: ``data/injection``, one world a line."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from evals.retrieval_cases import CaseMemory
from memory.errors import bad_request

Kind = Literal["fact", "preference", "temporal", "conflict", "none"]
Language = Literal["en", "zh"]
Split = Literal["dev", "held"]
WORLDS = "injection/??.jsonl"
"""Our own files, by language."""
MAX_MEMORIES, MAX_MESSAGES = 200, 200
"""Of one world: far more than anybody labels by hand."""

_Name = Annotated[str, Field(min_length=1, max_length=64)]
_Text = Annotated[str, Field(min_length=1, max_length=4_000)]


class _Labelled(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class InjectedMemory(_Labelled):
    """A statement of the person, or about them, and the day on which it was noted."""

    id: _Name
    at: date
    text: _Text

    def as_case_memory(self) -> CaseMemory:
        """The same as the cases of recall have it."""
        return CaseMemory(id=self.id, at=self.at.isoformat(), text=self.text)


class Message(_Labelled):
    """What the person says, the memories that the reply needs, and those that would mislead or distract it."""

    id: _Name
    kind: Kind
    text: _Text
    must: tuple[_Name, ...]
    must_not: tuple[_Name, ...]

    @model_validator(mode="after")
    def _check_labels(self) -> Self:
        if both := set(self.must) & set(self.must_not):
            raise ValueError(f"message {self.id} both needs and excludes {min(both)}")
        if self.kind == "none" and self.must:
            raise ValueError(f"message {self.id} is of the kind none and needs {self.must[0]}")
        return self


class World(_Labelled):
    """One person's memories, and messages that are each asked by themselves on the same day."""

    world: Annotated[str, Field(pattern=r"^(en|zh)-[0-9]{3,5}$")]
    asked_at: date
    memories: Annotated[tuple[InjectedMemory, ...], Field(min_length=1, max_length=MAX_MEMORIES)]
    messages: Annotated[tuple[Message, ...], Field(min_length=1, max_length=MAX_MESSAGES)]

    @property
    def language(self) -> Language:
        """By its name."""
        return "zh" if self.world.startswith("zh") else "en"

    @cached_property
    def split(self) -> Split:
        """Odd worlds may be looked at; nothing may be tuned on the even ones."""
        return "dev" if int(self.world.partition("-")[2]) % 2 else "held"

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        _require_unique("memory", [each.id for each in self.memories])
        _require_unique("message", [each.id for each in self.messages])
        known = {each.id for each in self.memories}
        for message in self.messages:
            if unknown := {*message.must, *message.must_not} - known:
                raise ValueError(f"message {message.id} names {min(unknown)}, which is no memory")
        if later := [each.id for each in self.memories if each.at > self.asked_at]:
            raise ValueError(f"memory {later[0]} is noted after the messages are asked")
        return self


def _require_unique(what: str, names: Sequence[str]) -> None:
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise ValueError(f"{what} {name} is there {times} times")


def read_worlds(paths: Sequence[Path]) -> list[World]:
    """All worlds of the files. Raises ``E_BAD_REQUEST``, which names the line, for what is none."""
    worlds = [world for path in paths for world in _read_file(path)]
    if not worlds:
        raise bad_request("There is no world in these files.", "Each line is one, see evals/README.md.")
    try:
        _require_unique("world", [each.world for each in worlds])
    except ValueError as error:
        raise bad_request(f"The {error}.", "Give each world a name of its own.") from None
    return worlds


def _read_file(path: Path) -> Iterator[World]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise bad_request(f"{path} cannot be read as text.", "Name a file of labelled worlds.") from None
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _read_line(path, number, line)


def _read_line(path: Path, number: int, line: str) -> World:
    try:
        return World.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        told = f"{place}: {first['msg']}" if place else first["msg"]
        raise bad_request(f"{path}, line {number}: {told}.", "Correct the line.") from None
