"""A conversation kept open between the lines that a person types."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, Self, TypeVar

from apps.access.caller import act_for
from apps.cli.chat_memories import ChatMemories
from apps.cli.conversation import Exchange, TurnListener, TurnReport, context_with_session, exchange, owner_of
from apps.cli.step_spinner import StepSpinner
from apps.cli.why import Reason, fetch_reasons
from apps.jobs.supervisor import WorkerSupervisor
from apps.jobs.worker import BackgroundWorker
from apps.threads.checkpointer import open_saver
from brain.approval import ApprovalRequest, Decision
from brain.cells import settings_of_tenant
from brain.context import Context
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import build_resources
from memory.zones import require_zone
from nodes.open_session import session_of

T = TypeVar("T")

SETTLE = 3.0
"""Seconds to wait for the memory work of a turn when the next one, or the end, comes at once."""


class ChatSession:
    """Database, saver and worker of one conversation. Its loop runs only while there is something to do."""

    def __init__(self, settings: Settings, named: Callable[[Resources], Context]) -> None:
        self._settings = settings
        self._named = named
        self._runner = asyncio.Runner()
        self._stack = AsyncExitStack()
        self._worker_settings = settings
        self._worker = WorkerSupervisor(self._hire) if settings.worker else None

    def __enter__(self) -> Self:
        try:
            self._resources, self._exchange = self._runner.run(self._open())
            if self._worker is not None:
                self._worker.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def session(self) -> str:
        """The name under which this conversation can be continued."""
        return self._exchange.context.session

    @property
    def has_model(self) -> bool:
        """Whether a language model answers, or memory alone."""
        return self._resources.models.chat is not None

    @property
    def memories(self) -> ChatMemories:
        """What the person who talks can see and change."""
        context, owner = self._exchange.context, owner_of(self._exchange.context)
        return ChatMemories(
            resources=self._resources,
            owner=owner,
            session_id=session_of(owner, context.session),
            time_zone=require_zone(context.time_zone or self._resources.settings.time_zone),
        )

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something on the loop of this conversation, to which its database belongs."""
        return self._runner.run(work)

    @property
    def media_bytes(self) -> int:
        """How large a file may be that goes with a message."""
        return self._resources.settings.media_bytes

    def say(self, text: str, listener: TurnListener, *attached: Mapping[str, Any]) -> TurnReport:
        """One turn. Ctrl-C breaks the reply off; what was said and shown until then is kept.

        Raises ``BrainError`` and ``KeyboardInterrupt``.
        """
        return self._runner.run(self._exchange.say(text, listener, attached))

    def decide(self, decisions: Sequence[Decision], listener: TurnListener) -> TurnReport:
        """Carry on the turn that waits for approval. Raises ``BrainError`` and ``KeyboardInterrupt``."""
        return self._runner.run(self._exchange.decide(decisions, listener))

    def pending_approval(self) -> ApprovalRequest | None:
        """What this session has been waiting for since before it was continued."""
        return self._runner.run(self._exchange.pending_approval())

    def earlier_messages(self) -> list[str]:
        """What was said in this session before it was continued."""
        return self._runner.run(self._exchange.earlier_messages())

    def start_loading(self) -> None:
        """Load what is computed in this process behind the first words; a script's first question waits for it."""
        self._resources.start_loading()

    def load(self) -> None:
        """Wait for the same."""
        self._runner.run(self._resources.load())

    def wait_for_memory(self, report: TurnReport) -> None:
        """Wait, within bounds, until what was said has become memory; pointless when nobody works on it here."""
        if self._worker is not None and self._worker.is_alive:
            self._runner.run(self._exchange.wait_for_memory(report["operation_id"], SETTLE))

    def is_waiting(self, report: TurnReport) -> bool:
        """Whether the memory work of the turn has not ended yet."""
        return self._runner.run(self._exchange.is_waiting(report["operation_id"]))

    def why(self, report: TurnReport) -> list[Reason]:
        """What the turn used and what it left out, with the words it rests on, verified now."""
        return self._runner.run(fetch_reasons(self._resources.memory, self._exchange.scope, report))

    def close(self) -> None:
        """Let the worker finish the jobs at hand, then give everything back."""
        if self._worker is not None:
            self._worker.stop()
        self._runner.run(self._stack.aclose())
        self._runner.close()

    def _hire(self) -> BackgroundWorker:
        return BackgroundWorker(self._worker_settings)

    async def _open(self) -> tuple[Resources, Exchange]:
        with StepSpinner("opening the database") as spinner:
            resources = build_resources(self._settings, spinner.show)
            self._stack.push_async_callback(resources.close)
            conversation = context_with_session(self._named(resources))
            await resources.open()
            saver = await self._stack.enter_async_context(open_saver(self._settings))
            # The runner keeps what its tasks set: this holds for each turn until the conversation ends.
            tenant_id = owner_of(conversation).scope.tenant_id
            self._stack.enter_context(act_for(tenant_id))
            self._worker_settings = await settings_of_tenant(self._settings, tenant_id)
        return resources, exchange(saver, conversation)
