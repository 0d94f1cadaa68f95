"""Steps of a turn that are held to a budget: each is timed, and under load does without what the ladder leaves out."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import wraps
from time import perf_counter
from typing import Any, TypeVar, cast

from langgraph.runtime import Runtime

from brain.context import Context
from brain.resources import Resources
from brain.stage_budgets import STEPS, Relief, StageController
from brain.state import OpenTurn, Update
from knowledge.port import KnowledgeBundle, NoKnowledge

Step = TypeVar("Step", bound=Callable[..., Awaitable[Update]])

FEW_CANDIDATES = 8
"""What a pass brings where all else was left out already."""


def hold_to_budget(name: str, node: Step) -> Step:
    """The step under its name in the graph; as it is where no budgets are kept."""
    if name not in STEPS and name not in _RELIEVED:
        return node

    @wraps(node)
    async def step(state: OpenTurn, runtime: Runtime[Context]) -> Update:
        resources = runtime.context.resources
        stages = resources.stages
        if stages is None:
            return await node(state, runtime)
        relieve, started = _RELIEVED.get(name), perf_counter()
        left_out, eased = relieve(resources, stages) if relieve and stages.level else ((), resources)
        if isinstance(eased, dict):
            return {**eased, "degraded": list(left_out)}
        if eased is not resources:
            runtime = runtime.override(context=replace(runtime.context, resources=eased))
        update = await node(state, runtime)
        if name in STEPS and not (name == "rerank" and eased.has_reranker):  # models that read have their own patience
            stages.note(name, (perf_counter() - started) * 1000)
        return {**update, "degraded": [*(update.get("degraded") or ()), *left_out]} if left_out else update

    return cast("Step", step)


_Eased = tuple[tuple[Relief, ...], Resources | Update]
"""What is left out, with the resources that the step gets, or its update where it is skipped."""


def _skip_rewriting(resources: Resources, stages: StageController) -> _Eased:
    if stages.leaves_out("load_rewrites") and resources.models.fast is not None:
        return ("load_rewrites",), {"queries": []}
    return (), resources


def _skip_knowledge(resources: Resources, stages: StageController) -> _Eased:
    if stages.leaves_out("load_knowledge") and not isinstance(resources.knowledge, NoKnowledge):
        return ("load_knowledge",), {"knowledge": KnowledgeBundle()}
    return (), resources


def _search_less(resources: Resources, stages: StageController) -> _Eased:
    """Without the wide pool of models that read, by words alone, and then for fewer memories."""
    left_out, changed = list[Relief](), dict[str, Any]()
    if stages.leaves_out("load_reranking"):
        changed |= _without_readers(resources)
    if stages.leaves_out("load_vectors") and resources.embedder is not None:
        left_out.append("load_vectors")
        changed |= {"embedder": None, "earlier_embedder": None}
    if stages.leaves_out("load_candidates"):
        left_out.append("load_candidates")
        changed["recall_limit"] = min(FEW_CANDIDATES, resources.recall_limit)
    return tuple(left_out), replace(resources, **changed) if changed else resources


def _read_nothing(resources: Resources, stages: StageController) -> _Eased:
    if stages.leaves_out("load_reranking") and resources.has_reranker:
        return ("load_reranking",), replace(resources, **_without_readers(resources))
    return (), resources


def _without_readers(resources: Resources) -> dict[str, Any]:
    """Neither a cross-encoder nor a model puts memories in order."""
    return {"cross_encoder": None, "models": replace(resources.models, fast=None)} if resources.has_reranker else {}


_RELIEVED: dict[str, Callable[[Resources, StageController], _Eased]] = {
    "rewrite_query": _skip_rewriting,
    "retrieve": _search_less,
    "retrieve_rewritten": _search_less,
    "consult_knowledge": _skip_knowledge,
    "rerank": _read_nothing,
}
