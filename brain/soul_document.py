"""SOUL as a document: six sections of points, in a form in which nothing else can stand."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from brain.prompting.tokens import count_tokens
from language.tables import words_by_name
from memory.errors import bad_request
from memory.session_state import SessionState
from memory.storable_text import require_storable_text
from prompts.registry import load_prompt

Section = Literal["Identity", "Voice", "Values", "Habits", "Anchors", "Constraints"]
SECTIONS: tuple[Section, ...] = get_args(Section)
LASTING: tuple[Section, ...] = ("Anchors", "Constraints")
"""What stands in these may not be changed or taken away."""
_GIVES_WAY: tuple[Section, ...] = ("Habits", "Voice", "Values")
"""What a small window leaves out, in this order."""
MAX_TOKENS = 1_200
"""Of SOUL in a system prompt: with the longest of Brain's own it stays within that slot."""
_SHARE_OF_WINDOW = 20
TITLE = "# SOUL"
PACKAGED_VERSION = 0

_POINT = re.compile(r"- (?P<point>\S.*)")
_HEADING = re.compile(r"## (?P<name>\S+)")
_GOES_ON = re.compile(r"  +(?P<more>\S.*)")


class MalformedSoulError(ValueError):
    """A text is no SOUL; the message says where, and never quotes it."""


PointText = Annotated[str, Field(max_length=1_000), AfterValidator(require_storable_text)]
"""A point as somebody gave it."""


class SoulChange(BaseModel):
    """One point that is added, replaced or removed. ``old`` is the point as it stands, word for word."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    op: Literal["add", "replace", "remove"]
    section: Section
    old: PointText = ""
    new: PointText = ""


@dataclass(frozen=True)
class SoulDocument:
    """The points of each section; sections without any are absent."""

    sections: Mapping[Section, tuple[str, ...]]

    def points(self, section: Section) -> tuple[str, ...]:
        """The points of a section, in order."""
        return self.sections.get(section, ())

    @property
    def all_points(self) -> tuple[tuple[Section, str], ...]:
        """Every point with its section."""
        return tuple((section, point) for section in SECTIONS for point in self.points(section))

    @property
    def body(self) -> str:
        """Its sections as they stand in a prompt."""
        told = ((section, self.points(section)) for section in SECTIONS)
        return "\n\n".join("\n".join((f"## {name}\n", *(f"- {each}" for each in said))) for name, said in told if said)

    @property
    def text(self) -> str:
        """The document in its one form."""
        return f"{TITLE}\n\n{self.body}\n"


@lru_cache(maxsize=256)
def parse_soul(text: str) -> SoulDocument:
    """Read a SOUL. Headings may be in any language that Brain speaks. Raises ``MalformedSoulError``."""
    sections: dict[Section, list[str]] = {}
    for number, line in _lines(text):
        if heading := _HEADING.fullmatch(line):
            _open_section(sections, heading["name"], number)
        elif not sections:
            raise MalformedSoulError(f"Line {number}: something stands before the first section.")
        elif point := _POINT.fullmatch(line):
            sections[list(sections)[-1]].append(point["point"].strip())
        elif (more := _GOES_ON.fullmatch(line)) and (said := sections[list(sections)[-1]]):
            said[-1] = f"{said[-1]} {more['more'].strip()}"
        else:
            raise MalformedSoulError(f"Line {number}: it is neither a heading of a section nor a point ('- …').")
    return SoulDocument({name: tuple(sections[name]) for name in SECTIONS if sections.get(name)})


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, without the title."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and not (number == 1 and line.strip().casefold() == TITLE.casefold()):
            yield number, line.rstrip()


def _open_section(sections: dict[Section, list[str]], heading: str, number: int) -> None:
    name = words_by_name("soul.headings").get(heading.casefold(), "").capitalize()
    if name not in SECTIONS:
        raise MalformedSoulError(f"Line {number}: this is not the heading of a section ({', '.join(SECTIONS)}).")
    if name in sections:
        raise MalformedSoulError(f"Line {number}: there are two sections {name}.")
    sections[name] = []


def apply_changes(document: SoulDocument, changes: Sequence[SoulChange]) -> SoulDocument:
    """The document with its points changed. Raises ``E_BAD_REQUEST`` for a point that does not stand there."""
    for change in changes:
        points = list(document.points(change.section))
        if change.op != "add" and change.old not in points:
            raise bad_request(
                f"{change.section} has no such point: {change.old[:80]!r}.", "Repeat it word for word as it stands."
            )
        if change.op != "remove" and not change.new.strip():
            raise bad_request("A point that is added says something.", "Give its words as new.")
        if change.op == "add":
            points.append(change.new)
        else:
            points[points.index(change.old) : points.index(change.old) + 1] = (
                [change.new] if change.op == "replace" else []
            )
        document = replace(document, sections={**document.sections, change.section: tuple(points)})
    return document


def packaged_soul() -> str:
    """What holds where an organisation has not changed it."""
    return parse_soul(load_prompt("soul").body).text


def soul_in_force(opened: SessionState | None) -> tuple[int, str]:
    """The version and text for a turn: the tenant's own, else the packaged one."""
    soul = opened.soul if opened else None
    return (soul.version, soul.text) if soul else (PACKAGED_VERSION, packaged_soul())


@lru_cache(maxsize=256)
def render_soul(text: str, window: int) -> str:
    """SOUL for the stable prefix: the same bytes whenever the text and the window are the same.

    In a small window habits give way first, then voice and values; who Brain is and what it never does always stay.
    """
    document, room = parse_soul(text), min(MAX_TOKENS, window // _SHARE_OF_WINDOW)
    for section in _GIVES_WAY:
        if count_tokens(document.body) <= room:
            break
        document = SoulDocument({name: said for name, said in document.sections.items() if name != section})
    return load_prompt("soul_frame").render(soul=document.body)
