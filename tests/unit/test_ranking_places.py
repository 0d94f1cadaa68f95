"""Who takes a place: summaries, facts and turns that say the same, and the passages of one turn."""

from memory.recall.dedupe import SECOND_PASSAGE, demote_echoes, demote_extra_passages
from memory.recall.policy import RankedCandidate
from tests.unit.ranking_builders import a_candidate, id_of


def ranked(text: str, lane: str, coverage: float, *sources: str) -> RankedCandidate:
    """A candidate in its place; it is drawn from the turns of these texts."""
    found = a_candidate(text, lane=lane, coverage=coverage, derived_from=tuple(map(id_of, sources)))
    return RankedCandidate(candidate=found, score=1.0)


def placed(*order: RankedCandidate) -> list[str]:
    """The texts of those that are no echo, then in brackets the echoes."""
    return [
        f"({each.candidate.text})" if "echo" in each.signals else each.candidate.text for each in demote_echoes(order)
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


def a_passage(text: str, coverage: float = 0.5, *, of: str = "turn", score: float = 1.0) -> RankedCandidate:
    """A passage of the turn of that name."""
    found = a_candidate(text, coverage=coverage, event_id=id_of(of), span_start=0, span_end=len(text))
    return RankedCandidate(candidate=found, score=score)


def grouped(question: str, *order: RankedCandidate) -> list[str]:
    """The texts of those that keep their places, then in brackets those that their turn needs no more."""
    placed = demote_extra_passages(order, question)
    return [f"({one.candidate.text})" if "same_turn" in one.signals else one.candidate.text for one in placed]


def test_a_fact_and_a_passage_of_its_turn_take_one_place_where_they_answer_as_much():
    fact = ranked("fact", "fact", 0.5, "turn")
    assert placed(fact, a_passage("part", 0.5)) == ["fact", "(part)"]
    assert placed(fact, a_passage("part", 0.6)) == ["fact", "part"]
    assert placed(a_passage("part", 0.5), fact) == ["part", "(fact)"]
    assert placed(a_passage("part", 0.4), fact) == ["part", "fact"]


def test_a_summary_gives_way_to_a_passage_of_its_turn_that_answers_as_much():
    assert placed(ranked("sum", "summary", 0.5, "turn"), a_passage("part", 0.5)) == ["part", "(sum)"]


def test_two_passages_of_a_turn_are_no_echo_of_each_other():
    assert placed(a_passage("a", 0.5), a_passage("b", 0.1)) == ["a", "b"]


def test_the_best_passage_stands_for_its_turn():
    order = (a_passage("keys here"), a_passage("keys again"), ranked("other", "turn", 0.1), a_passage("x", of="y"))
    assert grouped("Where are the keys?", *order) == ["keys here", "other", "x", "(keys again)"]


def test_a_second_passage_stays_where_it_has_words_of_the_question_that_the_best_lacks():
    keys, whistle, bell = a_passage("the keys"), a_passage("a whistle"), a_passage("a bell")
    assert grouped("keys, whistle, bell?", keys, whistle, bell) == ["the keys", "a whistle", "(a bell)"]


def test_a_second_passage_that_answers_much_less_gives_way():
    weak = a_passage("a whistle", score=SECOND_PASSAGE - 0.01)
    assert grouped("keys and whistle?", a_passage("the keys"), weak) == ["the keys", "(a whistle)"]


def test_whole_turns_are_not_grouped():
    assert grouped("keys?", ranked("keys", "turn", 0.5), ranked("keys too", "turn", 0.5)) == ["keys", "keys too"]
