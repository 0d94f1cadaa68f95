"""Sentences that assert several things: one statement for each clause that is worth a memory by itself."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from language.answers import person_asked_about, question_answered
from language.assertion_worth import MIN_WORTH, Assertion, assertion_worth
from language.classifier import Classification
from language.clauses import Clause, add_lead, split_clauses
from language.corrections import find_contrast
from language.judging import REQUESTS, most_probable
from language.kinds import KEPT
from language.orders import find_order
from language.privacy import is_confided
from language.self_corrections import is_self_corrected
from language.statements import Lead, Statement, is_denial, read_sentence
from language.times import mentions_now


def take_apart(statements: Sequence[Statement], text: str, before: str = "") -> list[Statement]:
    """The statements of a turn; of a memorable one that asserts several things, one statement for each of them."""
    first = min((each.start for each in statements), default=0)
    parts = [part for each in statements for part in _take_apart(each, text, before if each.start == first else "")]
    return [_name_question(parts[0], before), *parts[1:]] if parts else []


def _name_question(statement: Statement, before: str) -> Statement:
    """A bare answer behind the question that it answers."""
    asked = question_answered(statement.text, before) if statement.is_memorable else None
    if asked is None:
        return statement
    person = person_asked_about(asked.text) or statement.person
    lead = Lead(asked.start, asked.end, source="question")
    return replace(statement, text=add_lead(asked.text, statement.text), lead=lead, person=person)


def _take_apart(statement: Statement, text: str, before: str) -> Iterator[Statement]:
    """A sentence as it is, or what of it is worth a memory by itself, each with what is said right after it."""
    together = _join_clauses(statement, text, before) if _has_parts(statement) else []
    if len(together) < 2:
        yield statement
        return
    for place, each in enumerate(together):
        part = _read_clause(each, statement.start, text, "" if place else before)
        kinds = {kind: share for kind, share in part.kinds.items() if kind in KEPT - set(REQUESTS)}
        yield replace(part, kind="constraint" if part.kind == "constraint" else most_probable(kinds), is_worth=True)


def _join_clauses(statement: Statement, text: str, before: str) -> list[Clause]:
    """The clauses that are worth a memory; what is not stays with the one before it, or the first with the next."""
    joined: list[Clause] = []
    begun: int | None = None
    last: Statement | None = None
    clauses = split_clauses(statement.text)
    for clause, (part, assertion) in zip(clauses, judge_clauses(statement, clauses, text, before), strict=True):
        if joined and (assertion_worth(assertion) < MIN_WORTH or _is_contrast(last, part)):
            joined[-1] = replace(joined[-1], end=clause.end)
        elif assertion_worth(assertion) >= MIN_WORTH:
            joined.append(clause if begun is None else replace(clause, start=begun, lead=None))
        elif begun is None:
            begun = clause.start
        last = part
    return joined


def _is_contrast(one: Statement | None, other: Statement) -> bool:
    """Whether two clauses set what is so against what is not: they are understood together."""
    if one is None or is_denial(one.text) == is_denial(other.text):
        return False
    return one.topic == other.topic or mentions_now(other.text)


def _has_parts(statement: Statement) -> bool:
    """What asks for something, sets one value against another, goes on with other words or is told in confidence is
    understood as a whole.
    """
    whole = statement.kind in (*REQUESTS, "slip") or find_order(statement.text) or find_contrast(statement.text)
    whole = whole or is_confided(statement.text)
    whole = whole or statement.lead is not None
    return statement.is_memorable and not whole and not is_self_corrected(statement.text)


def judge_clauses(
    statement: Statement, clauses: Sequence[Clause], text: str, before: str
) -> Iterator[tuple[Statement, Assertion]]:
    """Each clause of a sentence as a statement, and what tells whether it is worth a memory."""
    parts = [_read_clause(each, statement.start, text, "" if place else before) for place, each in enumerate(clauses)]
    judged = [Classification(each.kinds, each.topics) for each in parts]
    for place, part in enumerate(parts):
        yield (
            part,
            Assertion(
                text=part.text,
                judged=judged[place],
                whole=Classification(statement.kinds, statement.topics),
                place=place,
                others=[*judged[:place], *judged[place + 1 :]],
                asks=part.kind == "question",
                has_subject=part.lead is None,
            ),
        )


def _read_clause(clause: Clause, origin: int, text: str, before: str) -> Statement:
    start, end = origin + clause.start, origin + clause.end
    lead = Lead(origin + clause.lead[0], origin + clause.lead[1]) if clause.lead else None
    led = text[lead.start : lead.end] if lead else ""
    read = replace(read_sentence(f"{led} {text[start:end]}".strip(), before), start=start, end=end)
    return replace(read, text=add_lead(led, text[start:end]), lead=lead) if lead else read
