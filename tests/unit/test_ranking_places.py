"""Who takes a place: summaries beside the turns and facts that they were drawn from."""

from memory.ranking.places import without_echoes
from memory.ranking.ranked import Ranked
from tests.unit.ranking_builders import a_candidate, id_of


def ranked(text: str, lane: str, coverage: float, *sources: str) -> Ranked:
    """A candidate in its place; it is drawn from the turns of these texts."""
    found = a_candidate(text, lane=lane, coverage=coverage, derived_from=tuple(map(id_of, sources)))
    return Ranked(candidate=found, score=1.0)


def placed(*order: Ranked) -> list[str]:
    """The texts of those that are no echo, then in brackets the echoes."""
    return [
        f"({each.candidate.text})" if "echo" in each.signals else each.candidate.text for each in without_echoes(order)
    ]


def test_a_summary_gives_way_to_its_turn_that_answers_as_much():
    assert placed(
        ranked("turn", "turn", 0.8), ranked("sum", "summary", 0.8, "turn", "x"), ranked("other", "turn", 0.1)
    ) == ["turn", "other", "(sum)"]


def test_a_summary_that_answers_more_than_its_turns_keeps_its_place():
    assert placed(ranked("turn", "turn", 0.4), ranked("sum", "summary", 0.9, "turn", "x")) == ["turn", "sum"]


def test_a_turn_gives_way_to_a_summary_that_answers_as_much():
    assert placed(ranked("sum", "summary", 0.9, "turn"), ranked("turn", "turn", 0.9)) == ["sum", "(turn)"]


def test_a_turn_that_answers_more_than_the_summary_above_keeps_its_place():
    assert placed(ranked("sum", "summary", 0.5, "turn"), ranked("turn", "turn", 0.9)) == ["sum", "turn"]


def test_a_fact_and_its_turn_take_one_place_whatever_each_answers():
    assert placed(ranked("fact", "fact", 0.2, "turn"), ranked("turn", "turn", 0.9)) == ["fact", "(turn)"]
    assert placed(ranked("turn", "turn", 0.2), ranked("fact", "fact", 0.9, "turn")) == ["turn", "(fact)"]


def test_a_fact_gives_way_to_a_summary_only_when_all_its_turns_are_in_it():
    both = ("a", "b")
    assert placed(ranked("sum", "summary", 0.9, "a"), ranked("fact", "fact", 0.5, *both)) == ["sum", "fact"]
    assert placed(ranked("sum", "summary", 0.9, *both), ranked("fact", "fact", 0.5, *both)) == ["sum", "(fact)"]


def test_a_summary_of_other_turns_is_no_echo():
    assert placed(ranked("turn", "turn", 0.8), ranked("sum", "summary", 0.1, "x")) == ["turn", "sum"]
