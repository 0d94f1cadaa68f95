"""Entries held ready: who sees which, what comes nearest, what is worth a place."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from knowledge.corpus import CorpusRow, KnowledgeCorpus, is_for, order_tones
from knowledge.cut import choose_entries
from knowledge.entries import KnowledgeDraft
from knowledge.port import KnowledgeQuestion, Profile, QuestionVector

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ACME = UUID(int=1)
HANDBOOK = (
    "Returns are accepted within 30 days with the receipt.",
    "Shops close at eight on weekdays.",
    "退货需在三十天内并出示收据。",
    "The oak table carries eighty kilograms.",
)


def a_row(text: str, number: int = 0, *, vector: tuple[float, ...] | None = None, **values: object) -> CorpusRow:
    terms = KnowledgeDraft(text=text).terms
    told = {"kind": "fact", "topic": "", "org_tier": "", "role": "", "brand": "", "platform": "", "source": "a.md"}
    return CorpusRow(  # pyright: ignore[reportCallIssue]
        entry_id=UUID(int=number),
        text=text,
        words=np.array(terms.words, np.int32),
        grams=np.array(terms.grams, np.int32),
        length=terms.length,
        valid_from=None,
        valid_until=None,
        model="none" if vector is None else "test:m",
        vector=None if vector is None else np.array(vector, np.float32),
        **{**told, **values},  # pyright: ignore[reportArgumentType]
    )


def a_corpus(*rows: CorpusRow) -> KnowledgeCorpus:
    corpus = KnowledgeCorpus()
    corpus.update(rows or [a_row(text, number) for number, text in enumerate(HANDBOOK)])
    return corpus


def ask(text: str) -> KnowledgeQuestion:
    return KnowledgeQuestion(tenant_id=ACME, text=text, at=NOW)


def brought(corpus: KnowledgeCorpus, text: str, vector: QuestionVector | None = None) -> list[str]:
    found = corpus.rank(ask(text), vector, 10)
    return [each.row.text for each in choose_entries(text, found, is_fitted=bool(vector and vector.is_fitted))]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are returns accepted without a receipt?", 0),
        ("When do shops close on weekdays?", 1),
        ("三十天内退货要收据吗？", 2),
    ],
)
def test_words_bring_the_entry_that_answers(question: str, answer: int):
    assert brought(a_corpus(), question)[:1] == [HANDBOOK[answer]]


@pytest.mark.parametrize(
    "talk", ["Good morning!", "I slept badly.", "Thanks, talk tomorrow", "早上好", "今天好累啊", "What is 17 times 23?"]
)
def test_talk_brings_nothing(talk: str):
    assert brought(a_corpus(), talk) == []


def test_meaning_brings_what_shares_no_word_and_nothing_that_is_far():
    near, far = a_row("Sofas come back free.", 1, vector=(1.0, 0.0)), a_row("Lamps are new.", 2, vector=(0.0, 1.0))
    vector = QuestionVector("test:m", (1.0, 0.05), 4.0, is_fitted=True)
    assert brought(a_corpus(near, far), "Is sending back a couch at no cost?", vector) == [near.text]


def test_a_vector_of_another_length_leaves_words():
    corpus = a_corpus(a_row(HANDBOOK[0], vector=(1.0, 0.0)))
    (found,) = corpus.rank(ask("Are returns accepted?"), QuestionVector("test:m", (1.0, 0.0, 0.0), 4.0), 5)
    assert found.cosine is None


def test_a_changed_entry_is_found_by_its_new_words_and_a_removed_one_by_none():
    corpus = a_corpus()
    corpus.update([a_row("Kiosks open at noon.", 1)], gone=[UUID(int=0)])
    assert len(corpus) == 3
    assert corpus.rank(ask("When do shops close?"), None, 5) == []
    assert corpus.rank(ask("Are returns accepted?"), None, 5) == []
    assert [each.row.text for each in corpus.rank(ask("When do kiosks open?"), None, 5)] == ["Kiosks open at noon."]


def test_an_entry_that_relates_what_is_named_goes_before_its_equal():
    rows = [a_row("The delivery takes two days.", number) for number in (1, 2)]
    corpus = a_corpus(*rows)
    corpus.name_things({"Swift": frozenset({UUID(int=2)})})
    assert corpus.rank(ask("How long does a delivery by Swift take?"), None, 2)[0].row.entry_id == UUID(int=2)
    assert corpus.rank(ask("How long does a swiftly made delivery take?"), None, 2)[0].row.entry_id == UUID(int=1)


@pytest.mark.parametrize(
    ("values", "profile", "sees"),
    [
        ({}, Profile(), True),
        ({"org_tier": "brand_hq"}, Profile(), False),
        ({"org_tier": "brand_hq"}, Profile(org_tier="brand_hq"), True),
        ({"role": "owner"}, Profile(role="viewer"), False),
        ({"brand": "Acme"}, Profile(), True),
        ({"brand": "Acme"}, Profile(brand="Other"), False),
        ({"brand": "Acme", "kind": "tone"}, Profile(), False),
        ({"brand": "Acme", "kind": "tone"}, Profile(brand="Acme"), True),
    ],
)
def test_an_entry_speaks_to_those_whom_it_is_for(values: dict[str, Any], profile: Profile, sees: bool):
    assert is_for(a_row("x", **values), profile) is sees


def test_tones_stand_in_one_order_whatever_order_they_came_in():
    tones = [
        a_row("for all", 9, kind="tone"),
        a_row("web", 8, kind="tone", platform="web"),
        a_row("brand", 7, kind="tone", brand="Acme"),
        a_row("tier", 6, kind="tone", org_tier="brand_hq"),
    ]
    assert order_tones(tones) == order_tones(tones[::-1]) == ("tier", "brand", "web", "for all")


def test_what_holds_from_then_on_is_seen_from_then_on():
    corpus = a_corpus(replace(a_row(HANDBOOK[0]), valid_from=NOW.timestamp() + 60))
    asked = ask("Are returns accepted?")
    assert corpus.rank(asked, None, 5) == []
    assert len(corpus.rank(replace(asked, at=datetime(2026, 3, 2, tzinfo=UTC)), None, 5)) == 1
    assert corpus.rank(asked, None, 5) == []
