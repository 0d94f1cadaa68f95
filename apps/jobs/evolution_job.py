"""The evolution graph as a job: its checkpoints are kept until it ends, so that another worker can go on from there."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its input types partly open.

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph

from apps.access.caller import act_for
from brain.job_context import JobContext
from brain.resources import Resources
from evolution.state import EvolutionState
from graphs.evolution import builder, evolve
from memory.log import Outcome
from memory.scope import Scope

Graph = CompiledStateGraph[EvolutionState, JobContext, Any, Any]


@dataclass(frozen=True, kw_only=True)
class EvolutionJob:
    """One job of the queue: the session whose waiting turns are looked at, under the job's own thread."""

    job_id: int
    scope: Scope
    session_id: UUID
    resumed: bool

    @property
    def config(self) -> RunnableConfig:
        """The thread that only this job writes to."""
        return {"configurable": {"thread_id": f"evolution:{self.job_id}"}}


@dataclass(frozen=True)
class Evolution:
    """Runs evolution jobs; without a saver a killed one begins again, which writes nothing twice either."""

    resources: Resources
    saver: BaseCheckpointSaver[Any] | None = None
    graph: Graph | None = field(init=False)

    def __post_init__(self) -> None:
        """The graph is compiled once for all jobs."""
        compiled = builder.compile(checkpointer=self.saver, name="evolution") if self.saver else None
        object.__setattr__(self, "graph", compiled)

    async def run(self, job: EvolutionJob) -> None:
        """Look at everything that waits in the session, batch by batch; nothing of the thread is left at the end."""
        with act_for(job.scope.tenant_id):
            await self._run(job)

    async def _run(self, job: EvolutionJob) -> None:
        if self.graph is None or self.saver is None:
            await evolve(self.resources, job.scope, job.session_id)
            return
        context = JobContext(scope=job.scope, resources=self.resources)
        begin = (
            None
            if job.resumed and await self._has_unfinished_steps(self.graph, job)
            else {"session_id": str(job.session_id)}
        )
        more = True
        while more:
            # Kept before the next step begins: "write" finishes the operations, and what follows must not be lost.
            final = await self.graph.ainvoke(begin, job.config, context=context, durability="sync")
            await self.forget(job)
            begin, more = {"session_id": str(job.session_id)}, final["more"]

    async def give_up(self, job: EvolutionJob, reason: str) -> None:
        """Every operation of the batch ends as a dead letter; when none was read, all that wait in the session."""
        with act_for(job.scope.tenant_id):
            await self._give_up(job, reason)

    async def _give_up(self, job: EvolutionJob, reason: str) -> None:
        log, at = self.resources.memory.log, self.resources.clock()
        batch = await self._batch(job)
        if batch:
            outcome = Outcome(status="dead_letter", reason=reason)
            await log.finish(job.scope, dict.fromkeys(batch, outcome), at)
        else:
            await log.bury(job.scope, job.session_id, reason, at)
        await self.forget(job)

    async def forget(self, job: EvolutionJob) -> None:
        """Delete the thread: it quotes what people said."""
        if self.saver is not None:
            await self.saver.adelete_thread(f"evolution:{job.job_id}")

    async def _has_unfinished_steps(self, graph: Graph, job: EvolutionJob) -> bool:
        """Whether an earlier worker left steps of this very job; any others are not its own."""
        left = await graph.aget_state(job.config)
        if left.next and _is_same_session(left.values, job):
            return True
        await self.forget(job)
        return False

    async def _batch(self, job: EvolutionJob) -> list[UUID]:
        """The operations that the job had begun with."""
        left = (await self.graph.aget_state(job.config)).values if self.graph is not None else {}
        return [UUID(each) for each in left.get("operations", ())] if _is_same_session(left, job) else []


def _is_same_session(left: Mapping[str, Any], job: EvolutionJob) -> bool:
    """Ids of jobs begin anew when a queue is rebuilt; then a thread may be another's."""
    return left.get("session_id") == str(job.session_id)
