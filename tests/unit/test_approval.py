"""Acts that wait for a person's approval: what is asked, what counts as an answer, and what becomes of it."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.types import Command

from brain.approval import ActionRequest, parse_acts, read_decisions, request_approval
from brain.change_approval import PendingChange, QuestionChoice, edit_change
from memory.conflicts import Conflict
from memory.errors import BrainError
from tests.contract.builders import a_draft, by_ann
from tests.fakes import FakeModel, a_settings
from tests.this_test import me
from tests.unit.test_change_memory import Talk

pytestmark = pytest.mark.usefixtures("memory")


CONFIG = {"configurable": {"thread_id": "t"}}
JOB = [
    "I work at Acme.",
    "My job is nursing.",
    "My boss at work is called Carl.",
    "My salary at work is 4000 euros.",
    "My job starts at six in the morning.",
    "My colleague at work is called Dora.",
    "My work contract ends in June.",
]
REQUEST = request_approval(
    [ActionRequest(name="forget_memories", args={"memories": "a\nb"}, description="Forget?")],
    ("approve", "edit", "reject"),
)


class Waiting(Talk):
    """A conversation in which changes of more than two memories wait."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.set_policy(approval_bulk=2)

    def set_policy(self, **values: Any) -> None:
        self.context = replace(self.context, resources=replace(self.resources, settings=a_settings(**values)))

    async def pending(self) -> dict[str, Any] | None:
        interrupts = (await self.graph.aget_state(CONFIG)).interrupts
        return interrupts[0].value if interrupts else None

    async def decide(self, *decisions: Any) -> str:
        return await self.resume({"decisions": list(decisions)})

    async def resume(self, answer: object) -> str:
        told = await self.graph.ainvoke(Command(resume=answer), CONFIG, context=self.context)
        self.messages = told["messages"]
        return self.messages[-1].text


async def asked_to_forget_the_job(**values: Any) -> Waiting:
    talk = Waiting(**values)
    await talk.say(*JOB, "I live in Ghent.", "Forget everything about my job.")
    return talk


async def test_many_memories_are_forgotten_only_when_a_person_approves():
    talk = await asked_to_forget_the_job()
    request = await talk.pending()
    assert request is not None
    (action,) = request["action_requests"]
    assert request["review_configs"] == [
        {"action_name": "forget_memories", "allowed_decisions": ["approve", "edit", "reject"]}
    ]
    listed = action["args"]["memories"].splitlines()
    assert len(listed) > 2
    assert action["description"] == "\n".join(("Forget all of these memories?", "", *(f"- {each}" for each in listed)))
    assert set(listed) <= set(await talk.indexed())
    reply = await talk.decide({"type": "approve"})
    assert reply.startswith("I have forgotten")
    assert not set(listed) & set(await talk.indexed())
    assert "I live in Ghent." in await talk.indexed()
    assert (await talk.graph.aget_state(CONFIG)).values["approval"] is None


async def test_what_is_rejected_stays():
    talk = await asked_to_forget_the_job()
    before = await talk.indexed()
    assert await talk.decide({"type": "reject", "message": "no"}) == "All right, nothing is forgotten."
    assert await talk.indexed() == before


async def test_an_edit_forgets_only_what_is_still_listed():
    talk = await asked_to_forget_the_job()
    request = await talk.pending()
    assert request is not None
    first, second, *rest = request["action_requests"][0]["args"]["memories"].splitlines()
    action = {"name": "forget_memories", "args": {"memories": f"{first}\n{second}\nsomething else"}}
    await talk.decide({"type": "edit", "edited_action": action})
    living = await talk.indexed()
    assert first not in living
    assert second not in living
    assert set(rest) <= set(living)


async def test_a_decision_that_comes_too_late_changes_nothing_and_says_so():
    talk = await asked_to_forget_the_job()
    before = await talk.indexed()
    talk.clock.at += timedelta(hours=25)
    assert (await talk.decide({"type": "approve"})).startswith("The decision came too late")
    assert await talk.indexed() == before


async def test_an_answer_that_cannot_be_read_is_asked_for_again_with_the_reason():
    talk = await asked_to_forget_the_job()
    await talk.resume("perhaps")
    request = await talk.pending()
    assert request is not None
    assert request["error"].startswith("E_BAD_REQUEST: the answer must look like")
    await talk.decide({"type": "approve"}, {"type": "approve"})
    again = await talk.pending()
    assert again is not None
    assert again["error"] == "E_BAD_REQUEST: there are 1 acts and 2 decisions."
    assert (await talk.resume("approve")).startswith("I have forgotten")


async def test_a_new_message_goes_on_without_the_request_and_loses_nothing():
    talk = await asked_to_forget_the_job()
    before = await talk.indexed()
    await talk.say("I have a cat.")
    assert await talk.pending() is None
    assert [each.text for each in talk.messages if isinstance(each, HumanMessage)][-2:] == [
        "Forget everything about my job.",
        "I have a cat.",
    ]
    assert set(before) <= set(await talk.indexed())


async def test_what_was_forgotten_meanwhile_is_left_alone():
    talk = await asked_to_forget_the_job()
    other = talk.elsewhere()
    await other.say("forget that my boss is called Carl")
    await talk.decide({"type": "approve"})
    assert await talk.living() == []


async def test_one_memory_is_forgotten_at_once_under_the_default_policy():
    talk = Talk()
    assert (await talk.say("I have a dog called Rex.", "forget my dog")).startswith("I have forgotten")


async def test_nothing_waits_where_the_policy_says_so():
    talk = Waiting()
    talk.set_policy(approval="none", approval_bulk=2)
    await talk.say(*JOB, "Forget everything about my job.")
    assert await talk.pending() is None
    assert (await talk.say("yes")).startswith("I have forgotten")


def calling(name: str, **args: Any) -> AIMessage:
    return AIMessage("", tool_calls=[{"name": name, "args": args, "id": "c1", "type": "tool_call"}])


async def a_tool_waits() -> tuple[Waiting, FakeModel]:
    model = FakeModel(replies=[calling("memory_append", text="I like tea"), AIMessage("Noted.")])
    talk = Waiting(chat=model)
    talk.context = replace(talk.context, approval="tools")
    await talk.say("Remember that I like tea")
    return talk, model


def tool_answer(talk: Talk) -> str:
    return next(each.text for each in reversed(talk.messages) if isinstance(each, ToolMessage))


async def test_a_tool_of_high_risk_waits_where_the_caller_wants_it():
    talk, model = await a_tool_waits()
    request = await talk.pending()
    assert request is not None
    assert request["action_requests"] == [
        {
            "name": "memory_append",
            "args": {"text": "I like tea"},
            "description": "Run memory_append?\n\ntext: I like tea",
        }
    ]
    assert await talk.decide({"type": "approve"}) == "Noted."
    assert "I like tea" in [each.content for each in await talk.living()]
    assert "Remember that I like tea" in model.asked[1][1].text


@pytest.mark.parametrize(
    ("decision", "answer"),
    [
        ({"type": "reject"}, "APPROVAL_REJECTED"),
        ({"type": "reject", "message": "I was joking"}, "The user says: I was joking"),
        ({"type": "respond", "message": "It is noted elsewhere."}, "It is noted elsewhere."),
    ],
)
async def test_the_model_hears_what_was_decided_instead(decision: dict[str, str], answer: str):
    talk, _ = await a_tool_waits()
    await talk.decide(decision)
    assert answer in tool_answer(talk)
    assert "I like tea" not in [each.content for each in await talk.living()]


async def test_a_call_that_is_refused_is_not_asked_about_and_stays_refused():
    both = calling("memory_append", text="I like tea")
    both.tool_calls.append({"name": "launch", "args": {}, "id": "c2", "type": "tool_call"})
    talk = Waiting(chat=FakeModel(replies=[both, AIMessage("Done.")]))
    talk.context = replace(talk.context, approval="tools")
    await talk.say("Remember that I like tea")
    request = await talk.pending()
    assert request is not None
    assert [each["args"] for each in request["action_requests"]] == [{"text": "I like tea"}]
    await talk.decide({"type": "approve"})
    answers = [each.text.split(":")[0] for each in talk.messages if isinstance(each, ToolMessage)]
    assert answers[1:] == ["NOT_COVERED"]


async def allergies() -> tuple[Waiting, Conflict]:
    """Two words about an allergy that stand against each other."""
    talk = Waiting()
    for number, (value, provenance) in enumerate((("peanuts", "confirmed_by_user"), ("walnuts", "observation"))):
        draft = a_draft(
            value,
            content=f"I am allergic to {value}.",
            predicate="allergic_to",
            item_type="constraint",
            provenance=provenance,
            single_valued=True,
            citations=(),
        )
        await talk.memory.items.write(me("ann"), draft, by_ann(f"k{number}", minutes=number))
    (conflict,) = await talk.memory.conflicts.list_conflicts(me("ann"))
    return talk, conflict


async def test_a_change_that_settles_a_conflict_about_a_constraint_waits():
    talk, conflict = await allergies()
    await talk.say("Please forget that I am allergic to peanuts.")
    request = await talk.pending()
    assert request is not None
    assert request["action_requests"][0]["description"] == (
        "Forget this? It would settle an open contradiction about a constraint.\n\n- I am allergic to peanuts."
    )
    assert await talk.memory.conflicts.list_conflicts(me("ann")) == [conflict]
    await talk.decide({"type": "approve"})
    assert [each.object for each in await talk.living()] == ["walnuts"]


async def test_a_correction_is_shown_with_what_it_replaces_and_may_be_edited():
    talk, _ = await allergies()
    await talk.say("No, I am allergic to cashews, not peanuts.")
    request = await talk.pending()
    assert request is not None
    action = request["action_requests"][0]
    assert action["description"].endswith("- I am allergic to peanuts.\n+ I am allergic to cashews.")
    edited = {"name": action["name"], "args": {"content": "I am allergic to pistachios."}}
    await talk.decide({"type": "edit", "edited_action": edited})
    assert "I am allergic to pistachios." in [each.content for each in await talk.living()]


async def test_an_edited_call_runs_with_the_persons_own_words():
    talk, _ = await a_tool_waits()
    edited = {"name": "memory_append", "args": {"text": "I like green tea."}}
    await talk.decide({"type": "edit", "edited_action": edited})
    noted = {each.content: each.provenance["level"] for each in await talk.living()}
    assert noted["I like green tea."] == "confirmed_by_user"


async def test_a_tool_that_waited_too_long_does_not_run():
    talk, _ = await a_tool_waits()
    talk.clock.at += timedelta(hours=25)
    await talk.decide({"type": "approve"})
    assert tool_answer(talk).startswith("APPROVAL_EXPIRED")


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (None, "must look like"),
        ({"decisions": "approve"}, "must look like"),
        ({"decisions": []}, "1 acts and 0 decisions"),
        ({"decisions": [{"type": "respond", "message": "x"}]}, "allows approve, edit, reject, not respond"),
        ({"decisions": [{"type": "edit"}]}, "edited_action named forget_memories"),
        ({"decisions": [{"type": "edit", "edited_action": {"name": "x", "args": {"a": 1}}}]}, "named forget_memories"),
        ({"decisions": [{"type": "edit", "edited_action": {"name": "x", "args": 5}}]}, "must look like"),
    ],
)
def test_an_answer_that_fits_no_request_is_refused(answer: object, complaint: str):
    with pytest.raises(ValueError, match=complaint):
        read_decisions(answer, REQUEST)


@pytest.mark.parametrize("memories", ["b", "  b ", ["b"], '["b"]', "b\n[x"])
def test_an_edit_is_read_as_clients_send_it(memories: object):
    choices = [QuestionChoice(text=text, memory_ids=[], spoken=[]) for text in ("a", "b", "c")]
    pending = PendingChange(act="forget", choices=choices, new="", reason="bulk")
    assert [each["text"] for each in edit_change(pending, {"memories": memories})["choices"]] == ["b"]


def test_a_policy_names_acts_that_there_are():
    assert parse_acts("bulk, tools") == {"bulk", "tools"}
    assert parse_acts("none") == parse_acts("") == frozenset()
    with pytest.raises(ValueError, match="'everything' is not one of bulk, tools, conflicts or none"):
        parse_acts("everything")
    with pytest.raises(BrainError, match="E_CONFIG: BRAIN_APPROVAL"):
        a_settings(approval="everything")
    with pytest.raises(BrainError, match="E_BAD_REQUEST: approval"):
        replace(Talk().context, approval="everything")
