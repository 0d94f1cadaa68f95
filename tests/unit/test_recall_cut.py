"""What of the ranked memories is injected: nothing when nothing bears on the question, else a few."""

import pytest

from language.question_focus import read_focus
from memory.recall.policies import blend
from memory.recall.policies.registry import find_policy
from memory.recall.policy import RankedCandidate
from tests.unit.ranking_builders import a_candidate, a_pass

RENT = "My rent in Porto is 640 euros, due on the third"


def kept(question: str, *told: tuple[str, float], cosine: float | None = None) -> list[str]:
    candidates = [a_candidate(text, own=own, coverage=own / 2, cosine=cosine) for text, own in told]
    found = a_pass(*candidates, text=question)
    return [each.candidate.text for each in blend.CUT.apply([found], blend.order([found]))]


@pytest.mark.parametrize(
    "question",
    [
        "How tall is Mount Everest?",
        "Write me a haiku about rain",
        "What's 17 times 23?",
        "珠穆朗玛峰海拔多少米？",
        "什么是复利？",
    ],
)
def test_a_question_about_the_world_gets_nothing(question: str):
    assert kept(question, (RENT, 1.0), ("我住在成都", 1.0)) == []


@pytest.mark.parametrize(
    ("question", "text"),
    [("How much is my rent in Porto?", RENT), ("我的房租是多少？", "我的房租是每月两千四")],
)
def test_what_answers_is_kept(question: str, text: str):
    assert kept(question, (text, 1.0)) == [text]


def test_whoever_memory_knows_is_not_the_world():
    cello = "My daughter Noor is learning the cello"
    assert kept("What does Noor play?", (cello, 1.0)) == [cello]
    assert kept("What does TLS protect?", (cello, 1.0)) == []


def test_what_was_never_said_of_a_person_gets_nothing():
    assert kept("What's the breed of my dog?", ("I parked at the harbour", 0.6)) == []


def test_among_few_memories_only_what_comes_near_the_best_is_kept():
    told = (RENT, 1.0), ("My rent in Porto was 600 euros", 0.98), ("Porto won", 0.3)
    assert kept("How much is my rent in Porto?", *told) == [RENT, "My rent in Porto was 600 euros"]


def test_many_memories_are_read_leniently():
    strict, lenient = blend.CUT.threshold(5), blend.CUT.threshold(10_000)
    assert strict == blend.CUT.strict
    assert lenient.share == pytest.approx(blend.CUT.lenient.share)
    between = blend.CUT.threshold(42)
    assert lenient.share < between.share < strict.share


def test_vectors_find_what_shares_no_word():
    assert kept("我的房租是多少？", (RENT, 1.0), cosine=0.8) == [RENT]
    assert kept("Write me a haiku about snow", (RENT, 1.0), cosine=0.2) == []


def test_what_only_repeats_is_not_injected():
    first, again = (
        RankedCandidate(candidate=a_candidate(text, own=1.0, coverage=0.5), score=1.0)
        for text in (RENT, "my rent in Porto")
    )
    again = RankedCandidate(candidate=again.candidate, score=1.0, signals={"repeat": 1.0})
    assert blend.CUT.apply([a_pass(text="How much is my rent in Porto?")], [first, again]) == [first]


def test_the_documented_formula_has_no_cut():
    ranked = [RankedCandidate(candidate=a_candidate("anything"), score=0.01)]
    assert find_policy("s0-rrf@1").cut([a_pass(text="Write a haiku")], ranked) == ranked


def test_a_question_is_read_for_whom_it_is_about():
    assert read_focus("What did you recommend for my knee?").asks_assistant
    assert read_focus("What's my sister called?").is_personal
    assert not read_focus("Give me a synonym for stubborn").is_personal
    assert read_focus("Give me a synonym for stubborn").is_general
    assert read_focus("When did Joss move?").names == ("Joss",)
    assert read_focus("老欧打的什么针？").words == ("老欧", "欧打", "针")


def test_each_part_of_a_question_keeps_its_memory():
    told = (RENT, 1.0), ("My cat is called Schnurri", 0.5)
    assert len(kept("How much is my rent in Porto? And what is my cat called?", *told)) == 2
