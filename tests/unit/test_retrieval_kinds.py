"""Recall by kind of text: the gate, and that our own sets pass it."""

from dataclasses import replace
from pathlib import Path

from evals.retrieval_kinds import DATA, Figures, Injection, Kind, Ranking, lines, measure
from memory.recall.policies.registry import find_policy

GOOD = Ranking(questions=10, recall_5=60, recall_10=80, mrr=60, ndcg=70, tokens=200)
PLAIN = replace(GOOD, recall_10=70, ndcg=60)
HELD = Kind("en-lists", GOOD, PLAIN, Injection(kept=0.95, spent=0.5, memories=4))


def test_the_gate_is_shut_where_plain_bm25_is_better():
    worse = replace(HELD, name="zh-lists", bm25=replace(PLAIN, ndcg=75))
    assert list(Figures([HELD, worse], {}).faults()) == ["zh-lists: plain BM25 is better."]


def test_the_gate_is_shut_where_the_world_gets_memories():
    faults = list(Figures([HELD], {"en world": 0.2, "en never": 0.8, "zh never": 0.96}).faults())
    assert faults == [
        "en world: 20% of the questions get a memory, more than 10%.",
        "zh never: 96% of the questions get a memory, more than 95%.",
    ]


def test_the_gate_is_shut_where_the_cut_takes_too_much_or_too_little():
    greedy = replace(HELD, injection=Injection(kept=0.99, spent=0.9, memories=8))
    mean = replace(HELD, injection=Injection(kept=0.5, spent=0.2, memories=1))
    assert list(Figures([HELD], {}).faults()) == []
    assert len(list(Figures([greedy], {}).faults())) == len(list(Figures([mean], {}).faults())) == 1


def test_the_default_policy_serves_every_kind_of_our_own_texts():
    figures = measure(DATA, find_policy())
    assert list(figures.faults()) == []
    assert len(figures.kinds) == 10
    assert all(kind.brain.questions > 60 for kind in figures.kinds)
    assert len(list(lines(figures))) == 1 + 10 + 1 + 4


def test_a_directory_without_unanswered_questions_is_measured_too(tmp_path: Path):
    (tmp_path / "en-lists.jsonl").write_bytes((DATA / "en-lists.jsonl").read_bytes())
    figures = measure(tmp_path, find_policy())
    assert [kind.name for kind in figures.kinds] == ["en-lists"]
    assert figures.given == {}
