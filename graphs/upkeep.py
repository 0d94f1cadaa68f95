"""Upkeep of one person's memories, behind the conversation: what the figures call for, step by step."""
# pyright: reportUnknownMemberType=false
# LangGraph leaves its node types partly open.

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from langgraph.graph import END, START, StateGraph

from brain.context import Claim
from brain.job_context import JobContext
from evolution.merge_profiles import merge_profiles_after_upkeep
from evolution.upkeep.archive_sessions import archive_sessions
from evolution.upkeep.calibrate import calibrate
from evolution.upkeep.compress import compress
from evolution.upkeep.consolidate import consolidate
from evolution.upkeep.curate import curate
from evolution.upkeep.decay import decay
from evolution.upkeep.drop_media import drop_forgotten_media
from evolution.upkeep.govern import govern
from evolution.upkeep.report import report
from evolution.upkeep.resolve import resolve
from evolution.upkeep.retract_rejected import retract_rejected
from evolution.upkeep.state import UpkeepAction, UpkeepReport, UpkeepRequest, UpkeepState
from graphs.background_step import with_job_context
from graphs.model_budget import BackgroundMeter
from graphs.retry import storage

counted = BackgroundMeter("upkeep", tells="alarms")

builder = (
    StateGraph(UpkeepState, context_schema=Claim, input_schema=UpkeepRequest)
    .add_node("govern", with_job_context(govern), retry_policy=storage)
    .add_node("calibrate", with_job_context(calibrate), retry_policy=storage)
    .add_node("fuse", with_job_context(retract_rejected), retry_policy=storage)
    .add_node("resolve", with_job_context(counted(resolve)), retry_policy=storage)
    .add_node("decay", with_job_context(decay), retry_policy=storage)
    .add_node("consolidate", with_job_context(consolidate), retry_policy=storage)
    .add_node("compress", with_job_context(compress), retry_policy=storage)
    .add_node("merge_profiles", with_job_context(merge_profiles_after_upkeep), retry_policy=storage)
    .add_node("curate", with_job_context(curate), retry_policy=storage)
    .add_node("archive_sessions", with_job_context(counted(archive_sessions)), retry_policy=storage)
    .add_node("report", with_job_context(report))
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

ProgressListener = Callable[[str, int, int], None]
"""Is told how far a step is: its name, the changes made, and how many there are."""


@dataclass(frozen=True)
class UpkeepResult:
    """What a run came to, and every change that it made or would make."""

    report: UpkeepReport
    actions: list[UpkeepAction]


def _ignore_progress(step: str, done: int, of: int) -> None:
    """Who runs behind a conversation shows no progress."""


async def run_upkeep(
    context: JobContext, asked: UpkeepState, listen: ProgressListener = _ignore_progress
) -> UpkeepResult:
    """One run, without a checkpoint: every write has its own key, so a run that was cut off is simply run again."""
    if not asked.dry_run:
        await drop_forgotten_media(context)
    final: dict[str, Any] = {}
    given = cast("Any", context)  # the form is for servers
    async for mode, part in graph.astream(asked, context=given, stream_mode=["custom", "values"]):
        heard = cast("dict[str, Any]", part)
        if mode == "values":
            final = heard
        else:
            listen(heard["step"], heard["done"], heard["of"])
    return UpkeepResult(report=final["report"], actions=final["actions"])
