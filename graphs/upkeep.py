"""Upkeep of one person's memories, behind the conversation: what the figures call for, step by step."""
# pyright: reportUnknownMemberType=false
# LangGraph leaves its node types partly open.

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from langgraph.graph import END, START, StateGraph

from brain.errand import Errand
from evolution.upkeep.state import Action, Report, UpkeepState
from graphs.brain import storage
from graphs.metered import Behind
from nodes.upkeep.archive_sessions import archive_sessions
from nodes.upkeep.calibrate import calibrate
from nodes.upkeep.compress import compress
from nodes.upkeep.consolidate import consolidate
from nodes.upkeep.curate import curate
from nodes.upkeep.decay import decay
from nodes.upkeep.fuse import fuse
from nodes.upkeep.govern import govern
from nodes.upkeep.merge_profiles import merge_profiles
from nodes.upkeep.report import report
from nodes.upkeep.resolve import resolve

counted = Behind("upkeep", tells="alarms")

builder = (
    StateGraph(UpkeepState, context_schema=Errand)
    .add_node("govern", govern, retry_policy=storage)
    .add_node("calibrate", calibrate, retry_policy=storage)
    .add_node("fuse", fuse, retry_policy=storage)
    .add_node("resolve", counted(resolve), retry_policy=storage)
    .add_node("decay", decay, retry_policy=storage)
    .add_node("consolidate", consolidate, retry_policy=storage)
    .add_node("compress", compress, retry_policy=storage)
    .add_node("merge_profiles", merge_profiles, retry_policy=storage)
    .add_node("curate", curate, retry_policy=storage)
    .add_node("archive_sessions", counted(archive_sessions), retry_policy=storage)
    .add_node("report", report)
    .add_edge(START, "govern")
    .add_edge("govern", "calibrate")
    .add_edge("calibrate", "fuse")
    .add_edge("fuse", "resolve")
    .add_edge("resolve", "decay")
    .add_edge("decay", "consolidate")
    .add_edge("consolidate", "compress")
    .add_edge("compress", "merge_profiles")
    .add_edge("merge_profiles", "curate")
    .add_edge("curate", "archive_sessions")
    .add_edge("archive_sessions", "report")
    .add_edge("report", END)
)

graph = builder.compile(name="upkeep")

Told = Callable[[str, int, int], None]
"""Hears how far a step is: its name, the changes made, and how many there are."""


@dataclass(frozen=True)
class Tidied:
    """What a run came to, and every change that it made or would make."""

    report: Report
    actions: list[Action]


def _nobody_listens(step: str, done: int, of: int) -> None:
    """Who runs behind a conversation shows no progress."""


async def tidy(errand: Errand, asked: UpkeepState, told: Told = _nobody_listens) -> Tidied:
    """One run, without a checkpoint: every write has its own key, so a run that was cut off is simply run again."""
    final: dict[str, Any] = {}
    async for mode, part in graph.astream(asked, context=errand, stream_mode=["custom", "values"]):
        heard = cast("dict[str, Any]", part)
        if mode == "values":
            final = heard
        else:
            told(heard["step"], heard["done"], heard["of"])
    return Tidied(report=final["report"], actions=final["actions"])
