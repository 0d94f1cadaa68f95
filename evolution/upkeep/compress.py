"""Put away what is over, and keep what is long and old in fewer words (S1 section 8.3).

Retention falls with the time since a memory was last heard of or welcomed, by its type; uses slow its fall.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from math import exp, log1p
from typing import Literal, cast

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.apply import judge_each
from evolution.upkeep.state import UpkeepState
from evolution.upkeep.verdict import LASTING, UpkeepVerdict, days_between, last_confirmation
from language.terms import fold, word_terms
from memory.memory_item import ItemType
from memory.upkeep import ActiveMemory, UpkeepChange

_SENTENCE = re.compile(r"[^.!?。！？；\n]+[.!?。！？；]*")
Level = Literal["none", "light", "medium", "aggressive"]

HELD_DAYS: Mapping[ItemType, float] = {"plan": 60, "preference": 180, "pattern": 180, "insight": 180, "summary": 180}
"""Days after which 37 % of an unused memory is retained; what is not named here is never forgotten by age."""
ENDED_DAYS = 30
"""A memory whose validity ended is put away after so many days: until then its end may be a mistake."""
MIN_CHARACTERS = 240
"""Characters from which keeping fewer words is worth a version."""
MIN_QUALITY = 0.5
"""Share of its terms that a text must keep; below it the whole text stays."""
KEPT_SHARE: Mapping[Level, float] = {"light": 0.6, "medium": 0.3}

_LEVELS: tuple[tuple[float, Level], ...] = ((0.5, "none"), (0.25, "light"), (0.1, "medium"))


@dataclass(frozen=True)
class ShortText:
    """The kept sentences, and the share of the text's distinct terms that they hold (0 to 1)."""

    text: str
    points: tuple[str, ...]
    quality: float


async def compress(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Outdated memories of which little is retained are archived; the words before are one version back."""
    at = datetime.fromisoformat(state.at)
    return await judge_each(state, runtime, "compress", lambda each: judge_compression(each, at))


def judge_compression(living: ActiveMemory, at: datetime) -> UpkeepVerdict | None:
    """Put it away, say it in fewer words, or leave it as it is. What a person brought back is not put away again."""
    level = compression_level(living, at)
    if living.last_change != "restore" and (why := _archive_reason(living, level, at)):
        item = living.item
        return UpkeepVerdict(
            UpkeepChange(memory_id=item.memory_id, version=item.version, change="archive", status="archived"), why
        )
    return _compress_content(living, level)


def retention(living: ActiveMemory, at: datetime) -> float:
    """What is left of a memory, 1 to 0; lasting ones keep everything."""
    held = HELD_DAYS.get(living.item.memory_type)
    if held is None:
        return 1.0
    seen = max(last_confirmation(living), living.feedback.welcome_at or last_confirmation(living))
    return exp(-max(days_between(seen, at), 0.0) / (held * (1 + log1p(living.feedback.uses))))


def compression_level(living: ActiveMemory, at: datetime) -> Level:
    """How much of it may go: nothing above one half, all but its record below a tenth."""
    kept = retention(living, at)
    for least, level in _LEVELS:
        if kept >= least:
            return level
    return "aggressive"


def _archive_reason(living: ActiveMemory, level: Level, at: datetime) -> str | None:
    item = living.item
    if item.invalid_at is not None and item.has_ended(at) and days_between(item.invalid_at, at) > ENDED_DAYS:
        return f"its validity ended on {item.invalid_at:%Y-%m-%d}"
    if item.epistemic_type != "outdated" or level != "aggressive" or item.memory_type in LASTING:
        return None
    return f"outdated and not heard of since {last_confirmation(living):%Y-%m-%d}"


def _compress_content(living: ActiveMemory, level: Level) -> UpkeepVerdict | None:
    item = living.item
    share = KEPT_SHARE.get(level)
    if share is None or len(item.content) <= MIN_CHARACTERS or _previous_level(living) == level:
        return None
    short = shorten_text(item.content, share)
    if short.quality < MIN_QUALITY or len(short.text) >= len(item.content):
        return None
    record = {"level": level, "from_version": item.version, "key_points": list(short.points), "quality": short.quality}
    tending = UpkeepChange(
        memory_id=item.memory_id,
        version=item.version,
        change="compress",
        content=short.text,
        provenance={"compressed": record},
    )
    return UpkeepVerdict(tending, f"{level} compression keeps {short.quality:.0%} of its terms")


def _previous_level(living: ActiveMemory) -> object:
    record = cast("Mapping[str, object]", living.item.provenance.get("compressed", {}))
    return record.get("level")


def shorten_text(text: str, share: float) -> ShortText:
    """At most ``share`` of the characters: again and again the sentence that adds most terms for its length."""
    sentences = [found[0].strip() for found in _SENTENCE.finditer(text) if found[0].strip()]
    terms = [frozenset(word_terms(fold(sentence))) for sentence in sentences]
    everything: frozenset[str] = frozenset(term for each in terms for term in each)
    known: frozenset[str] = frozenset()
    kept: set[int] = set()
    room = share * len(text)
    while fitting := [n for n, each in enumerate(sentences) if len(each) <= room and terms[n] - known]:
        _, _, best = max((len(terms[n] - known) / len(sentences[n]), -n, n) for n in fitting)
        kept.add(best)
        known |= terms[best]
        room -= len(sentences[best])
    points = tuple(sentences[n] for n in sorted(kept))
    between = " " if " " in text else ""
    return ShortText(between.join(points), points, round(len(known) / len(everything), 4) if everything else 1.0)
