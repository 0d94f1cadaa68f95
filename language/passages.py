"""A long text cut into passages: a few sentences that stand together, each with what it is about.

Cuts fall between sentences, list items and sections. All places are code points of the text. Sizes are counted in
tokens, roughly: an ideograph is one, and so are four other characters.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from language import sentences

MAX_WHOLE_TOKENS = 200
"""Tokens up to which a text is not cut at all: two halves would say less than the whole."""
MIN_PASSAGE_TOKENS = 60
"""Tokens from which a passage ends where a paragraph, a list item or a section does."""
MAX_PASSAGE_TOKENS = 150
"""Tokens of a passage."""
WHOLE = 400
"""Tokens up to which a block of code or a table stays whole."""
MAX_TITLE_CHARACTERS = 80
"""Characters that are kept of a heading or of what leads in a list."""

_SECTION, _PARAGRAPH, _INSIDE = 2, 1, 0
"""How strongly a unit asks for a cut before it."""
_BELOW_HEADINGS = 7
"""A line in bold is a heading below all others."""
_IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_BLOCK = re.compile(
    r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*(?P=fence)[ \t]*$|\Z)"
    r"|(?P<table>^[ \t]*\|[^\n]*(?:\n[ \t]*\|[^\n]*)*)"
    r"|^[^\n]*\S[^\n]*$",
    re.MULTILINE | re.DOTALL,
)
_TABLE = re.compile(r"[ \t]*\|")
_HEADING = re.compile(r"[ \t]*(#{1,6})[ \t]+(\S.*)")
_BOLD_LINE = re.compile(r"[ \t]*\*\*([^*\n]+)\*\*[ \t]*[:：]?")
_ITEM = re.compile(r"([ \t]*)(?:[-*+•·][ \t]+|\d{1,3}(?:[.)][ \t]+|[、．]))(\S.*)")
_MARKS = re.compile(r"[*_`#]+")


@dataclass(frozen=True)
class Passage:
    """``text[start:end]``. ``about``: the headings, lead-in and list item it stands under, the outermost first."""

    start: int
    end: int
    about: str = ""


class _Block(NamedTuple):
    """Lines that belong together: a line of prose, or a whole table or block of code."""

    start: int
    end: int
    solid: bool
    after_gap: bool


@dataclass(frozen=True)
class _Unit:
    """What is never cut. ``rank`` is how strongly it asks for a cut before it; one that ``leads`` keeps the next."""

    start: int
    end: int
    size: float
    rank: int
    path: tuple[str, ...]
    leads: bool = False


def cut_passages(text: str) -> list[Passage]:
    """The passages of a text in order, the first from its beginning; a short text is one."""
    if not _is_long(text):
        return [Passage(0, len(text))]
    groups = _merge_scraps(_pack_units(_units(text)))
    if len(groups) < 2:
        return [Passage(0, len(text))]
    passages = [Passage(group[0].start, group[-1].end, " / ".join(group[0].path)) for group in groups]
    return [replace(passages[0], start=0), *passages[1:]]


def size_of(text: str) -> float:
    """About how many tokens a text has."""
    ideographs = len(_IDEOGRAPH.findall(text))
    return ideographs + (len(text) - ideographs) / 4


def _is_long(text: str) -> bool:
    return len(text) > MAX_WHOLE_TOKENS and size_of(text) > MAX_WHOLE_TOKENS


def _pack_units(units: Iterator[_Unit]) -> Iterator[list[_Unit]]:
    """Units gathered as long as they fit and none asks for a cut."""
    held: list[_Unit] = []
    for unit in units:
        if held and _ends_before(held, unit):
            yield held
            held = []
        held.append(unit)
    if held:
        yield held


def _ends_before(held: Sequence[_Unit], unit: _Unit) -> bool:
    size = _size(held)
    if held[-1].leads and size < MIN_PASSAGE_TOKENS / 2:
        return False
    if unit.rank == _SECTION:
        return size >= MIN_PASSAGE_TOKENS / 2 or held[0].rank != _SECTION
    return size + unit.size > MAX_PASSAGE_TOKENS or (unit.rank == _PARAGRAPH and size >= MIN_PASSAGE_TOKENS)


def _merge_scraps(groups: Iterator[list[_Unit]]) -> list[list[_Unit]]:
    """A few words that are left over, such as a closing one, go with what stands before them."""
    kept: list[list[_Unit]] = []
    for group in groups:
        if kept and group[0].rank != _SECTION and _size(group) < MIN_PASSAGE_TOKENS / 2:
            kept[-1] += group
        else:
            kept.append(group)
    return kept


def _size(units: Sequence[_Unit]) -> float:
    return sum(unit.size for unit in units)


@dataclass
class _Outline:
    """Where a reader of the text stands: under which headings, lead-in and list items."""

    headings: dict[int, str] = field(default_factory=dict[int, str])
    lead_in: str = ""
    items: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    introduced: bool = False
    """Whether the line before was a heading or led in what follows."""

    @property
    def path(self) -> tuple[str, ...]:
        titles = [self.headings[level] for level in sorted(self.headings)]
        return tuple(title for title in (*titles, self.lead_in, *(title for _, title in self.items)) if title)

    def open_heading(self, level: int, title: str) -> None:
        self.headings[level] = _title(title)
        self.introduced = True

    def leave_heading(self, level: int) -> None:
        self.headings = {each: title for each, title in self.headings.items() if each < level}
        self.lead_in, self.items = "", []

    def leave_items(self, indent: int) -> None:
        self.items = [(each, title) for each, title in self.items if each < indent]

    def read_prose(self, line: str) -> None:
        """A line that is neither heading nor item: the list before it has ended, and it may lead in another."""
        self.introduced = line.rstrip().rstrip("*_").endswith((":", "："))
        self.lead_in = _title(line) if self.introduced else ""


def _units(text: str) -> Iterator[_Unit]:
    outline = _Outline()
    for block in _blocks(text):
        line = text[block.start : block.end]
        if block.solid:
            yield from _solid_units(text, block, outline)
        elif heading := _HEADING.fullmatch(line) or _BOLD_LINE.fullmatch(line):
            yield _heading_unit(text, block, outline, heading)
        elif item := _ITEM.match(line):
            yield from _item_units(text, block, outline, item)
        else:
            yield from _prose_units(text, block, outline)


def _solid_units(text: str, block: _Block, outline: _Outline) -> Iterator[_Unit]:
    """Code or a table: whole, or line by line where it is too long; further lines of a table stand under its first."""
    rank = _INSIDE if outline.introduced else _PARAGRAPH
    outline.introduced = False
    whole = _unit(text, (block.start, block.end), rank, outline.path)
    if whole.size <= WHOLE:
        yield whole
        return
    first, *lines = _lines(text, block.start, block.end)
    yield _unit(text, first, rank, outline.path)
    head = _title(text[slice(*first)].replace("|", " ")) if _TABLE.match(text, block.start) else ""
    below = (*outline.path, head) if head else outline.path
    for start, end in lines:
        if text[start:end].strip():
            yield _unit(text, (start, end), _INSIDE, below)


def _heading_unit(text: str, block: _Block, outline: _Outline, heading: re.Match[str]) -> _Unit:
    level = len(heading[1]) if heading.lastindex == 2 else _BELOW_HEADINGS
    outline.leave_heading(level)
    unit = _unit(text, (block.start, block.end), _INSIDE if outline.introduced else _SECTION, outline.path)
    outline.open_heading(level, heading[heading.lastindex or 1])
    return replace(unit, leads=True)


def _item_units(text: str, block: _Block, outline: _Outline, item: re.Match[str]) -> Iterator[_Unit]:
    """An item of a list; those within it belong to it."""
    indent = len(item[1].expandtabs(4))
    outline.leave_items(indent)
    rank = _INSIDE if outline.introduced or outline.items else _PARAGRAPH
    yield from _sentences(text, block, rank, outline.path)
    outline.introduced = False
    outline.items.append((indent, _title(item[2])))


def _prose_units(text: str, block: _Block, outline: _Outline) -> Iterator[_Unit]:
    """A line of prose; one that is indented goes on with its list item."""
    line = text[block.start : block.end]
    goes_on = bool(outline.items) and line[:1].isspace()
    if not goes_on:
        outline.items, outline.lead_in = [], ""
    rank = _PARAGRAPH if block.after_gap and not goes_on and not outline.introduced else _INSIDE
    *before, last = _sentences(text, block, rank, outline.path)
    if not goes_on:
        outline.read_prose(line)
    yield from (*before, replace(last, leads=outline.introduced))


def _sentences(text: str, block: _Block, rank: int, path: tuple[str, ...]) -> Iterator[_Unit]:
    """A line, cut into its sentences where it is long."""
    whole = _unit(text, (block.start, block.end), rank, path)
    found = sentences.split_sentences(text[block.start : block.end]) if whole.size > MIN_PASSAGE_TOKENS else []
    if len(found) < 2:
        yield whole
        return
    first, *others = found
    yield _unit(text, (block.start, block.start + first.end), rank, path)
    for each in others:
        yield _unit(text, (block.start + each.start, block.start + each.end), _INSIDE, path)


def _unit(text: str, place: tuple[int, int], rank: int, path: tuple[str, ...]) -> _Unit:
    start, end = place
    said = text[start:end]
    start += len(said) - len(said.lstrip())
    return _Unit(start, start + len(said.strip()), size_of(said), rank, path)


def _blocks(text: str) -> Iterator[_Block]:
    """Lines that say something; those of a table or between fences as one block."""
    end = 0
    for found in _BLOCK.finditer(text):
        solid = found.lastgroup is not None
        yield _Block(found.start(), found.end(), solid, after_gap=text.count("\n", end, found.start()) > 1)
        end = found.end()


def _lines(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    while start < stop:
        end = text.find("\n", start, stop)
        end = stop if end < 0 else end
        yield start, end
        start = end + 1


def _title(line: str) -> str:
    """What of a line stands for it elsewhere."""
    return _MARKS.sub("", line).strip().rstrip(":：").strip()[:MAX_TITLE_CHARACTERS]
