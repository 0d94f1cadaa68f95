"""What a newer statement does to an older one, on pairs that nearly miss: ``python -m evals.near_misses [FILE…]``.

Each line of ``compatible``, ``exclusive`` and ``compound`` files (``data/near_misses``) is a life of its own: the older
statement, a day later the newer one, both through the real evolution graph, by a person of its own; no model is asked.
Wrong acts come first. ``--show`` lists the lines behind each figure; never ask for it with what is kept aside.
"""

import argparse
import asyncio
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal
from uuid import uuid4

from pydantic import BaseModel, ConfigDict

from brain.memory_uses import use_of_item
from brain.models.roles import Models
from brain.prompting.memory_choice import ChoiceCriteria, choose_memories
from brain.resources import Resources
from brain.safety.fence import Fence
from brain.settings import Settings
from brain.state import MemoryUse, said_at
from evals.evaluation.memory_replay import Calendar
from evals.evaluation.scratch import scratch_resources
from evals.remembered_data import plain
from graphs.evolution import evolve
from memory.index_rows import is_reworded, speaker_of
from memory.memory_item import MemoryItem
from memory.partial_endings import parts_over
from memory.provenance import events_of, is_doubted, provenance_level
from memory.scope import Scope, Speaker, scope_of, session_id_of
from memory.turns import Capture, SessionRef, Utterance

DATA = Path(__file__).parent / "data" / "near_misses"
BEGUN = datetime(2026, 3, 1, 9, tzinfo=UTC)
Sort = Literal["compatible", "exclusive", "compound"]
SORTS: tuple[Sort, ...] = ("compatible", "exclusive", "compound")


class Pair(BaseModel):
    """One line of any of the files."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    language: str
    older: str
    newer: str
    kind: str = ""
    over: str = ""
    stays: tuple[str, ...] = ()
    now: str | None = None


@dataclass(frozen=True)
class Life:
    """What is remembered once both were said; ``first`` and ``second`` are the ids of their turns."""

    pair: Pair
    first: str
    second: str
    items: Sequence[MemoryItem]
    contested: frozenset[str]

    @property
    def older(self) -> list[MemoryItem]:
        """What was taken from the older statement alone."""
        return [
            item for item in self.items if events_of(item)[:1] == [self.first] and self.second not in _said_by(item)
        ]

    @property
    def newer(self) -> list[MemoryItem]:
        """What the newer statement left."""
        return [item for item in self.items if item not in self.older]


def _said_by(item: MemoryItem) -> list[str]:
    return events_of(item) if item.status == "active" else []


async def live(resources: Resources, pair: Pair) -> Life:
    """Say both, a day apart, each in a session of its own."""
    calendar = Calendar(BEGUN)
    resources = replace(resources, clock=calendar)
    scope = scope_of(Speaker(tenant="near", user=str(uuid4())), resources.settings.dm_scope)
    first = await _say(resources, calendar, scope, pair.older)
    calendar.at += timedelta(days=1)
    second = await _say(resources, calendar, scope, pair.newer)
    items = await resources.memory.items.list_newest(scope, include_inactive=True)
    opened = await resources.memory.conflicts.list_conflicts(scope)
    sides = frozenset(str(side) for each in opened for side in (each.held_id, each.new_id))
    return Life(pair, first, second, items, sides)


async def _say(resources: Resources, calendar: Calendar, scope: Scope, text: str) -> str:
    name = calendar.at.isoformat()
    session = SessionRef(session_id=session_id_of(scope, name), name=name, user_name="ann", tenant_name="near")
    said = Utterance(event_id=resources.new_id(), role="user", speaker="user", text=text, occurred_at=calendar.at)
    await resources.memory.log.capture(
        scope, Capture(operation_id=resources.new_id(), session=session, utterances=(said,))
    )
    await evolve(resources, scope, session.session_id)
    return str(said.event_id)


def judge(sort: Sort, life: Life) -> Iterator[tuple[str, bool | None]]:
    """The figures of one line, wrong acts first; None where a figure has nothing to judge."""
    yield "text that nobody said", any(_is_invented(item, life.pair) for item in life.items)
    match sort:
        case "compatible":
            yield "both hold: ended", any(item.status != "active" for item in life.older)
            yield "both hold: in doubt", any(is_doubted(item) or parts_over(item) for item in life.items)
            yield "both hold: marked in the prompt", any(each.get("status") for each in _shown(life))
            yield "both hold: in open conflict", bool(life.contested)
        case "exclusive":
            yield "newest marked", _is_newest_marked(life)
            both = bool(life.older) and bool(life.newer)
            yield "exclude each other: ended or in open conflict", _is_ended(life) or bool(life.contested)
            yield (
                "exclude each other: … of those remembered",
                (_is_ended(life) or bool(life.contested)) if both else None,
            )
            yield "exclude each other: newer first", _is_newer_first(life)
        case "compound":
            yield "compound: another part lost", not all(_stands(each, life) for each in life.pair.stays if life.older)
            yield "compound: changed part over, named or in conflict", _is_part_over(life) if life.older else None


def _is_invented(item: MemoryItem, pair: Pair) -> bool:
    """Whether it claims words that nobody used, or shows changed ones as a quotation or as confirmed."""
    said = plain(f"{pair.older} {pair.newer}")
    if all(part in said for part in map(plain, item.content.split("…"))):
        return False
    vouched = bool(speaker_of(item)) or provenance_level(item) == "confirmed_by_user"
    return vouched or not is_reworded(item)


def _is_ended(life: Life) -> bool:
    """Whether the older statement lives no longer as it was said."""
    return bool(life.older) and any(item.status != "active" or parts_over(item) for item in life.older)


def _shown(life: Life) -> list[MemoryUse]:
    """The living memories as a prompt would have them, all equally near to the question."""
    uses = [use_of_item(item) for item in life.items if item.status == "active"]
    oldest_first = sorted(uses, key=lambda each: said_at(each))
    by = ChoiceCriteria(question=life.pair.older, room=2_000, fence=Fence("000000"))
    return choose_memories(oldest_first, by).injected


def _is_newest_marked(life: Life) -> bool:
    newest = {str(item.memory_id) for item in life.newer}
    return any(each.get("status") for each in _shown(life) if each["memory_id"] in newest)


def _is_newer_first(life: Life) -> bool | None:
    """Whether the newer one stands before the older one; None where only one of them stands there."""
    newest = {str(item.memory_id) for item in life.newer}
    places = [each["memory_id"] in newest for each in _shown(life)]
    return places[0] if len(set(places)) == 2 else None


def _stands(words: str, life: Life) -> bool:
    return any(plain(words) in plain(item.content) for item in life.items if item.status == "active")


def _is_part_over(life: Life) -> bool:
    """Whether the part is named as over, or stands in no living memory, or another value stands in its place."""
    living = [item for item in life.items if item.status == "active"]
    named = [part.over for item in living for part in parts_over(item)]
    over = plain(life.pair.over)
    if any(plain(each) in over or over in plain(each) for each in named):
        return True
    return bool(life.contested) or not any(over in plain(item.content) for item in living if item in life.older)


def read_pairs(path: Path) -> list[Pair]:
    """All lines of a file. Raises ``ValueError`` for one that is no pair."""
    return [Pair.model_validate_json(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def sort_of(path: Path) -> Sort:
    """What the lines of a file are, by its name. Raises ``ValueError``."""
    for sort in SORTS:
        if path.name.startswith(sort):
            return sort
    raise ValueError(f"{path.name} is none of {', '.join(SORTS)}")


Figures = Mapping[str, tuple[int, int]]


async def figures_of(resources: Resources, paths: Iterable[Path], shown: list[str] | None = None) -> dict[str, Figures]:
    """By language, how many lines of how many each figure is true of; what they say goes to ``shown``."""
    sums: dict[str, dict[str, tuple[int, int]]] = {}
    for path in paths:
        for pair in read_pairs(path):
            mine = sums.setdefault(pair.language, {})
            for name, verdict in judge(sort_of(path), await live(resources, pair)):
                if verdict is not None:
                    part, whole = mine.get(name, (0, 0))
                    mine[name] = (part + verdict, whole + 1)
                    if shown is not None:
                        shown.append(f"{name}: {verdict} | {pair.kind} | {pair.older} | {pair.newer}")
    return sums  # pyright: ignore[reportReturnType]


def dev_files() -> list[Path]:
    """The files that may be looked at."""
    return sorted(DATA / f"{sort}.{language}.jsonl" for sort in SORTS for language in ("en", "zh"))


def held_files() -> list[Path]:
    """Those that are kept aside, only for their sums."""
    return sorted(DATA / f"{sort}.held.{language}.jsonl" for sort in SORTS for language in ("en", "zh"))


async def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="*", type=Path, help="files of pairs; without any, those that may be looked at")
    parser.add_argument("--show", help="list the lines of figures whose name holds this")
    parser.add_argument("--json", type=Path, help="write the sums to this file")
    arguments = parser.parse_args()
    shown: list[str] = []
    settings = Settings(embeddings="none", _env_file=None)  # pyright: ignore[reportCallIssue]
    async with scratch_resources(settings) as resources:
        by_rules, files = replace(resources, models=Models()), arguments.data or dev_files()
        sums = await figures_of(by_rules, files, shown if arguments.show else None)
    for language, figures in sums.items():
        print(language)
        for name, (part, whole) in figures.items():
            print(f"  {name:46} {part} of {whole} ({part / whole:.1%})")
    print("\n".join(line for line in shown if arguments.show in line.partition(" | ")[0]))
    if arguments.json:
        arguments.json.write_text(json.dumps(sums))


if __name__ == "__main__":
    asyncio.run(main())
