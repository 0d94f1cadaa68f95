"""What a sentence adds to the one before it without saying it again: "I'm allergic to nuts. Oh, and to eggs."."""

from collections.abc import Sequence
from dataclasses import replace

from language.assertions import has_several_assertions
from language.categories import is_allergen
from language.clauses import add_lead, words_of
from language.detection import language_of
from language.self_corrections import is_self_corrected
from language.statements import Lead, Statement
from language.tables import patterns_of

MAX_LEAD = 100
"""Characters of the words that another allergy is told behind; longer ones would not read as a lead."""
_STOPS = " .,!;:…)。，！；：）"


def added_allergen(sentence: str) -> tuple[int, str] | None:
    """What a sentence adds that people are allergic to, with its place, where it adds and asks nothing else."""
    language = language_of(sentence)
    found = patterns_of("additions", language).adds.fullmatch(sentence)
    if found is None or words_of(language).verb.search(found["value"]) or not is_allergen(found["value"]):
        return None
    return found.start("value"), found["value"]


def with_additions(statements: Sequence[Statement], previous: Statement | None = None) -> list[Statement]:
    """The statements; one that only adds to an allergy is told behind the words of the one before it.

    ``previous`` is what the person told last in the turn before, for the first of them.
    """
    told: list[Statement] = []
    last, of_turn_before = previous, True
    for each in statements:
        last = _go_on(each, last, of_turn_before=of_turn_before) if last else each
        told.append(last)
        of_turn_before = False
    return told


def _go_on(statement: Statement, last: Statement, *, of_turn_before: bool) -> Statement:
    added = added_allergen(statement.text)
    if added is None or last.value is None or last.value.predicate != "allergic_to" or not last.is_memorable:
        return statement
    words = _opening(last, last.value.text)
    if not words:
        return statement
    place, thing = added
    begins = last.lead.start if last.lead else last.start
    source = "turn before" if of_turn_before else last.lead.source if last.lead else "turn"
    return replace(
        last,
        start=statement.start + place,
        end=statement.end,
        text=add_lead(words, statement.text[place:]),
        value=replace(last.value, text=thing),
        lead=Lead(begins, begins + len(words), source),
    )


def _opening(last: Statement, value: str) -> str:
    """The words that an allergy begins with: up to what it names, or all of it where that stands within; of one that
    went on itself, those that it went on with. Empty where they would not stand for the whole.
    """
    if last.lead:
        return last.text[: last.lead.end - last.lead.start]
    if value not in last.text or has_several_assertions(last.text) or is_self_corrected(last.text):
        return ""
    before, _, behind = last.text.rpartition(value)
    words = last.text.rstrip(_STOPS) if behind.strip(_STOPS) else before.rstrip()
    return words if len(words) <= MAX_LEAD and "…" not in words else ""
