"""Lessons from how calls of tools ended: closed forms alone, counted over conversations of several people.

No model and nobody's words take part: what a tool answered may have been planted in it, what a person dictates is that
person's wish, and a refusal is protection, not a fault to be worked around. So a lesson is a name of ours, a tool and a
code, and every outcome that speaks against it counts.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.experience import Experience, TurnOutcomes

LEARNABLE = frozenset({"E_BAD_REQUEST", "E_NOT_FOUND", "E_CONFLICT"})
"""Codes by which a call itself was wrong; others tell of protection, of approval, or of what was away for a while."""
LEAST_SESSIONS = 5
"""In how many conversations it has to be so."""
LEAST_PEOPLE = 2
"""Of how many people, where several call tools at all."""
MOST_AGAINST = 0.3
"""Share of conversations that speak against it, from which on nothing is learnt."""
CORRECTED = "corrected:"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


@dataclass
class _Tally:
    """Conversations for and against a lesson."""

    for_it: set[UUID] = field(default_factory=set[UUID])
    against: set[UUID] = field(default_factory=set[UUID])
    people: set[UUID] = field(default_factory=set[UUID])
    last_seen: datetime | None = None

    def count(self, turn: TurnOutcomes, *, holds: bool) -> None:
        """One turn; whoever repeats it in one conversation proves it once."""
        (self.for_it if holds else self.against).add(turn.session_id)
        if holds:
            self.people.add(turn.user_id)
            self.last_seen = max(self.last_seen or turn.at, turn.at)


def learn_lessons(turns: Sequence[TurnOutcomes]) -> list[Experience]:
    """What these turns prove, in the order of names."""
    tallies: Mapping[str, _Tally] = defaultdict(_Tally)
    for turn in turns:
        for lesson, holds in _signs(turn):
            tallies[lesson].count(turn, holds=holds)
    people = {turn.user_id for turn in turns}
    learnt = [each for lesson in sorted(tallies) if (each := _settle(lesson, tallies[lesson], people)) is not None]
    return [each for each in learnt if not each.lesson.startswith(CORRECTED) or _stands_out(each.lesson, tallies)]


def _stands_out(lesson: str, tallies: Mapping[str, _Tally]) -> bool:
    """Whether answers by other tools are seldom corrected: else people correct whatever they are told."""
    others = [tally for name, tally in tallies.items() if name.startswith(CORRECTED) and name != lesson]
    corrected = frozenset[UUID]().union(*(each.for_it for each in others))
    fine = frozenset[UUID]().union(*(each.against for each in others)) - corrected
    return len(fine) >= LEAST_SESSIONS and len(corrected) < MOST_AGAINST * (len(corrected) + len(fine))


def _settle(lesson: str, tally: _Tally, people: Set[UUID]) -> Experience | None:
    times, against = len(tally.for_it - tally.against), len(tally.against)
    needed = min(LEAST_PEOPLE, len(people))
    if times < LEAST_SESSIONS or len(tally.people) < needed or against >= MOST_AGAINST * (times + against):
        return None
    assert tally.last_seen is not None
    return Experience(lesson=lesson, times=times, against=against, people=len(tally.people), last_seen=tally.last_seen)


def _signs(turn: TurnOutcomes) -> Iterator[tuple[str, bool]]:
    """The lessons that a turn speaks for or against."""
    calls = [each for each in turn.tools if _NAME.fullmatch(str(each.get("tool", "")))]
    for place, each in enumerate(calls):
        if each.get("ok"):
            yield f"{CORRECTED}{each['tool']}", turn.corrected
        elif each.get("code") in LEARNABLE:
            yield from _remedies(each, calls[place + 1 :])


def _remedies(failed: Mapping[str, Any], later: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, bool]]:
    """What became of a call that was wrong: whether the same tool worked after all, or another right behind it."""
    tool, code = failed["tool"], failed["code"]
    again = next((each for each in later if each["tool"] == tool), None)
    yield f"retry:{tool}:{code}", again is not None and bool(again.get("ok"))
    other = later[0] if later and later[0]["tool"] != tool else None
    if other is not None and again is None:
        yield f"instead:{tool}:{code}:{other['tool']}", bool(other.get("ok"))
