"""What a sentence adds to the one before it without saying it again: "I'm allergic to nuts. Oh, and to eggs."."""

from collections.abc import Sequence
from dataclasses import replace

from language.assertions import has_several_assertions
from language.clauses import add_lead, words_of
from language.detection import language_of
from language.likeness import is_allergen
from language.readers import Value
from language.statements import Lead, Statement
from language.tables import patterns_of

_STOPS = " .!。！"


def added_allergen(sentence: str) -> str:
    """What a sentence adds that people are allergic to, where it adds nothing else; empty for any other."""
    found = patterns_of("additions", language_of(sentence)).adds.fullmatch(sentence.strip())
    thing = found["value"].strip(" .,，、") if found else ""
    is_thing = bool(thing) and words_of(language_of(sentence)).verb.search(thing) is None
    return thing if is_thing and is_allergen(thing) else ""


def with_additions(statements: Sequence[Statement], previous: Statement | None = None) -> list[Statement]:
    """The statements; one that only adds to an allergy is told of behind the words of the one before it.

    ``previous`` is what the person said last in the turn before, for the first of them.
    """
    told: list[Statement] = []
    last, is_earlier = previous, True
    for each in statements:
        thing = added_allergen(each.text) if last else ""
        read = _go_on(each, thing, last, is_earlier=is_earlier) if last and thing else each
        told.append(read)
        last, is_earlier = read, False
    return told


def _go_on(statement: Statement, thing: str, last: Statement, *, is_earlier: bool) -> Statement:
    value = last.value
    if value is None or value.predicate != "allergic_to" or not last.is_memorable or has_several_assertions(last.text):
        return statement
    words = _opening(last, value)
    begins = last.lead.start if last.lead else last.start
    of = "before" if is_earlier else last.lead.of if last.lead else "turn"
    start = statement.start + statement.text.rindex(thing)
    return replace(
        last,
        start=start,
        end=statement.end,
        text=add_lead(words, statement.text[start - statement.start :]),
        value=replace(value, text=thing),
        lead=Lead(begins, begins + len(words), of),
    )


def _opening(last: Statement, value: Value) -> str:
    """The words that an allergy begins with: up to what it names, or all of it where that stands within; of one that
    went on itself, those that it went on with.
    """
    if last.lead:
        return last.text[: last.lead.end - last.lead.start]
    end = last.text.rindex(value.text)
    ends_with_it = not last.text[end + len(value.text) :].strip(_STOPS)
    return last.text[:end].rstrip() if ends_with_it else last.text.rstrip(_STOPS)
