import pytest

from memory.recall.policies import s0
from memory.recall.signals import confidence_effective, frequency_factor, recency_boost
from tests.unit.ranking_builders import NOW, a_candidate, a_pass, a_query, ago


@pytest.mark.parametrize(("days", "boost"), [(0, 1.2), (7, 1.2), (8, 1.0), (30, 1.0), (31, 0.8), (90, 0.8), (91, 0.6)])
def test_recency_boost_follows_the_documented_steps(days: int, boost: float):
    assert recency_boost(a_candidate("x", observed_at=ago(days)), NOW) == boost


@pytest.mark.parametrize(("days", "decay"), [(30, 1.0), (31, 0.85), (90, 0.85), (91, 0.6), (180, 0.6), (181, 0.3)])
def test_confidence_decays_by_the_documented_steps(days: int, decay: float):
    assert confidence_effective(a_candidate("x", observed_at=ago(days), confidence=0.5), a_query("?")) == 0.5 * decay


def test_a_validation_refreshes_confidence():
    validated = a_candidate("x", observed_at=ago(400), last_validated_at=ago(1), confidence=0.9)
    assert confidence_effective(validated, a_query("?")) == 0.9


def test_about_the_past_an_overtaken_turn_is_as_sure_as_ever():
    over = a_candidate("x", confidence=0.3)
    assert confidence_effective(over, a_query("?")) == 0.3
    assert confidence_effective(over, a_query("?", temporal_intent="history_trace")) == 1.0
    assert confidence_effective(a_candidate("x", lane="fact", confidence=0.3), a_query("?", as_of=ago(3))) == 0.3


@pytest.mark.parametrize(("injected", "positive", "factor"), [(4, 4, 1.0), (5, 4, 1.1), (5, 1, 0.7), (5, 2, 1.0)])
def test_use_counts_only_after_five_injections(injected: int, positive: int, factor: float):
    assert frequency_factor(a_candidate("x", injected_count=injected, positive_count=positive)) == factor


def test_both_legs_add_reciprocal_ranks():
    both = a_candidate("both", cosine=0.9, lexical=0.9)
    vector = a_candidate("vector", cosine=0.8)
    ranked = {each.candidate.text: each for each in s0.order([a_pass(both, vector)])}
    assert ranked["both"].signals["rrf"] == pytest.approx(2 / 61)
    assert ranked["vector"].signals["rrf"] == pytest.approx(1 / 62)


def test_the_score_is_the_product_of_its_signals():
    (ranked,) = s0.order([a_pass(a_candidate("x", cosine=0.5, confidence=0.8, provenance="analysis"))])
    assert ranked.score == pytest.approx(0.5 * 1.2 * 0.8 * 0.8 * 1.0)


def test_without_a_vector_the_lexical_share_stands_in():
    (ranked,) = s0.order([a_pass(a_candidate("x", lexical=0.7))])
    assert ranked.signals["semantic"] == 0.7


def test_fifteen_go_on():
    many = [a_candidate(str(n), cosine=0.5, lexical=n / 100) for n in range(30)]
    assert len(s0.order([a_pass(*many)])) == s0.FUSED_TOP


def test_what_two_passes_find_outranks_what_one_finds():
    shared, first, second = (a_candidate(name, lexical=0.5) for name in ("shared", "first", "second"))
    fused = s0.order([a_pass(first, shared), a_pass(second, shared)])
    rrf = {each.candidate.text: each.signals["rrf"] for each in fused}
    assert rrf["shared"] > max(rrf["first"], rrf["second"])
