"""Recall by case: what passes, and that our own cases do."""

from evals.retrieval_cases import Case, CaseFigures, first_of_bm25, inject, inject_nothing, measure_cases, read_cases
from memory.recall.policies.registry import find_policy

CASE = Case.model_validate(
    {
        "case": "en-x",
        "language": "en",
        "type": "direct",
        "memories": [
            {"id": "m1", "at": "2025-03-01", "text": "user: My landlord is called Pym"},
            {"id": "m2", "at": "2025-03-02", "text": "Leeds won"},
        ],
        "question": "What is my landlord called?",
        "asked_at": "2025-04-01",
        "must": ["m1"],
        "must_not": ["m2"],
    }
)


def test_a_case_passes_with_all_it_needs_and_nothing_that_distracts():
    assert CASE.is_passed(["m1"])
    assert not CASE.is_passed(["m1", "m2"])
    assert not CASE.is_passed([])
    assert CASE.share(["m2"]) == 0.0


def test_a_case_is_answered_from_its_own_memories():
    assert inject(find_policy())(CASE, CASE.to_memory()) == ["m1"]
    assert first_of_bm25(CASE, CASE.to_memory())[0] == "m1"


def test_returning_nothing_passes_only_what_needs_nothing():
    figures = measure_cases(read_cases(), inject_nothing)
    needless = sum(not case.must for case in read_cases())
    assert sum(figures.passed.values()) == needless
    assert (figures.answered, figures.recall) == (0, 0.0)


def test_the_gate_is_shut_where_too_little_passes():
    assert len(list(CaseFigures({"en direct": 1}, {"en direct": 10}, 1, 10, 0.9).faults())) == 2
    assert list(CaseFigures({"en direct": 6}, {"en direct": 10}, 6, 10, 0.9).faults()) == []


def test_the_default_policy_passes_the_gate():
    assert list(measure_cases(read_cases(), inject(find_policy())).faults()) == []
