"""How probably a memory is needed: what speaks for it and what against."""

import pytest

from language.answer_types import UNKNOWN, answer_share
from language.concepts import concepts_of
from memory.recall.policy import RankedCandidate
from memory.recall.relevance import WEIGHTS, relevance, relevance_features
from tests.unit.ranking_builders import a_candidate


def ranked(*told: tuple[str, float]) -> list[RankedCandidate]:
    return [RankedCandidate(candidate=a_candidate(text, coverage=score / 2), score=score) for text, score in told]


def features(question: str, text: str) -> dict[str, float]:
    (row,) = relevance_features(question, ranked((text, 1.0)), knows_names=False)
    return dict(zip(WEIGHTS, row, strict=True))


def test_nothing_is_told_of_no_memories():
    assert relevance("Where do I live?", [], knows_names=False) == []


def test_every_probability_is_one():
    told = ranked(("I live in Leeds", 1.0), ("我住在成都", 0.5), ("", 0.0))
    assert all(0 < each < 1 for each in relevance("Where do I live?", told, knows_names=False))


def test_the_better_match_is_the_more_probable_one():
    first, second = relevance(
        "Which street do I live in?", ranked(("I live in Mill Street", 1.0), ("Leeds won", 0.2)), knows_names=False
    )
    assert first > second


def test_memories_without_any_score_are_no_division_by_zero():
    assert len(relevance("?", ranked(("Leeds", 0.0)), knows_names=False)) == 1


def test_a_word_of_the_same_matter_counts_where_the_word_itself_is_missing():
    found = features("Who is my landlord?", "My rent goes to Mr Pym")
    assert found["concepts"] > 0
    assert found["only_concepts"] == 1.0
    assert features("我的房东是谁？", "房租每月两千四")["concepts"] > 0


def test_a_memory_about_somebody_else_is_told():
    assert features("What am I allergic to?", "My cousin Becky is allergic to cats")["other_person"] == 1.0
    assert features("What am I allergic to?", "I am allergic to cats")["other_person"] == 0.0


def test_what_was_made_of_the_persons_words_counts_as_theirs():
    fact = RankedCandidate(candidate=a_candidate("Lives in Leeds", lane="fact", role="tool"), score=1.0)
    reply = RankedCandidate(candidate=a_candidate("You live in Leeds", role="assistant"), score=1.0)
    voice = list(WEIGHTS).index("voice")
    rows = relevance_features("Where do I live?", [fact, reply], knows_names=False)
    assert [row[voice] for row in rows] == [1.0, 0.0]
    rows = relevance_features("Where did you say I live?", [fact, reply], knows_names=False)
    assert [row[voice] for row in rows] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("question", "text", "share"),
    [
        ("When is the vet?", "The vet is on Friday", 1.0),
        ("When is the vet?", "The vet is nice", 0.0),
        ("How many cats do I have?", "I have two cats", 1.0),
        ("我几点上班？", "早上九点上班", 1.0),
        ("我的狗叫什么？", "我喜欢狗", 0.0),
        ("Tell me about my dog", "I have a dog", UNKNOWN),
    ],
)
def test_the_kind_of_answer_is_looked_for(question: str, text: str, share: float):
    assert answer_share(question, text) == share


def test_words_are_found_by_stem_and_by_the_longest_chinese_word():
    assert concepts_of("renting") == concepts_of("rent")
    assert "房租" in concepts_of("我的房租")
    assert concepts_of("zzyzx") == {}
