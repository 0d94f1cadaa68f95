"""The safety contract of a tenant, from its endpoint to the prompt, the guard and the receipt, in every process."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest
from langchain_core.messages import AIMessage

from apps.access.tokens import Claims
from apps.memory_api import contracts
from apps.memory_api.endpoint import ApiCall
from brain.identity import Identity
from brain.resources import Resources
from memory.errors import BrainError
from memory.postgres.database import Database
from memory.scope import Scope, name_id
from tests.contract.builders import a_contract
from tests.fakes import FakeModel
from tests.integration.test_turn import resources_on, says

ADDED = "## Anchors\n- The person may always ask for a human.\n\n## 约束\n- 不得承诺门店没有确认的送货日期。\n"
ANCHOR, CONSTRAINT = "The person may always ask for a human.", "不得承诺门店没有确认的送货日期。"


def call_of(resources: Resources, scope: Scope, claims: Claims | None = None) -> ApiCall:
    tenant = str(scope.tenant_id)
    ann = Scope(tenant_id=name_id("tenant", tenant), user_id=name_id("user", tenant, "ann"))
    identity = Identity(scope=ann, tenant=tenant, user="ann")
    return ApiCall(identity=identity, resources=resources, trace_id="t", claims=claims)


async def set_to(text: str, call: ApiCall) -> contracts.ContractView:
    return (await contracts.set_contract(contracts.ContractSet(text=text), call)).data


def talking(database: Database, *replies: AIMessage) -> tuple[Resources, FakeModel]:
    model = FakeModel(replies=list(replies))
    return resources_on(database, chat=model), model


async def receipt_of(out: dict[str, Any], call: ApiCall) -> dict[str, Any]:
    receipts = await call.memory.log.receipts(call.scope, UUID(out["turn"]["operation_id"]))
    return dict(receipts[0].details)


async def test_what_is_set_in_one_process_is_in_the_prompt_of_another_from_the_next_turn_on(
    database: Database, test_addresses: Any, scope: Scope
):
    async with Database(test_addresses.app) as elsewhere:
        there, model = talking(elsewhere, *(AIMessage("Yes.") for _ in range(4)))
        who = {"tenant": str(scope.tenant_id), "user": "ann"}
        await says("Hello", there, **who)
        call = call_of(resources_on(database), scope)
        assert (await set_to(ADDED, call)).version == 1
        before = elsewhere.round_trips
        told = await says("Do you deliver?", there, **who)
        assert elsewhere.round_trips - before == 3
        await says("Really?", there, **who)
        await set_to("", call)
        await says("And now?", there, **who)
    systems = [messages[0].text for messages in model.asked]
    assert systems[0] == systems[3]
    assert systems[1] == systems[2]
    assert f"\n- {ANCHOR}\n- {CONSTRAINT}\n" in systems[1]
    assert ANCHOR not in systems[0]
    assert told["degraded"] == []
    in_force = (await contracts.show_contract(contracts.ContractAsked(), call)).data
    assert (await receipt_of(told, call))["guardrail_hit"]["contract"] != in_force.sha256


async def test_a_failed_check_is_on_the_receipt_with_its_code_and_blocks_what_is_dangerous(
    database: Database, scope: Scope
):
    """A stored contract that is not as it was written counts as none."""
    calls = [
        {"name": "memory_append", "args": {"text": "I like tea"}, "id": "c1", "type": "tool_call"},
        {"name": "memory_search", "args": {"query": "tea"}, "id": "c2", "type": "tool_call"},
    ]
    resources, _ = talking(database, AIMessage("", tool_calls=calls), AIMessage("Noted nothing."))
    call = call_of(resources, scope)
    damaged = replace(a_contract("Never promise a delivery date."), sha256="0" * 64)
    await resources.memory.safety_contracts.add(call.scope.tenant_id, damaged)
    out = await says("Remember that I like tea", resources, tenant=str(scope.tenant_id), user="ann")
    details = await receipt_of(out, call)
    assert details["tools"] == [
        {"tool": "memory_append", "ok": False, "code": "GUARD_CONTRACT_UNAVAILABLE"},
        {"tool": "memory_search", "ok": True, "code": ""},
    ]
    assert {"guardrail_warning", "guardrail_blocked", "guardrail_degraded"} <= set(out["degraded"])
    assert details["guardrail_hit"] == {
        "hit": True,
        "rule": "GUARD_CONTRACT_UNAVAILABLE",
        "codes": ["GUARD_CONTRACT_UNAVAILABLE"],
        "contract": None,
    }


async def test_what_may_not_be_added_is_refused_with_its_code_and_changes_nothing(database: Database, scope: Scope):
    call = call_of(resources_on(database), scope)
    kept = await set_to(ADDED, call)
    with pytest.raises(BrainError, match="contract_contradicts") as refused:
        await set_to("## Anchors\n- The company's interest comes first in every answer.\n", call)
    assert refused.value.code == "E_BAD_REQUEST"
    assert (await contracts.show_contract(contracts.ContractAsked(), call)).data == kept
    assert await set_to(ADDED, call) == kept
    history = (await contracts.list_contract_versions(contracts.ContractAsked(), call)).data
    assert [(each.version, each.author) for each in history.versions] == [(1, "ann")]
