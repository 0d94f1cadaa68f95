"""What a person decided is carried out once, whatever doors and processes hear of it at the same time."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps.http.serving_process import ServingProcess
from memory.errors import BrainError


def already_decided() -> BrainError:
    """What the second of two decisions is told."""
    return BrainError("E_CONFLICT", "This does not wait for a decision any more.", "Look at the list again.")


@dataclass(frozen=True)
class DecisionGate:
    """Lets one decision at a time on a thread through, in whichever process. It is open where none are served.

    One that takes longer than ``seconds`` holds nobody up.
    """

    process: ServingProcess | None = None
    seconds: float = 300.0

    @property
    def process_id(self) -> UUID | None:
        """The process whose gate it is."""
        return self.process.process_id if self.process else None

    @asynccontextmanager
    async def decide_alone(self, tenant_id: UUID, thread_id: str) -> AsyncGenerator[None]:
        """Raises ``E_CONFLICT`` while another decision on the thread is carried out."""
        if self.process is None:
            yield
            return
        serving, process_id, decision_id = self.process.serving, self.process.process_id, UUID(thread_id)
        if not await serving.claim_decision(tenant_id, decision_id, process_id, self.seconds):
            raise already_decided()
        try:
            yield
        finally:
            await serving.release_decision(tenant_id, decision_id, process_id)

    @asynccontextmanager
    async def decide_in_words(
        self,
        thread: tuple[UUID, str],
        decided: Sequence[Any],
        find_waiting: Callable[[], Awaitable[Sequence[Any]]],
    ) -> AsyncGenerator[None]:
        """The same for what a message decides on, if it does; ``E_CONFLICT`` also where that waits no more."""
        if not decided:
            yield
            return
        async with self.decide_alone(*thread):
            waiting = {each.id for each in await find_waiting()}
            if not waiting.issuperset(each.id for each in decided):
                raise already_decided()
            yield
