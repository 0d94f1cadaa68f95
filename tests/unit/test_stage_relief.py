"""What steps do without on each rung, and what the turn says of it."""

from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest
from langgraph.runtime import Runtime

from brain.context import Context
from brain.models.roles import Models
from brain.resources import Resources
from brain.stage_budgets import LADDER, StageController
from brain.state import State
from graphs.brain import builder
from graphs.stage_budget import FEW_CANDIDATES, hold_to_budget
from knowledge.port import KnowledgeBundle, NoKnowledge
from tests.fakes import Leanings, resources_of


class Knowing:
    """Somebody's store of knowledge."""


@dataclass
class Step:
    """A step that notes with what it ran."""

    ran_with: list[Resources] = field(default_factory=list[Resources])

    async def __call__(self, state: State, runtime: Runtime[Context]) -> dict[str, Any]:
        self.ran_with.append(runtime.context.resources)
        return {"degraded": ["its_own"]}


def all_there(level: int) -> Resources:
    """Resources with everything that may be left out."""
    given: Any = object()
    whole = replace(
        resources_of(Leanings()),
        models=Models(chat=given, fast=given),
        embedder=given,
        earlier_embedder=given,
        cross_encoder=given,
        knowledge=cast("Any", Knowing()),
    )
    return replace(whole, stages=StageController(level=level, clock=lambda: 0.0))


async def run(name: str, resources: Resources) -> tuple[dict[str, Any], list[Resources]]:
    step = Step()
    runtime = Runtime(context=Context(resources=resources))
    update = await hold_to_budget(name, cast("Any", step))(State(), runtime)
    return update, step.ran_with


@pytest.mark.parametrize("level", range(len(LADDER) + 1))
async def test_each_rung_leaves_out_what_it_names_and_all_before(level: int):
    told = {name: await run(name, all_there(level)) for name in ("rewrite_query", "consult_knowledge", "rerank")}
    assert (told["rewrite_query"][0] == {"queries": [], "degraded": ["load_rewrites"]}) is (level >= 1)
    (rerank,) = told["rerank"][1]
    assert rerank.has_reranker is (level < 2)
    assert ("load_reranking" in told["rerank"][0]["degraded"]) is (level >= 2)
    skipped = {"knowledge": KnowledgeBundle(), "degraded": ["load_knowledge"]}
    assert (told["consult_knowledge"][0] == skipped) is (level >= 4)
    update, (searched,) = await run("retrieve", all_there(level))
    assert (searched.embedder is None) is (level >= 3)
    assert searched.recall_limit == (FEW_CANDIDATES if level >= 5 else 20)
    assert update["degraded"] == [
        "its_own",
        *(each for each in ("load_vectors", "load_candidates") if _out(each, level)),
    ]


def _out(name: str, level: int) -> bool:
    return name in LADDER[:level]


async def test_what_is_not_there_is_not_told_to_be_left_out():
    resources = replace(resources_of(Leanings()), stages=StageController(level=4, clock=lambda: 0.0))
    assert not resources.has_reranker
    for name in ("rewrite_query", "consult_knowledge", "rerank", "retrieve"):
        update, ran = await run(name, replace(resources, embedder=None, models=Models(), knowledge=NoKnowledge()))
        assert (update, len(ran)) == ({"degraded": ["its_own"]}, 1)


@pytest.mark.parametrize("name", ["sanitize", "check_guard", "capture_signals", "open_session", "assemble", "respond"])
async def test_safety_isolation_and_capture_are_never_eased(name: str):
    resources = all_there(len(LADDER))
    update, ran = await run(name, resources)
    assert (update, ran) == ({"degraded": ["its_own"]}, [resources])
    assert name in builder.nodes


async def test_models_that_read_have_a_patience_of_their_own():
    resources = all_there(0)
    assert resources.stages is not None
    for name in ("rerank", "retrieve", "sanitize"):
        await run(name, resources)
    assert resources.stages.p95("retrieval") > 0
    assert resources.stages._p95_of("rerank") == 0  # pyright: ignore[reportPrivateUsage]
    assert resources.stages._p95_of("sanitize") > 0  # pyright: ignore[reportPrivateUsage]
