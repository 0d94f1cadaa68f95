"""What the sentences of a person's turn are: statements to remember, requests, questions, talk that leaves nothing.

The classifier judges every sentence; exact readers add the value where a statement says one in so many words.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from language.allergies import is_only_said
from language.classifier import load_classifier
from language.detection import language_of
from language.findings import is_hearsay, tells_finding, tells_illness, tells_suspicion
from language.judging import drop_unasked, is_worth, kept_share, likeliest_kind, most_probable
from language.kinds import Kind, Topic
from language.orders import find_order, is_one_off, is_standing
from language.own_words import HIDDEN, own_words
from language.people import SPEAKER, find_person
from language.predicates import is_single_valued
from language.readers import Value, read_value
from language.reported import asserted_words, is_unreal
from language.secrets import has_secret
from language.self_corrections import drop_restarted, join_corrections, settle_slip, words_meant
from language.sentences import Sentence, split_sentences
from language.tables import is_spaced, pattern_of_all, patterns_of

MAX_READ_CHARACTERS = 20_000
"""Characters of a turn that are read."""
MAX_SENTENCES = 120
"""Sentences of a turn that are read; a longer text is pasted, not said."""
LONG_MESSAGE_SENTENCES = 8
"""Sentences from which a message is a story, of which only the few things that matter are kept."""
KEEP_OF_LONG, KEEP_EVENT_OF_LONG = 0.9, 0.97
"""How probable it has to be there that a sentence is worth a memory, and that something that happened is."""
MIN_WISH_PROBABILITY = MIN_FINDING_PROBABILITY = 0.9
"""How probable a wish about the manner of answers, or a finding about somebody's health, is worth a memory: their words
leave no doubt.
"""
OF_ONE_ANSWER = 0.9
"""How probable a task is whose manner is wished for in its own answer alone ("write me a short poem"): of sentences
that nothing was fitted on, tasks reach 0.98 and lasting wishes 0.43.
"""
_MIN_OWN_SHARE = 0.6
"""Share of a sentence that has to be the speaker's own words."""
_CLAUSES = re.compile(r"[,，;；:：]|[.!?。！？]\s*\S")
_TAIL_CHARACTERS = 6
"""Characters at the end of a sentence without spaces among which its question word stands when all of it asks."""


@dataclass(frozen=True)
class Lead:
    """Words ``[start, end)`` that a statement takes its subject from: of its own turn, of the question before it, or of
    the person's turn before that.
    """

    start: int
    end: int
    source: Literal["turn", "question", "turn before"] = "turn"


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One sentence of a turn: ``text`` is ``turn[start:end]``. ``keeps`` is the probability that it is worth a memory,
    and ``is_worth`` whether that suffices.

    ``person`` is whom it is about: ``user`` for the speaker, else a relation or a name in the words of the sentence,
    empty where a pronoun points back.
    ``value`` is what an exact reader found in it. A clause without a subject of its own, a bare answer and
    what only adds to an allergy have the words at ``lead`` before their own in ``text``.
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
    return find_order(statement.text) == "manner" and not of_one_answer and not is_one_off(statement.text)


def _accept_wish(statement: Statement) -> Statement:
    topic: Topic = "name" if statement.topic == "name" else "answers"
    return replace(
        statement, kind="preference", topic=topic, keeps=max(statement.keeps, MIN_WISH_PROBABILITY), is_worth=True
    )


def _iterate_statements(text: str, before: str) -> Iterator[Statement]:
    own, asked = own_words(text), before
    sentences = drop_restarted(split_sentences(text)[:MAX_SENTENCES], text)
    for sentence in join_corrections(sentences, text):
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
    meant = words_meant(sentence.text)
    judged = drop_unasked(load_classifier().classify(_without_candour(meant), before), sentence.text)
    asks = _only_asks(sentence.text)
    kind = "question" if asks else "not_real" if _is_not_so(sentence.text) else likeliest_kind(judged)
    is_plain = meant == sentence.text or meant == settle_slip(sentence.text)
    value = _read_own_value(meant) if is_plain and kind not in _NO_VALUE else None
    statement = Statement(
        start=sentence.start,
        end=sentence.end,
        text=sentence.text,
        kind=kind,
        topic=most_probable(judged.topics),
        person=find_person(sentence.text),
        keeps=0.0 if asks else kept_share(judged),
        is_worth=kind not in ("question", "not_real") and is_worth(judged),
        kinds=judged.kinds,
        topics=judged.topics,
        value=value,
    )
    statement = replace(statement, topic=value.topic) if value else statement
    said = _without_candour(sentence.text)
    if tells_finding(said):
        return _accept_finding(statement, "constraint")
    if not statement.is_memorable and tells_illness(said):
        return replace(_accept_finding(statement, "constraint"), person=statement.person)
    if tells_suspicion(said):
        return replace(_accept_finding(statement, "fact"), value=None)
    if is_bare_denial(sentence.text) and not before.rstrip().endswith(("?", "？")):
        return replace(statement, kind="passing", is_worth=False, value=None)
    return _pass_over(statement) if is_one_off(sentence.text) else statement


def _without_candour(text: str) -> str:
    """The text without words before it that only ask for, or tell of, discretion."""
    return pattern_of_all("statements.candour").sub("", text) or text


def _accept_finding(statement: Statement, kind: Kind) -> Statement:
    """What somebody has, or must not have, whoever found it: it is about the speaker and not about the finder."""
    topic: Topic = statement.topic if statement.topic in ("health", "diet") else "health"
    value = statement.value or read_value(statement.text)
    return replace(
        statement,
        kind=kind,
        topic=value.topic if value else topic,
        person=SPEAKER,
        keeps=max(statement.keeps, MIN_FINDING_PROBABILITY),
        value=value,
        is_worth=True,
    )


def _pass_over(statement: Statement) -> Statement:
    """A wish for once is no memory; what else its sentence tells of the speaker is one, and no constraint by it."""
    if statement.value and statement.value.predicate != "nickname":
        return statement
    if not statement.value and _CLAUSES.search(statement.text) and find_order(statement.text) is None:
        return replace(statement, kind="event") if statement.kind in ("constraint", "preference") else statement
    return replace(statement, kind="passing", is_worth=False, value=None)


def _is_not_so(text: str) -> bool:
    """Whether it gives the speaker a home, a work or a name in a wish, a dream or a joke, an illness by hearsay, or an
    allergy to Mondays.
    """
    if is_hearsay(text) or is_only_said(text):
        return True
    value = read_value(text) if is_unreal(text) else None
    return value is not None and is_single_valued(value.predicate)


def _read_own_value(text: str) -> Value | None:
    """What a reader finds; of a matter of which one value holds, only where the speaker themself says it."""
    value = read_value(text)
    if value is None or not is_single_valued(value.predicate):
        return value
    return read_value(asserted_words(text))


def _only_asks(text: str) -> bool:
    """Whether the one clause of a sentence asks, with or without a question mark (我现在住哪)."""
    if _CLAUSES.search(text.rstrip("，, ")):
        return False
    language = language_of(text)
    words = patterns_of("acts", language)
    if words.lists_memories.search(text):
        return True
    asked = text if is_spaced(language) else text[-_TAIL_CHARACTERS:]
    return words.asks.search(asked) is not None and words.not_asks.search(text) is None


_NO_VALUE: frozenset[Kind] = frozenset({"question", "not_real", "secret", "forget", "dont_note"})


def is_bare_denial(text: str) -> bool:
    """Whether a sentence only denies what was said before it ("I don't."): it says nothing by itself."""
    return bool(pattern_of_all("statements.bare_denial").search(text))


def is_denial(text: str) -> bool:
    """Whether a sentence says that something is not so."""
    return bool(pattern_of_all("statements.denial").search(text))
