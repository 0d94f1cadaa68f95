"""Turns on a real database, observed by a real receiver of OpenTelemetry's protocol."""

import json
from collections.abc import Generator
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from langchain_core.messages import AIMessage

from brain.models.roles import ModelSettings
from brain.resources import Resources
from brain.telemetry.otlp import connect_exporter
from brain.telemetry.telemetry import Telemetry
from brain.wiring import build_models, build_telemetry
from memory.errors import BrainError
from memory.postgres.database import Database
from memory.scope import Scope
from tests.fakes import FakeModel, a_settings
from tests.integration.test_turn import resources_on, says
from tests.openai_script import Step, When
from tests.otlp_receiver import Collector, a_collector, attributes
from tests.scripted_openai import ScriptedOpenAI

SECRET_WORDS = "My safe opens with 4711."
ROOM = 64


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Generator[Collector]:
    with a_collector() as it:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", it.url)
        monkeypatch.setenv("OTEL_SERVICE_NAME", "brain of a test")
        yield it


def observed(resources: Resources, *, tells: bool = False) -> Resources:
    telemetry = Telemetry(exporter=connect_exporter(1_000), with_content=tells, with_users=tells)
    return replace(resources, telemetry=telemetry)


async def close(resources: Resources) -> None:
    assert resources.telemetry is not None
    await resources.telemetry.aclose()


async def test_a_turn_is_a_trace_with_its_steps_models_and_receipts(
    collector: Collector, database: Database, scope: Scope
):
    script = [Step(when=When(form=""), text="Noted.", times=None), Step(status=400, times=None)]
    with ScriptedOpenAI(script) as server:
        models = build_models(ModelSettings(base_url=server.base_url, chat_model="big", fast_model="small"))
        resources = observed(replace(resources_on(database), models=models))
        out = await says(SECRET_WORDS, resources, tenant=str(scope.tenant_id), user="ann the user")
        await close(resources)
        await models.aclose()
    by_name = {each.name: each for each in collector.spans}
    told = {name: attributes(each.attributes) for name, each in by_name.items()}
    operation = UUID(out["turn"]["operation_id"])
    assert {each.trace_id for each in collector.spans} == {operation.bytes}
    root = by_name["invoke_agent brain"]
    assert root.parent_span_id == b""
    assert told["invoke_agent brain"]["gen_ai.operation.name"] == "invoke_agent"
    assert told["invoke_agent brain"]["gen_ai.conversation.id"] == out["turn"]["session_id"]
    assert told["invoke_agent brain"]["brain.receipt.ids"] == out["receipts"]
    assert {"open_session", "classify_intent", "retrieve", "rerank", "assemble", "respond"} <= by_name.keys()
    assert all(by_name[name].parent_span_id == root.span_id for name in ("open_session", "retrieve", "respond"))
    assert told["retrieve"]["gen_ai.operation.name"] == "search_memory"
    assert told["capture_signals"]["gen_ai.operation.name"] == "upsert_memory"
    assert told["capture_signals"]["brain.receipt.ids"] == out["receipts"]
    call = by_name["chat big"]
    assert call.parent_span_id == by_name["respond"].span_id
    assert told["chat big"]["gen_ai.request.model"] == "big"
    assert told["chat big"]["gen_ai.usage.input_tokens"] > 0
    assert root.start_time_unix_nano <= call.start_time_unix_nano < call.end_time_unix_nano <= root.end_time_unix_nano
    assert collector.resources[0]["service.name"] == "brain of a test"
    assert {"gen_ai.client.token.usage", "gen_ai.client.operation.duration", "brain.turns"} <= collector.metrics.keys()


async def test_neither_words_nor_names_are_told_unless_somebody_asks_for_them(
    collector: Collector, database: Database, scope: Scope
):
    resources = resources_on(database, chat=FakeModel(replies=[AIMessage("Noted, 4711.") for _ in range(4)]))
    tenant = str(scope.tenant_id)
    silent = observed(resources)
    await says(SECRET_WORDS, silent, tenant=tenant, user="ann the user", session="a conversation of ours")
    await close(silent)
    sent = b"".join(collector.raw)
    assert collector.spans
    for words in (b"4711", b"ann the user", tenant.encode(), b"a conversation of ours", b"Noted"):
        assert words not in sent
    collector.spans.clear()
    talkative = observed(resources, tells=True)
    await says(SECRET_WORDS, talkative, tenant=tenant, user="ann the user")
    await says("I like tea.", talkative, tenant=tenant, user="ann the user", learn=False, session="b")
    await close(talkative)
    first, second = (attributes(each.attributes) for each in collector.spans if each.name == "invoke_agent brain")
    assert json.loads(first["gen_ai.input.messages"])[0]["parts"][0]["content"] == SECRET_WORDS
    assert first["user.id"] == "ann the user"
    assert "gen_ai.input.messages" not in second


async def test_a_step_that_fails_tells_its_code_and_no_word(collector: Collector, database: Database, scope: Scope):
    resources = observed(resources_on(database))
    with pytest.raises(BrainError):
        await says("Hello", resources, tenant=str(scope.tenant_id), user="ann", ranking_policy="secret-policy")
    await close(resources)
    failed = next(each for each in collector.spans if each.name == "rerank")
    assert attributes(failed.attributes)["error.type"] == "E_BAD_REQUEST"
    assert b"secret-policy" not in b"".join(collector.raw)


async def test_a_collector_that_hangs_delays_no_turn_and_fills_no_memory(
    collector: Collector, database: Database, scope: Scope
):
    collector.hangs.set()
    exporter = connect_exporter(ROOM)
    exporter.delay = 0.01
    resources = replace(resources_on(database), telemetry=Telemetry(exporter=exporter))
    who: dict[str, Any] = {"tenant": str(scope.tenant_id), "user": "ann"}
    for _ in range(8):
        await says("Good morning!", resources, **who)
    assert collector.spans == []
    assert exporter.dropped > 0
    assert len(exporter._waiting) == ROOM  # pyright: ignore[reportPrivateUsage]
    collector.released.set()
    await close(resources)
    assert collector.spans


async def test_without_a_collector_turns_go_on(monkeypatch: pytest.MonkeyPatch, database: Database, scope: Scope):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.1")
    resources = observed(resources_on(database))
    out = await says("Good morning!", resources, tenant=str(scope.tenant_id), user="ann")
    await close(resources)
    assert out["messages"][-1].text


def test_nothing_is_observed_unless_somebody_switched_it_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    assert build_telemetry(a_settings()) is None
    assert build_telemetry(a_settings(otel=True)) is not None
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert build_telemetry(a_settings(otel=True)) is None


def test_a_variable_of_opentelemetry_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "soon")
    with pytest.raises(BrainError, match="OTEL_") as refused:
        build_telemetry(a_settings(otel=True))
    assert refused.value.code == "E_CONFIG"
