"""Which memory a request means: only one that holds all that is named, else a question, else nothing.

Likeness (``evolution.change_targets``) finds and orders the candidates; it never decides alone that one is meant.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evolution.change_targets import MOST_ASKED, ChangeTarget, likely_targets, targets_on_topic
from language.naming import Held, Named, compare_named, read_named
from language.requests import Request, find_request

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
        return Meant(tuple(partly[:MOST_ASKED]))
    return Meant(tuple(likely_targets(best_first) or targets_on_topic(request, best_first)[:MOST_ASKED]))


def meant_by(about: str, turn: str, best_first: Sequence[ChangeTarget]) -> Meant:
    """What words mean that a command or a model gives; no name or number of a ``turn`` that asks may be against it."""
    named = read_named(about, about)
    asked = find_request(turn) if turn else None
    own = read_named(asked.about, turn).exact if asked and asked.sentence else frozenset[str]()
    named = replace(named, terms=named.terms | own, exact=named.exact | own)
    compared = [_Compared(each, compare_named(named, each.text, each.person, each.topics)) for each in best_first]
    whole = [each for each in compared if not each.held.unheld]
    partly = [each.target for each in compared if _is_worth_asking(each.held, named)]
    return _choose(whole, named) if whole else Meant(tuple(partly[:MOST_ASKED]))


def hold_all(request: Request, best_first: Sequence[ChangeTarget]) -> list[ChangeTarget]:
    """Every memory that holds all that is named, for somebody who means everything about it."""
    assert request.sentence is not None
    named = read_named(request.about, request.sentence.text)
    compared = (_Compared(each, compare_named(named, each.text, each.person, each.topics)) for each in best_first)
    return [each.target for each in compared if not each.held.unheld]


def _choose(whole: Sequence[_Compared], named: Named) -> Meant:
    """The only one, or the one that says most of a value in the same words; else all of them are asked about."""
    most = max(each.held.literally for each in whole)
    likest = [each.target for each in whole if each.held.literally == most]
    if len(whole) == 1 or (len(likest) == 1 and named.values):
        return Meant((likest[0],), sure=True)
    return Meant(tuple(each.target for each in whole[:MOST_ASKED]))


def _is_worth_asking(held: Held, named: Named) -> bool:
    """Whether it holds every name and number, some of the other values, and half of all that is named."""
    if held.unheld & named.exact or (named.values and not named.values - held.unheld):
        return False
    return len(named.terms - held.unheld) >= _HALF * len(named.terms)
