from dataclasses import fields, replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import BrainError
from memory.index_rows import IndexRow
from memory.recall.cache.corpus import Corpus, corpus_entry
from memory.recall.query import CandidateRow, Filters, RecallPass, RecallQuery, TimeWindow
from memory.recall.weights import NARROW, WIDE
from tests.unit.ranking_builders import NOW, a_query, a_row, a_talk, ago, id_of


def candidates_of(rows: list[IndexRow], query: RecallQuery) -> RecallPass:
    return Corpus(map(corpus_entry, rows)).candidates(query)


def found(rows: list[IndexRow], query: RecallQuery) -> dict[str, CandidateRow]:
    return {each.text: each for each in candidates_of(rows, query).candidates}


def test_the_rarer_word_weighs_more():
    rows = [a_row("cat food"), a_row("cat hair"), a_row("cat toys"), a_row("boat food")]
    both = found(rows, a_query("cat boat"))
    assert both["boat food"].lexical > both["cat food"].lexical


def test_the_best_row_has_a_share_of_one_and_covers_what_it_says():
    best = found([a_row("boat trip"), a_row("rain")], a_query("boat"))["boat trip"]
    assert best.lexical == 1.0
    assert best.coverage == pytest.approx(1.0)


def test_sub_questions_have_equal_say():
    rows = [a_row("姐姐住在杭州"), a_row("王建军的电话是110"), a_row("下雨")]
    both = found(rows, a_query("姐姐住哪？另外，王建军的电话？"))
    assert both["姐姐住在杭州"].lexical == both["王建军的电话是110"].lexical == 0.5


def test_an_answer_without_a_shared_word_comes_along_with_its_question():
    rows = a_talk("Ann: Where did you sail?", "Bob: Around Corsica", "Ann: Lovely", "Bob: Yes", "Ann: Rain today")
    both = found(rows, a_query("sail"))
    assert both["Around Corsica"].own == 0
    assert both["Around Corsica"].asked
    assert both["Around Corsica"].replies
    assert both["Around Corsica"].before == both["Where did you sail?"].own > 0
    assert "Rain today" not in both


def test_the_turns_of_another_session_are_no_company():
    first = a_talk("Ann: I sail", "Ann: I row")
    other = [replace(row, source_id=id_of(row.text + "2"), session_id=id_of("other")) for row in a_talk("Bob: Rain")]
    assert "Rain" not in found(first + other, a_query("row sail"))


def test_a_gap_of_one_unindexed_turn_is_bridged_and_a_longer_one_is_not():
    near, far = (
        [a_row("I sail", session_id=id_of("s"), position=0), a_row("It rains", session_id=id_of("s"), position=gap)]
        for gap in (2, 3)
    )
    assert found(near, a_query("sail"))["It rains"].before > 0
    assert "It rains" not in found(far, a_query("sail"))


def test_what_the_best_row_says_further_marks_its_kin():
    rows = [a_row("The gala has three thousand guests"), a_row("The gala's place is Lyon"), a_row("A place in Italy")]
    both = found(rows, a_query("What is the place of the event with three thousand guests?"))
    assert both["The gala's place is Lyon"].kin > both["A place in Italy"].kin == 0


def test_vectors_count_only_for_rows_of_the_asking_model():
    ours = a_row("puppy", embedding=(1.0, 0.0), embedding_model="ours")
    theirs = a_row("kitten", embedding=(1.0, 0.0), embedding_model="theirs")
    both = found([ours, theirs], a_query("dog", embedding=(0.6, 0.8), embedding_model="ours"))
    assert set(both) == {"puppy"}
    assert both["puppy"].cosine == pytest.approx(0.6)
    assert both["puppy"].vector == pytest.approx(1.0)


def test_an_exact_word_is_found_whatever_the_vectors_say():
    near = [a_row(f"near {n}", embedding=(1.0, n / 1e4), embedding_model="m") for n in range(NARROW.brought * 2)]
    exact = a_row("Part QX99", embedding=(-1.0, 0.0), embedding_model="m")
    assert "Part QX99" in found([*near, exact], a_query("dog QX99", embedding=(1.0, 0.0), embedding_model="m"))


def test_a_near_meaning_is_found_whatever_the_words_say():
    wordy = [a_row(f"dog {n}", embedding=(0.1, 1.0), embedding_model="m") for n in range(NARROW.brought * 2)]
    near = [a_row(f"puppy {n}", embedding=(1.0, 0.0), embedding_model="m") for n in range(NARROW.per_retriever)]
    both = found(wordy + near, a_query("dog", embedding=(1.0, 0.0), embedding_model="m", strategy="exact"))
    assert {f"puppy {n}" for n in range(NARROW.per_retriever)} <= set(both)


def test_a_pass_is_bounded_and_best_first():
    talk = a_talk(*(f"Ann: boat {n}" for n in range(300)))
    passed = candidates_of(talk, a_query("boat 7 " + " ".join(str(n) for n in range(20, 300, 3))))
    assert len(passed.candidates) == NARROW.brought
    owns = [each.own for each in passed.candidates]
    assert owns == sorted(owns, reverse=True)
    assert passed.corpus.rows == 300


def test_a_wide_pass_brings_more_and_the_narrow_ones_among_them():
    talk = a_talk(*(f"Ann: boat {n}" for n in range(300)))
    asked = a_query("boat 7 " + " ".join(str(n) for n in range(20, 300, 3)))
    narrow, wide = found(talk, asked), found(talk, replace(asked, wide=True))
    assert (len(narrow), len(wide)) == (NARROW.brought, WIDE.brought)
    assert narrow.keys() <= wide.keys()


def test_nothing_asked_finds_nothing():
    assert candidates_of([a_row("boat")], a_query("?")).candidates == ()
    assert candidates_of([], a_query("boat")).candidates == ()


BELIEF = a_row("lives in Paris", lane="fact", active=False, valid_at=ago(90), recorded_at=ago(90), retired_at=ago(30))


def test_what_is_no_longer_believed_is_history():
    ended = replace(BELIEF, invalid_at=ago(30))
    assert found([ended], a_query("Paris")) == {}
    assert found([ended], a_query("Paris", temporal_intent="history_trace"))


def test_as_of_reads_what_was_believed_then():
    ended = replace(BELIEF, invalid_at=ago(30))
    assert found([ended], a_query("Paris", as_of=ago(60), at=ago(60)))
    assert found([ended], a_query("Paris", as_of=ago(10), at=ago(10))) == {}
    assert found([ended], a_query("Paris", as_of=ago(100), at=ago(100))) == {}


def test_a_time_slice_holds_the_facts_that_were_true_then():
    ended = replace(BELIEF, invalid_at=ago(30))
    then, later = (
        a_query("Paris", temporal_intent="time_slice", window=TimeWindow(start=ago(day), end=ago(day - 1)))
        for day in (60, 10)
    )
    assert found([ended], then)
    assert found([ended], later) == {}


@pytest.mark.parametrize(
    "filters",
    [
        Filters(lanes=("fact",)),
        Filters(categories=("food",)),
        Filters(speakers=("Bob",)),
        Filters(session_ids=(id_of("s"),)),
        Filters(observed=TimeWindow(start=ago(10), end=ago(5))),
        Filters(confidence_min=0.9),
        Filters(verified_only=True),
    ],
)
def test_each_filter_lets_through_only_what_it_names(filters: Filters):
    wanted = a_row(
        "boat of gold",
        lane="fact",
        category="food",
        speaker="Bob",
        session_id=id_of("s"),
        observed_at=NOW - timedelta(days=7),
        confidence=0.95,
    )
    other = a_row("boat of tin", confidence=0.5, verified=False)
    assert set(found([wanted, other], a_query("boat", filters=filters))) == {"boat of gold"}


def kept(corpus: Corpus, query: RecallQuery) -> dict[str, CandidateRow]:
    return {each.text: each for each in corpus.candidates(query).candidates}


def test_a_kept_row_is_seen_as_it_stands_now():
    believed = replace(BELIEF, active=True, retired_at=None)
    corpus = Corpus([corpus_entry(believed)])
    assert kept(corpus, a_query("Paris"))
    corpus.update([corpus_entry(replace(believed, confidence=0.2))])
    assert kept(corpus, a_query("Paris"))["lives in Paris"].confidence == 0.2
    corpus.update([corpus_entry(BELIEF)])
    assert kept(corpus, a_query("Paris")) == {}
    assert len(corpus) == 1


def test_rows_that_come_later_stand_among_the_others_as_if_they_had_come_together():
    talk = a_talk("Ann: Where did you sail?", "Bob: Around Corsica", "Ann: And the boat?", "Bob: It leaks")
    query = a_query("sail boat")
    corpus = Corpus(corpus_entry(row) for row in talk[1::2])
    corpus.update([corpus_entry(row) for row in talk[::2]])
    assert corpus.candidates(query) == candidates_of(talk, query)


def test_a_row_has_the_vector_of_one_model_at_most():
    row = a_row("puppy", embedding=(1.0, 0.0), embedding_model="old")
    old, new = (a_query("dog", embedding=(0.6, 0.8), embedding_model=model) for model in ("old", "new"))
    corpus = Corpus([corpus_entry(row)])
    corpus.update([corpus_entry(replace(row, embedding=(0.0, 1.0), embedding_model="new"))])
    assert kept(corpus, old) == {}
    assert kept(corpus, new)["puppy"].cosine == pytest.approx(0.8)
    corpus.update([corpus_entry(replace(row, embedding=None, embedding_model="none"))])
    assert kept(corpus, new) == {}


def test_a_model_that_serves_no_row_any_more_takes_no_room():
    rows = [a_row(name, embedding=(1.0,) * 1_000, embedding_model="old") for name in ("puppy", "kitten")]
    corpus = Corpus(corpus_entry(row) for row in rows)
    before = corpus.size
    corpus.update([corpus_entry(replace(row, embedding=(1.0, 0.0), embedding_model="new")) for row in rows])
    assert corpus.size < before
    assert set(kept(corpus, a_query("dog", embedding=(1.0, 0.0), embedding_model="new"))) == {"puppy", "kitten"}


def test_a_vector_that_arrives_later_counts_from_then_on():
    row = a_row("puppy")
    query = a_query("dog", embedding=(1.0, 0.0), embedding_model="m")
    corpus = Corpus([corpus_entry(row)])
    assert kept(corpus, query) == {}
    corpus.update([corpus_entry(replace(row, embedding=(1.0, 0.0), embedding_model="m"))])
    assert kept(corpus, query)["puppy"].cosine == pytest.approx(1.0)


def test_a_question_of_another_length_than_the_kept_vectors_is_refused():
    corpus = Corpus([corpus_entry(a_row("puppy", embedding=(1.0, 0.0), embedding_model="m"))])
    with pytest.raises(BrainError, match="E_DIM_MISMATCH"):
        corpus.candidates(a_query("dog", embedding=(1.0, 0.0, 0.0), embedding_model="m"))


def test_more_rows_take_more_room():
    few, many = (
        Corpus(corpus_entry(row) for row in a_talk(*(f"Ann: boat {n}" for n in range(size)))) for size in (2, 20)
    )
    assert 0 < few.size < many.size


def test_what_is_removed_is_gone_and_may_come_back_with_other_words():
    oysters, clams = a_row("The user likes oysters"), a_row("The user likes clams")
    corpus = Corpus([corpus_entry(oysters), corpus_entry(clams)])
    corpus.remove([oysters.source_id, id_of("unknown")])
    assert set(kept(corpus, a_query("oysters clams"))) == {"The user likes clams"}
    corpus.update([corpus_entry(replace(a_row("The user likes mussels"), source_id=oysters.source_id))])
    assert set(kept(corpus, a_query("oysters mussels clams"))) == {"The user likes clams", "The user likes mussels"}
    assert corpus.candidates(a_query("likes")).corpus.rows == len(corpus) == 2


def test_a_reworded_row_is_not_found_by_its_old_words():
    row = a_row("The user likes oysters")
    corpus = Corpus([corpus_entry(row)])
    reworded = replace(a_row("The user likes mussels"), source_id=row.source_id)
    corpus.update([corpus_entry(reworded)])
    assert kept(corpus, a_query("oysters")) == {}
    assert corpus.candidates(a_query("mussels")) == candidates_of([reworded], a_query("mussels"))


def test_a_question_that_was_taken_back_no_longer_stands_in_its_own_way():
    asked = a_row("Where is my boat?")
    corpus = Corpus([corpus_entry(asked), corpus_entry(a_row("The boat is in Corsica"))])
    corpus.remove([asked.source_id])
    assert set(kept(corpus, a_query("Where is my boat?"))) == {"The boat is in Corsica"}


def test_a_corpus_of_more_gaps_than_rows_says_so():
    rows = [a_row(f"boat {n}") for n in range(5)]
    corpus = Corpus(corpus_entry(row) for row in rows)
    corpus.remove([row.source_id for row in rows[:2]])
    assert not corpus.is_mostly_gaps
    corpus.remove([rows[2].source_id])
    assert corpus.is_mostly_gaps


LINES = a_talk(*(f"{'AB'[n % 3 > 0]}: boat {n % 5} sails to isle {n % 7}{'?' * (n % 4 == 0)}" for n in range(24)))
TALK = [*LINES, *(replace(row, source_id=id_of(f"again {n}"), position=24 + n) for n, row in enumerate(LINES[::4]))]
STEP = st.tuples(st.sampled_from(["come", "go"]), st.sets(st.integers(0, len(TALK) - 1), min_size=1))


@given(st.lists(STEP, max_size=6), st.sampled_from(["boat 3", "isle 2 boat", LINES[4].text]))
def test_whatever_comes_and_goes_between_questions_each_is_answered_as_from_all_rows_anew(
    steps: list[tuple[str, set[int]]], text: str
):
    corpus, there, query = Corpus(), dict[int, IndexRow](), a_query(text)
    for verb, numbers in steps:
        if verb == "come":
            corpus.update([corpus_entry(TALK[number]) for number in numbers])
            there |= {number: TALK[number] for number in numbers}
        else:
            corpus.remove([TALK[number].source_id for number in numbers])
            there = {number: row for number, row in there.items() if number not in numbers}
        assert corpus.candidates(query) == candidates_of(list(there.values()), query)


def test_a_candidate_has_all_of_its_fields():
    assert set(vars(found([a_row("boat")], a_query("boat"))["boat"])) == {field.name for field in fields(CandidateRow)}


def test_a_question_that_may_see_less_does_not_narrow_the_next_one():
    rows = [a_row("boat of Ann", speaker="Ann"), a_row("boat of Bob", speaker="Bob")]
    corpus = Corpus(corpus_entry(row) for row in rows)
    for speakers, texts in (((), 2), (("Ann",), 1), (("Bob",), 1), ((), 2)):
        assert len(kept(corpus, a_query("boat", filters=Filters(speakers=speakers)))) == texts
