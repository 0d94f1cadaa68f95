import pytest

from memory.errors import BrainError
from memory.recall.policies.registry import POLICIES, find_policy, rank
from tests.unit.ranking_builders import a_candidate, a_pass, id_of


@pytest.mark.parametrize("name", ["", "default", "blend@4"])
def test_the_default_policy_has_several_names(name: str):
    assert find_policy(name).name == "blend@4"


def test_the_documented_formula_can_be_asked_for():
    assert find_policy("s0-rrf@1").name == "s0-rrf@1"


def test_an_unknown_policy_is_refused_with_the_known_ones():
    with pytest.raises(BrainError, match="blend@4") as refused:
        find_policy("best")
    assert refused.value.code == "E_BAD_REQUEST"


@pytest.mark.parametrize("name", list(POLICIES))
def test_no_pass_ranks_nothing(name: str):
    assert rank([], POLICIES[name]) == []
    assert rank([a_pass()], POLICIES[name]) == []


def test_a_limit_keeps_the_best():
    ranked = rank([a_pass(a_candidate("b", own=0.5), a_candidate("a", own=1.0))], find_policy(), 1)
    assert [each.candidate.text for each in ranked] == ["a"]


def test_a_fact_and_its_turn_do_not_both_take_a_place():
    turn = a_candidate("I love oysters", own=1.0)
    fact = a_candidate("likes oysters", lane="fact", own=0.9, derived_from=(turn.source_id,))
    other = a_candidate("rain", own=0.1)
    ranked = rank([a_pass(turn, fact, other)], find_policy())
    assert [each.candidate.text for each in ranked] == ["I love oysters", "rain", "likes oysters"]
    assert ranked[-1].signals["echo"] == 1.0


def test_a_turn_repeats_the_fact_above_it():
    turn = a_candidate("I love oysters", own=0.5)
    fact = a_candidate("likes oysters", lane="fact", own=1.0, derived_from=(turn.source_id,))
    other = a_candidate("rain", own=0.1)
    ranked = rank([a_pass(turn, fact, other)], find_policy())
    assert [each.candidate.text for each in ranked] == ["likes oysters", "rain", "I love oysters"]


def test_a_fact_that_also_rests_on_another_turn_keeps_its_place():
    turn = a_candidate("I love oysters", own=1.0)
    fact = a_candidate("likes oysters", lane="fact", own=0.9, derived_from=(turn.source_id, id_of("elsewhere")))
    other = a_candidate("rain", own=0.1)
    ranked = rank([a_pass(turn, fact, other)], find_policy())
    assert [each.candidate.text for each in ranked] == ["I love oysters", "likes oysters", "rain"]


@pytest.mark.parametrize(
    ("asked", "telling"),
    [
        ("Do I live in Lyon or Paris?", "I live in Lyon. What about you?"),
        ("Am I allergic to peanuts?", "I'm allergic to peanuts, aren't I?"),
        ("What is this about?", "How are you?"),
    ],
)
def test_a_turn_that_tells_something_before_it_asks_keeps_its_place(asked: str, telling: str):
    ranked = rank([a_pass(a_candidate(telling, own=0.9), a_candidate("rain", own=0.1), text=asked)], find_policy())
    assert [each.candidate.text for each in ranked] == [telling, "rain"]


@pytest.mark.parametrize(
    ("asked", "earlier", "more", "told"),
    [
        ("So where do I live now?", "Where do I live?", "Where do I live in Lyon?", "I live by the sea"),
        ("现在我住在哪里？", "我住在哪里？", "我在里昂住在哪里？", "我住在海边"),
    ],
)
def test_an_earlier_question_that_asks_no_more_stands_behind_what_tells_something(
    asked: str, earlier: str, more: str, told: str
):
    found = [a_candidate(text, own=own) for text, own in ((earlier, 0.9), (more, 0.8), (told, 0.1))]
    ranked = rank([a_pass(*found, text=asked)], find_policy())
    assert [each.candidate.text for each in ranked] == [more, told, earlier]
    assert ["repeat" in each.signals for each in ranked] == [False, False, True]
