"""Who takes a place: summaries beside the turns and facts that they were drawn from."""

from memory.recall.dedupe import without_echoes
from memory.recall.ranked import Ranked
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


def test_a_summary_gives_way_to_its_turn_that_answers_as_much_wherever_it_stands():
    turn, block, other = (
        ranked("turn", "turn", 0.8),
        ranked("sum", "summary", 0.8, "turn", "x"),
        ranked("o", "turn", 0.1),
    )
    assert placed(turn, block, other) == ["turn", "o", "(sum)"]
    assert placed(block, turn, other) == ["turn", "o", "(sum)"]


def test_a_summary_that_brings_together_more_than_its_turns_say_keeps_its_place():
    assert placed(ranked("turn", "turn", 0.4), ranked("sum", "summary", 0.9, "turn", "x")) == ["turn", "sum"]


def test_a_turn_keeps_its_place_below_its_summary():
    assert placed(ranked("sum", "summary", 0.9, "turn"), ranked("turn", "turn", 0.5)) == ["sum", "turn"]


def test_a_fact_keeps_its_place_below_a_summary_of_its_turns():
    assert placed(ranked("sum", "summary", 0.9, "turn"), ranked("fact", "fact", 0.5, "turn")) == ["sum", "fact"]


def test_a_summary_gives_way_to_a_fact_of_its_turns_that_answers_as_much():
    assert placed(ranked("sum", "summary", 0.5, "turn"), ranked("fact", "fact", 0.5, "turn")) == ["fact", "(sum)"]


def test_a_fact_and_its_turn_take_one_place_whatever_each_answers():
    assert placed(ranked("fact", "fact", 0.2, "turn"), ranked("turn", "turn", 0.9)) == ["fact", "(turn)"]
    assert placed(ranked("turn", "turn", 0.2), ranked("fact", "fact", 0.9, "turn")) == ["turn", "(fact)"]


def test_a_summary_of_other_turns_is_no_echo():
    assert placed(ranked("turn", "turn", 0.8), ranked("sum", "summary", 0.1, "x")) == ["turn", "sum"]
