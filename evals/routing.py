"""How often would a message that asks for something go to the fast model, and how much small talk goes there?

``python -m evals.routing --requests more.jsonl --json out.json``

Wrong first. Nothing was fitted to ``evals/data/requests.held.*``; rules were written by the others. Talk and sentences
are labelled sentence by sentence. The classifier behind the rules was fitted to the sentences, so their figures are
flattering. ``--requests``: lines of ``{language, text, needs}``, where a
message asks for something if it needs any tool. No model is asked: only rules decide.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from brain.intent_rules import wants_nothing

DATA = Path(__file__).parent / "data"
SMALL = frozenset({"courtesy", "passing"})
ASKING = frozenset({"question", "task", "forget", "remember", "dont_note", "correct", "slip"})
SHOWN = 10
"""Wrong ones that are printed of each set."""


@dataclass(frozen=True)
class Message:
    """A message of a set; ``kind`` is the first thing in it that asks, else its first kind."""

    of: str
    language: str
    kind: str
    asks: bool
    is_small: bool
    text: str


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Of the messages that ask, and of those that are nothing but small talk: how many go to the fast model."""

    of: str
    language: str
    asking: int
    wrong: int
    small: int
    routed: int
    examples: list[str]


def requests(name: str, path: Path) -> Iterator[Message]:
    """What people ask to be changed, and near misses: these are no small talk for certain, so they are left out."""
    for row in _lines(path):
        if row["kind"] != "none":
            yield Message(name, row["language"], row["kind"], asks=True, is_small=False, text=row["request"])


def needing_tools(path: Path) -> Iterator[Message]:
    """What needs a tool."""
    for row in _lines(path):
        if row["needs"]:
            yield Message(path.stem, row["language"], row["needs"][0], asks=True, is_small=False, text=row["text"])


def talk(path: Path) -> Iterator[Message]:
    """What people say turn by turn, each sentence labelled."""
    for row in _lines(path):
        for turn in row["turns"]:
            if turn["speaker"] == "user":
                kinds = [each["kind"] for each in turn["sentences"]]
                text = " ".join(each["text"] for each in turn["sentences"])
                yield _labelled("talk", row["language"], kinds, text)


def sentences(path: Path) -> Iterator[Message]:
    """Single sentences, labelled."""
    for line in path.read_text("utf-8").splitlines():
        kind, _, _, _, text, *_ = line.split("\t")
        yield _labelled("sentences", path.name[:2], [kind], text)


def measure(messages: Iterable[Message]) -> list[Figures]:
    """By set and language."""
    sets: dict[tuple[str, str], list[Message]] = defaultdict(list)
    for each in messages:
        sets[each.of, each.language].append(each)
    return [_figures(of, language, found) for (of, language), found in sorted(sets.items())]


def _figures(of: str, language: str, found: list[Message]) -> Figures:
    asking, small = [each for each in found if each.asks], [each for each in found if each.is_small]
    wrong = [each for each in asking if wants_nothing(each.text)]
    return Figures(
        of=of,
        language=language,
        asking=len(asking),
        wrong=len(wrong),
        small=len(small),
        routed=sum(wants_nothing(each.text) for each in small),
        examples=[f"{each.kind}: {each.text}" for each in wrong],
    )


def _labelled(of: str, language: str, kinds: list[str], text: str) -> Message:
    asking = [kind for kind in kinds if kind in ASKING]
    return Message(of, language, (asking or kinds)[0], bool(asking), SMALL.issuperset(kinds), text)


def _lines(path: Path) -> Iterator[Any]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.routing", description=__doc__)
    parser.add_argument("--requests", type=Path, nargs="*", default=[], help="more requests, by the tools they need")
    parser.add_argument("--json", type=Path)
    told = parser.parse_args()
    messages = [
        *(each for path in told.requests for each in needing_tools(path)),
        *requests("requests, dev", DATA / "requests.dev.jsonl"),
        *(each for path in sorted(DATA.glob("requests.held.*")) for each in requests("requests, held", path)),
        *(each for path in sorted((DATA / "talk").iterdir()) for each in talk(path)),
        *(each for path in sorted((DATA / "sentences").iterdir()) for each in sentences(path)),
    ]
    found = measure(messages)
    table = Table("set", "language", "asks, yet to the fast model", "small talk to the fast model")
    for each in found:
        wrong = f"{each.wrong} of {each.asking} ({each.wrong / max(1, each.asking):.1%})"
        table.add_row(each.of, each.language, wrong, f"{each.routed} of {each.small}")
    console = Console()
    console.print(table)
    for each in found:
        for example in each.examples[:SHOWN]:
            console.print(f"{each.of}, {each.language}: {example}", markup=False)
    if told.json:
        told.json.write_text(json.dumps([asdict(each) for each in found], indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
