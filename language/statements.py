"""What the sentences of a person's turn are: statements to remember, requests, questions, talk that leaves nothing.

The classifier judges every sentence; exact readers add the value where a statement says one in so many words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from language.answers import person_asked_about, question_answered
from language.assertion_worth import MIN_WORTH, Assertion, assertion_worth
from language.classifier import Classification, load_classifier
from language.clauses import Clause, add_lead, split_clauses
from language.corrections import find_contrast
from language.detection import language_of
from language.forgetting import asks_to_forget
from language.kinds import KEPT, NEVER, Kind, Topic
from language.orders import find_order, is_standing
from language.own_words import HIDDEN, own_words
from language.people import find_person
from language.readers import Value, read_value
from language.secrets import has_secret
from language.sentences import Sentence, split_sentences
from language.tables import is_spaced, pattern_of_all, patterns_of
from language.times import mentions_now

Label = TypeVar("Label", bound=str)

MAX_READ_CHARACTERS = 20_000
"""Characters of a turn that are read."""
MAX_SENTENCES = 120
"""Sentences of a turn that are read; a longer text is pasted, not said."""
KEEP = 0.55
"""How probable it has to be that a sentence is worth a memory."""
DOUBTFUL, CLEAN, SPOILT = 0.4, 0.1, 0.35
"""Where meaning is seen, a less probable one is kept whose share of what must never be kept is at most ``CLEAN``, and
none of a greater share than ``SPOILT``. Of what is told in the first minutes it keeps five more of a hundred, at as
much junk; on everyday talk all stays as it was.
"""
LONG_MESSAGE_SENTENCES = 8
"""Sentences from which a message is a story, of which only the few things that matter are kept."""
KEEP_OF_LONG, KEEP_EVENT_OF_LONG = 0.9, 0.97
"""How probable it has to be there that a sentence is worth a memory, and that something that happened is."""
MIN_REQUEST_PROBABILITY = 0.5
"""How probable a request (to forget, to remember, not to note) has to be, to be taken as one."""
UNASKED, LOOKS_ASKED = 0.02, 0.85
"""A share of a request to forget that is not worth another look, and one that is worth a question without its words."""
_NOTHING = 1e-9
MIN_WISH_PROBABILITY = 0.9
"""How probable a wish about the manner of answers is worth a memory: its words leave no doubt."""
OF_ONE_ANSWER = 0.9
"""How probable a task is whose manner is wished for in its own answer alone ("write me a short poem"): of sentences
that nothing was fitted on, tasks reach 0.98 and lasting wishes 0.43.
"""
TAKES_BACK = 0.35
"""How probable a change or a slip has to be, for a turn to be looked at before others."""
_MIN_OWN_SHARE = 0.6
"""Share of a sentence that has to be the speaker's own words."""
_CLAUSES = re.compile(r"[,，;；:：]|[.!?。！？]\s*\S")
_TAIL_CHARACTERS = 6
"""Characters at the end of a sentence without spaces among which its question word stands when all of it asks."""
_MAX_CORRECTION_CHARACTERS = 2_000
"""Characters of a turn in which a correction is looked for: a long paste is none."""
_REQUESTS: tuple[Kind, ...] = ("forget", "dont_note", "remember")


@dataclass(frozen=True)
class Lead:
    """Words ``[start, end)`` that a statement takes its subject from: of its own turn, or of the question before it."""

    start: int
    end: int
    of_question: bool = False


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One sentence of a turn: ``text`` is ``turn[start:end]``. ``keeps`` is the probability that it is worth a memory,
    and ``is_worth`` whether that suffices.

    ``person`` is whom it is about: ``user`` for the speaker, else a relation or a name in the words of the sentence,
    empty where a pronoun points back.
    ``value`` is what an exact reader found in it. A clause without a subject of its own, and a bare answer, has the
    words at ``lead`` before its own in ``text``.
    """

    start: int
    end: int
    text: str
    kind: Kind
    topic: Topic
    person: str
    keeps: float
    kinds: Mapping[Kind, float]
    topics: Mapping[Topic, float]
    value: Value | None = None
    is_worth: bool = False
    lead: Lead | None = None

    @property
    def is_memorable(self) -> bool:
        """Whether a memory is made of it: worth it, or read exactly; never a secret, never an order."""
        if self.kind in ("forget", "dont_note", "secret") or has_secret(self.text):
            return False
        if find_order(self.text) == "conduct":
            return False
        return self.is_worth or (self.value is not None and self.value.is_certain)


def read_statements(text: str, before: str = "") -> list[Statement]:
    """The sentences of a person's turn in order. ``before`` is what the assistant said right before it.

    What is not the speaker's own (quotations, code, pasted transcripts, texts to work on) is left out.
    """
    statements = list(_iterate_statements(text[:MAX_READ_CHARACTERS], before))
    if len(statements) >= LONG_MESSAGE_SENTENCES:
        statements = [replace(each, is_worth=each.is_worth and _matters(each)) for each in statements]
    return _accept_wishes(statements)


def _matters(statement: Statement) -> bool:
    """Whether it is more than a part of a long story: what keeps somebody safe always is."""
    needed = KEEP_EVENT_OF_LONG if statement.kind == "event" else KEEP_OF_LONG
    return statement.kind in ("constraint", "remember") or statement.keeps >= needed


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
    lead = Lead(asked.start, asked.end, of_question=True)
    return replace(statement, text=add_lead(asked.text, statement.text), lead=lead, person=person)


def _take_apart(statement: Statement, text: str, before: str) -> Iterator[Statement]:
    """A sentence as it is, or what of it is worth a memory by itself, each with what is said right after it."""
    together = _join_clauses(statement, text, before) if _has_parts(statement) else []
    if len(together) < 2:
        yield statement
        return
    for place, each in enumerate(together):
        part = _read_clause(each, statement.start, text, "" if place else before)
        kind = _most_probable({kind: share for kind, share in part.kinds.items() if kind in KEPT - set(_REQUESTS)})
        yield replace(part, kind=kind, is_worth=True)


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
    """What asks for something, or sets one value against another, is understood as a whole."""
    whole = statement.kind in (*_REQUESTS, "slip") or find_order(statement.text) or find_contrast(statement.text)
    return statement.is_memorable and not whole


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
    read = _statement(Sentence(start, end, f"{led} {text[start:end]}".strip()), before)
    return replace(read, text=add_lead(led, text[start:end]), lead=lead) if lead else read


def _accept_wishes(statements: list[Statement]) -> list[Statement]:
    """Wishes about the manner of answers as preferences, where they are meant for more than the task beside them."""
    wishes = [_is_lasting_wish(each) for each in statements]
    alone = all(wish or each.kind == "courtesy" for wish, each in zip(wishes, statements, strict=True))
    return [
        _accept_wish(each) if wish and (alone or each.is_worth or is_standing(each.text)) else each
        for wish, each in zip(wishes, statements, strict=True)
    ]


def _is_lasting_wish(statement: Statement) -> bool:
    of_one_answer = statement.kinds["task"] >= OF_ONE_ANSWER and not is_standing(statement.text)
    return find_order(statement.text) == "manner" and not of_one_answer


def _accept_wish(statement: Statement) -> Statement:
    topic: Topic = "name" if statement.topic == "name" else "answers"
    return replace(
        statement, kind="preference", topic=topic, keeps=max(statement.keeps, MIN_WISH_PROBABILITY), is_worth=True
    )


def _iterate_statements(text: str, before: str) -> Iterator[Statement]:
    own, asked = own_words(text), before
    for sentence in split_sentences(text)[:MAX_SENTENCES]:
        if _is_own(own[sentence.start : sentence.end]):
            yield _statement(sentence, asked)
        asked = ""


def read_sentence(text: str, before: str = "") -> Statement:
    """A text as one sentence, however many it may be."""
    return _statement(Sentence(0, len(text), text), before)


def _is_own(shown: str) -> bool:
    hidden = shown.count(HIDDEN)
    return bool(shown.strip()) and hidden <= (1 - _MIN_OWN_SHARE) * len(shown)


def _statement(sentence: Sentence, before: str) -> Statement:
    candid = pattern_of_all("statements.candour").sub("", sentence.text)
    judged = _drop_unasked(load_classifier().classify(candid or sentence.text, before), sentence.text)
    asks = _only_asks(sentence.text)
    kind = "question" if asks else _kind(judged)
    value = read_value(sentence.text) if kind not in _NO_VALUE else None
    statement = Statement(
        start=sentence.start,
        end=sentence.end,
        text=sentence.text,
        kind=kind,
        topic=_most_probable(judged.topics),
        person=find_person(sentence.text),
        keeps=0.0 if asks else _share(judged, KEPT),
        is_worth=not asks and _is_worth(judged),
        kinds=judged.kinds,
        topics=judged.topics,
        value=value,
    )
    return replace(statement, topic=value.topic) if value else statement


def _drop_unasked(judged: Classification, text: str) -> Classification:
    """Without words that ask for it nothing is a request to forget, unless it looks like nothing else."""
    share = judged.kinds["forget"]
    if share < UNASKED or asks_to_forget(text) not in (("no", "unsaid") if share < LOOKS_ASKED else ("no",)):
        return judged
    others = max(1.0 - sum(judged.kinds[each] for each in _REQUESTS), _NOTHING)
    grown = 1.0 + judged.kinds["forget"] / others
    kinds: dict[Kind, float] = {k: v if k in _REQUESTS else v * grown for k, v in judged.kinds.items()}
    return Classification({**kinds, "forget": 0.0}, judged.topics)


def _only_asks(text: str) -> bool:
    """Whether the one clause of a sentence asks, with or without a question mark (我现在住哪)."""
    if _CLAUSES.search(text.rstrip("，, ")):
        return False
    language = language_of(text)
    words = patterns_of("acts", language)
    asked = text if is_spaced(language) else text[-_TAIL_CHARACTERS:]
    return words.asks.search(asked) is not None and words.not_asks.search(text) is None


_NO_VALUE: frozenset[Kind] = frozenset({"question", "not_real", "secret", "forget", "dont_note"})


def _kind(judged: Classification) -> Kind:
    """A request when it is probable by itself; else the likeliest of the side, kept or not, that is likelier."""
    request = max(_REQUESTS, key=lambda each: judged.kinds[each])
    if judged.kinds[request] >= MIN_REQUEST_PROBABILITY:
        return request
    kept = _is_worth(judged)
    return _most_probable({each: share for each, share in judged.kinds.items() if (each in KEPT) == kept})


def _is_worth(judged: Classification) -> bool:
    keeps, never = _share(judged, KEPT), _share(judged, NEVER)
    if not load_classifier().sees_meaning:
        return keeps >= KEEP
    return never <= SPOILT if keeps >= KEEP else keeps >= DOUBTFUL and never <= CLEAN


def _share(judged: Classification, kinds: frozenset[Kind]) -> float:
    return sum(judged.kinds[each] for each in kinds)


def _most_probable(shares: Mapping[Label, float]) -> Label:
    return max(shares, key=lambda each: shares[each])


def is_retraction(text: str) -> bool:
    """Whether a person's turn says that something has changed, ended or was wrong: it jumps the queue, nothing more."""
    return any(
        _may_take_back(each) or _has_contrast(each) for each in read_statements(text[:_MAX_CORRECTION_CHARACTERS])
    )


def _may_take_back(statement: Statement) -> bool:
    probable = statement.kinds["change"] + statement.kinds["slip"] >= TAKES_BACK
    return probable and statement.kind not in ("question", "forget", "dont_note")


def _has_contrast(statement: Statement) -> bool:
    return statement.is_memorable and find_contrast(statement.text) is not None


def is_denial(text: str) -> bool:
    """Whether a sentence says that something is not so."""
    return bool(pattern_of_all("statements.denial").search(text))
