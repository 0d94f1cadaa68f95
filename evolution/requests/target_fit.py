"""Which memory a request means: only one that holds all that is named, else a question, else nothing.

Likeness (``target_ranking.py``) orders what was found; it never decides alone that one is meant.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from brain.recall import recall
from brain.resources import Resources
from evolution.requests.change_targets import RECALLED, ChangeTarget, TargetQuery
from evolution.requests.target_ranking import MAX_ASKED, likely_targets, targets_on_topic
from language.naming import Held, Named, compare_named, read_named
from language.requests import Request, find_request
from memory.embedding import is_encoder
from memory.recall.query import Filters

NEAR, AS_NEAR = 0.25, 0.1
"""The encoder's cosine from which a memory is near in meaning, and how far behind the nearest it may lie."""
MAX_NEAREST = 3
_HALF = 0.5
"""Share of the named words that a memory has to hold to be asked about."""


@dataclass(frozen=True)
class Meant:
    """The memories that a request may mean; ``sure`` when it is the one of them without doubt."""

    targets: tuple[ChangeTarget, ...] = ()
    sure: bool = False


@dataclass(frozen=True)
class _Compared:
    target: ChangeTarget
    held: Held


def find_meant(request: Request, best_first: Sequence[ChangeTarget]) -> Meant:
    """The memory that a request to forget means, those to ask about, or none where nothing holds what is named."""
    assert request.sentence is not None
    named = read_named(request.about, request.sentence.text)
    compared = [_Compared(each, compare_named(named, each.text, each.person, each.topics)) for each in best_first]
    whole = [each for each in compared if each.held.is_whole]
    if whole:
        return _choose(whole, named)
    partly = [each.target for each in compared if _is_worth_asking(each.held, named)]
    if named.values or partly:
        return Meant(tuple(partly[:MAX_ASKED]))
    return Meant(tuple(likely_targets(best_first) or targets_on_topic(request, best_first)[:MAX_ASKED]))


def meant_by(about: str, turn: str, best_first: Sequence[ChangeTarget]) -> Meant:
    """What words mean that a command or a model gives; no name or number of a ``turn`` that asks may be against it."""
    named = read_named(about, about)
    asked = find_request(turn) if turn else None
    own = read_named(asked.about, turn).exact if asked and asked.sentence else frozenset[str]()
    named = replace(named, terms=named.terms | own, exact=named.exact | own)
    compared = [_Compared(each, compare_named(named, each.text, each.person, each.topics)) for each in best_first]
    whole = [each for each in compared if not each.held.unheld]
    partly = [each.target for each in compared if _is_worth_asking(each.held, named)]
    return _choose(whole, named) if whole else Meant(tuple(partly[:MAX_ASKED]))


def hold_all(request: Request, best_first: Sequence[ChangeTarget]) -> list[ChangeTarget]:
    """Every memory that holds all that is named, for somebody who means everything about it."""
    assert request.sentence is not None
    named = read_named(request.about, request.sentence.text)
    compared = (_Compared(each, compare_named(named, each.text, each.person, each.topics)) for each in best_first)
    return [each.target for each in compared if not each.held.unheld]


async def find_nearest(
    resources: Resources, heard: TargetQuery, about: str, among: Sequence[ChangeTarget]
) -> list[ChangeTarget]:
    """What is nearest in meaning to what is named, where nothing holds it: worth a question, and no more than that."""
    if resources.embedder is None or not is_encoder(resources.embedder.name):
        return []
    asked = replace(heard.ask, text=about, limit=RECALLED, filters=Filters(lanes=("fact", "turn")))
    cosines: dict[str, float] = {}
    for each in (await recall(resources, heard.scope, asked)).ranked:
        for name in (str(each.candidate.source_id), str(each.candidate.turn_id)):
            cosines[name] = max(cosines.get(name, 0.0), each.candidate.cosine or 0.0)
    near = [(max((cosines.get(name, 0.0) for name in _names(each)), default=0.0), each) for each in among]
    best = sorted(near, key=lambda pair: -pair[0])[:MAX_NEAREST]
    return [each for cosine, each in best if cosine >= max(NEAR, best[0][0] - AS_NEAR)]


async def is_in_past(resources: Resources, heard: TargetQuery, about: str) -> bool:
    """Whether something that was brought along holds all that is named: no memory stands for it."""
    asked = replace(heard.ask, text=about, limit=RECALLED, filters=Filters(lanes=("turn",)))
    named = read_named(about, about)
    found = [each.candidate for each in (await recall(resources, heard.scope, asked)).ranked]
    holding = [each.turn_id for each in found if each.turn_id and not compare_named(named, each.text, "", {}).unheld]
    return bool(holding and await resources.memory.past_imports.find_brought(heard.scope, holding))


def _names(target: ChangeTarget) -> set[str]:
    return {*target.turns, *map(str, target.memory_ids)}


def _choose(whole: Sequence[_Compared], named: Named) -> Meant:
    """The only one, or the one that says most of a value in the same words; else all of them are asked about."""
    most = max(each.held.literally for each in whole)
    likest = [each.target for each in whole if each.held.literally == most]
    if len(whole) == 1 or (len(likest) == 1 and named.values):
        return Meant((likest[0],), sure=True)
    return Meant(tuple(each.target for each in whole[:MAX_ASKED]))


def _is_worth_asking(held: Held, named: Named) -> bool:
    """Whether it holds every name and number, some of the other values, and half of all that is named."""
    if held.unheld & named.exact or (named.values and not named.values - held.unheld):
        return False
    return len(named.terms - held.unheld) >= _HALF * len(named.terms)
