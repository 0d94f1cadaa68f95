"""Deciding on an approval: of two decisions that arrive at once, one resumes the turn."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest
from langgraph.types import Command, Interrupt

from apps.chat_api.decisions import DecisionGate
from apps.chat_api.running_turns import RunningTurns
from apps.panel import approvals, pending
from apps.panel.page import Visit
from memory.errors import BrainError

REQUEST = {
    "action_requests": [{"name": "forget", "args": {"content": "tea"}, "description": ""}],
    "review_configs": [{"action_name": "forget", "allowed_decisions": ["approve", "reject"]}],
}


class SlowRunner:
    """A runner whose waiting turn stops at each await, and that counts how often the turn is resumed."""

    gate = DecisionGate()

    def __init__(self) -> None:
        self.waiting = [Interrupt(value=REQUEST, id="i1")]
        self.resumed = 0

    async def find_interrupts(self, _: object) -> list[Interrupt]:
        found = list(self.waiting)
        await asyncio.sleep(0.01)
        return found

    async def resume(self, _answer: Command[Any], *_: object) -> None:
        self.resumed += 1
        await asyncio.sleep(0.02)
        self.waiting = []


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> SlowRunner:
    runner = SlowRunner()

    async def find_session(_: Visit, session_id: object) -> object:
        return SimpleNamespace(session_id=session_id, name="panel")

    async def find_interrupts(*_: object) -> list[Interrupt]:
        return await runner.find_interrupts(None)

    def no_context(*_: object) -> None:
        return None

    monkeypatch.setattr(approvals, "find_session", find_session)
    monkeypatch.setattr(pending, "find_interrupts", find_interrupts)
    monkeypatch.setattr(approvals, "session_context", no_context)
    monkeypatch.setattr(approvals, "run_config", no_context)
    return runner


class FormVisit:
    """A form that decides on the one act; ``redirect`` gives the address."""

    user = None
    scope = SimpleNamespace(tenant_id=uuid4())
    resources = SimpleNamespace(settings=SimpleNamespace(request_timeout=5))

    def __init__(self, runner: SlowRunner, decision: str) -> None:
        self.request = SimpleNamespace(path_params={"session_id": uuid4()})
        self.service = SimpleNamespace(runner=runner, turns=RunningTurns())
        self.fields = {"interrupt": "i1", "decision0": decision}

    def read_field(self, name: str, _most: int) -> str:
        return self.fields[name]

    def redirect(self, path: str, done: str) -> str:
        return f"{path}?done={done}"


async def decide(visit: FormVisit, pause: float = 0) -> str:
    await asyncio.sleep(pause)
    return str(await approvals.decide_approval(cast("Visit", visit)))


@pytest.mark.parametrize("pause", [0, 0.015, 0.025, 0.05])
async def test_of_two_decisions_on_one_approval_one_resumes_the_turn(runner: SlowRunner, pause: float):
    """``pause`` puts the second beside the first, where its turn runs, and after its end."""
    visit = FormVisit(runner, "approve")
    first, second = await asyncio.gather(decide(visit), decide(visit, pause), return_exceptions=True)
    assert str(first).endswith("?done=decided")
    assert isinstance(second, BrainError)
    assert second.code == "E_CONFLICT"
    assert runner.resumed == 1


async def test_a_decision_that_is_refused_leaves_the_approval_open(runner: SlowRunner):
    visit = FormVisit(runner, "edit")
    with pytest.raises(BrainError) as refused:
        await decide(visit)
    assert (refused.value.code, runner.resumed) == ("E_BAD_REQUEST", 0)
    visit.fields["decision0"] = "approve"
    assert (await decide(visit)).endswith("?done=decided")
    assert runner.resumed == 1
