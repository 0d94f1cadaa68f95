"""The arithmetic of retrieval, held against figures worked out by hand; and the gate that stands on it."""

import json
from dataclasses import replace
from math import log2
from pathlib import Path

import pytest

from apps.calibration.dataset import Dataset, LabelledQuestion, read_dataset
from apps.calibration.examination import Examination
from apps.calibration.metrics import LabelledRanking, blank_repeats, ndcg, recall
from evals.evaluation.baseline import read_baseline
from evals.evaluation.gate import Baseline, baseline_of, falls
from evals.evaluation.metrics import distinct, hit, precision, reciprocal_rank
from evals.evaluation.retrieval import RetrievalAnswer, RetrievalReport, TimedEmbedder, TimedExamination, report
from memory.errors import BrainError
from tests.fakes import Leanings, resources_of


def judged(ranked: str, *wanted: str) -> LabelledRanking:
    """One letter per turn; a dot is something without a name; a piece of evidence may have several letters."""
    return LabelledRanking(tuple(None if name == "." else name for name in ranked), tuple(map(frozenset, wanted)))


def test_recall_is_the_share_of_the_evidence_among_the_first():
    answer = judged("xaybz", "a", "b", "c")
    assert [recall(answer, k) for k in (1, 2, 4, 5)] == [0, 1 / 3, 2 / 3, 2 / 3]


def test_evidence_counts_once_under_any_of_its_names():
    answer = judged("pqx", "ap", "bq", "cpq")
    assert recall(answer, 1) == 2 / 3
    assert recall(answer, 2) == 1


def test_precision_counts_places_and_wastes_those_that_stay_empty():
    assert precision(judged("a.b", "a", "b"), 3) == 2 / 3
    assert precision(judged("a", "a"), 5) == 1 / 5


def test_a_hit_is_any_of_the_evidence():
    assert hit(judged("xb", "a", "b"), 2) == 1
    assert hit(judged("xb", "a", "b"), 1) == 0


def test_the_reciprocal_rank_is_of_the_first_evidence():
    assert reciprocal_rank(judged("x.ba", "a", "b")) == 1 / 3
    assert reciprocal_rank(judged("xyz", "a")) == 0


def test_ndcg_discounts_by_place_against_the_best_order():
    best = 1 + 1 / log2(3)
    assert ndcg(judged("ab", "a", "b"), 10) == pytest.approx(1)
    assert ndcg(judged("xaxb", "a", "b"), 10) == pytest.approx((1 / log2(3) + 1 / log2(5)) / best)
    assert ndcg(judged("xaxb", "a", "b"), 2) == pytest.approx(1 / log2(3) / best)


def test_saying_the_same_again_gains_nothing():
    assert ndcg(judged("apb", "ap", "b"), 10) == pytest.approx((1 + 1 / log2(4)) / (1 + 1 / log2(3)))


def test_a_turn_that_answers_two_labels_gains_twice():
    wanted = ("ab", "bc", "d")
    assert ndcg(judged("bd", *wanted), 10) == pytest.approx(1)
    assert ndcg(judged("b", *wanted), 10) == pytest.approx(2 / (2 + 1 / log2(3)))
    assert ndcg(judged("acd", *wanted), 10) == pytest.approx((1 + 1 / log2(3) + 1 / log2(4)) / (2 + 1 / log2(3)))


def test_a_second_passage_of_a_turn_takes_a_place_and_names_nothing_new():
    assert blank_repeats(["a", "b", "a", None, "c"]) == ("a", "b", None, None, "c")


def test_sessions_are_counted_where_they_first_appear():
    assert distinct(["s2", None, "s1", "s2"]) == ("s2", "s1")


def test_alternatives_stand_beside_the_turn_that_they_repeat():
    question = LabelledQuestion.model_validate(
        {
            "question_id": "q",
            "question": "?",
            "category": "c",
            "evidence": ["a", "b"],
            "evidence_alternatives": {"a": ["p", "q"]},
        }
    )
    assert question.wanted_evidence == (frozenset("apq"), frozenset("b"))


def a_line(**question: object) -> str:
    """A conversation of two turns and one question."""
    turns = [{"turn_id": "t1", "speaker": "ann", "text": "tea"}, {"turn_id": "t2", "speaker": "bob", "text": "milk"}]
    sessions = [{"session_id": "s1", "occurred_at": "2024-05-01T09:30:00", "turns": turns}]
    asked = {"question_id": "q", "question": "tea?", "category": "fact", "evidence": ["t1"]} | question
    return json.dumps({"conversation_id": "c", "language": "en", "sessions": sessions, "questions": [asked]})


def a_dataset(folder: Path, **question: object) -> Dataset:
    file = folder / "talk.jsonl"
    file.write_text(a_line(**question))
    return read_dataset(file)


def test_a_question_is_put_when_it_says_or_just_after_the_last_turn(tmp_path: Path):
    [(talk, question)] = a_dataset(tmp_path).questions
    assert talk.question_time(question).isoformat() == "2024-05-01T09:30:02+00:00"
    [(talk, question)] = a_dataset(tmp_path, asked_at="2024-06-01T08:00:00").questions
    assert talk.question_time(question).isoformat() == "2024-06-01T08:00:00+00:00"


def test_a_label_that_names_no_turn_is_refused_with_its_line(tmp_path: Path):
    with pytest.raises(BrainError, match=r"talk.jsonl:1: .*q names unknown turns: t9"):
        a_dataset(tmp_path, evidence=["t9"])


def test_a_question_without_evidence_is_not_asked(tmp_path: Path):
    assert a_dataset(tmp_path, evidence=[]).questions == []


async def test_the_time_of_embedding_is_kept_apart():
    class Slow:
        name = "slow"

        async def embed(self, texts: object) -> list[tuple[float, ...]]:
            return [(1.0,)]

    ticks = iter([10.0, 12.5])
    watch = TimedEmbedder(Slow(), clock=lambda: next(ticks))
    assert await watch.embed(["x"]) == [(1.0,)]
    assert watch.seconds == 2.5


def an_answer(ranked: str, category: str = "fact", language: str = "en") -> RetrievalAnswer:
    """A question about turn a, answered with these turns."""
    return RetrievalAnswer(
        conversation_id="c",
        question_id="q",
        ranked=(),
        category=category,
        language=language,
        turns=judged(ranked, "a"),
        sessions=judged("s", "s"),
        tokens=10,
        seconds=0.002,
        embedding_seconds=0.0,
        degraded=False,
    )


def a_report(folder: Path, *answers: RetrievalAnswer) -> RetrievalReport:
    timed = TimedExamination(Examination(resources_of(Leanings()), "t", "blend@4"), ks=(1, 3))
    return report(a_dataset(folder), timed, answers)


def test_adversarial_questions_stand_apart_from_the_totals(tmp_path: Path):
    told = a_report(tmp_path, an_answer("ax"), an_answer("xa", "name"), an_answer("xyz", "adversarial"))
    assert told.total.questions == 2
    assert told.total.recall == {1: 0.5, 3: 1.0}
    assert sorted(told.categories) == ["fact", "name"]
    assert told.adversarial is not None
    assert told.adversarial.recall == {1: 0.0, 3: 0.0}
    assert told.total.p50_ms == 2.0


def test_a_file_that_asks_nothing_is_refused(tmp_path: Path):
    with pytest.raises(BrainError, match="no question with evidence"):
        a_report(tmp_path, an_answer("a", "adversarial"))


def test_the_gate_is_open_for_what_did_not_fall_and_names_what_did(tmp_path: Path):
    english, chinese = [an_answer("a")] * 6, an_answer("a", language="zh")
    before = a_report(tmp_path, *english, *[chinese] * 4)
    stored = tmp_path / "baseline.json"
    stored.write_text(baseline_of([before]).model_dump_json())
    missed = an_answer("xa", language="zh")
    worse = a_report(tmp_path, *english, *[missed] * 3, chinese)
    assert falls([before], read_baseline(Baseline, stored)) == []
    fallen = falls([worse], read_baseline(Baseline, stored))
    assert "talk.jsonl, zh: recall@1 fell from 100.0% to 25.0%" in fallen
    assert "talk.jsonl, total: precision@1 fell from 100.0% to 70.0%" in fallen
    assert not [fall for fall in fallen if ", en:" in fall or "@3" in fall]


def test_precision_alone_closes_the_gate_too(tmp_path: Path):
    def answers(ranked: str) -> list[RetrievalAnswer]:
        return [replace(an_answer(""), turns=judged(ranked, "ap"))] * 5

    before, worse = a_report(tmp_path, *answers("ap")), a_report(tmp_path, *answers("ax"))
    assert {fall.split(": ")[1] for fall in falls([worse], baseline_of([before]))} == {
        "precision@3 fell from 66.7% to 33.3%"
    }


def test_one_question_of_a_small_set_may_fall_and_two_may_not(tmp_path: Path):
    def with_missed(missed: int) -> RetrievalReport:
        return a_report(tmp_path, *[an_answer("xa")] * missed, *[an_answer("a")] * (8 - missed))

    baseline = baseline_of([with_missed(0)])
    assert falls([with_missed(1)], baseline) == []
    assert len(falls([with_missed(2)], baseline)) == 4
    assert falls([with_missed(2)], baseline, tolerance=0.25) == []


def test_what_cannot_be_compared_is_refused(tmp_path: Path):
    before = a_report(tmp_path, an_answer("a"))
    baseline = baseline_of([before])
    for other in (replace(before, sha256="0"), replace(before, embeddings="m"), replace(before, file="x.jsonl")):
        with pytest.raises(BrainError, match="no figures of this"):
            falls([other], baseline)
    fewer = replace(before, total=replace(before.total, recall={1: 1.0}))
    with pytest.raises(BrainError, match="figures at 3, which was not measured"):
        falls([fewer], baseline)


def test_a_file_that_is_no_baseline_is_refused(tmp_path: Path):
    (tmp_path / "b.json").write_text('{"files": 1}')
    with pytest.raises(BrainError, match="is no baseline"):
        read_baseline(Baseline, tmp_path / "b.json")
