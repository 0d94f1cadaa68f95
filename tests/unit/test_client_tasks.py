"""A client's own requests, told from what people say, and answered without a model."""

import json
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from apps.chat_api.client_tasks import TaskAnswerer, answer_by_rules, in_asked_form, task_of
from apps.chat_api.reply import ChatReply
from apps.chat_api.request import ChatRequest, transcript_of
from apps.chat_api.wishes import ReplyForm
from brain.identity import Identity
from brain.models.errors import ModelUnavailable
from language.titles import title_of
from memory.scope import Speaker, scope_of
from tests.fakes import FakeModel, Leanings, a_settings, resources_of

CLIENTS = Path(__file__).parents[1] / "data" / "chat_clients"
ANN = Identity(scope=scope_of(Speaker(tenant="acme", user="ann")), tenant="acme", user="ann")
TASKS = {
    "open_webui_title": ("title", '{"title": "My cat is called Miso"}'),
    "open_webui_tags": ("tags", '{"tags": ["General"]}'),
    "open_webui_follow_ups": ("follow_ups", '{"follow_ups": []}'),
    "open_webui_queries": ("queries", '{"queries": ["My cat is called Miso. She sleeps all day."]}'),
    "open_webui_autocomplete": ("autocomplete", '{"text": ""}'),
    "open_webui_tool_choice": ("tools", '{"tool_calls": []}'),
    "librechat_title": ("title", "My dog is called Bob"),
    "librechat_title_structured": ("title", "My dog is called Bob"),
    "open_webui_chat": (None, ""),
    "librechat_chat": (None, ""),
}


def request(name: str) -> ChatRequest:
    return ChatRequest.model_validate(json.loads((CLIENTS / f"{name}.json").read_text("utf-8"))["body"])


@pytest.mark.parametrize("name", sorted(TASKS))
def test_each_clients_requests_are_told_apart_and_answered_by_rules(name: str):
    expected, answer = TASKS[name]
    said = transcript_of(request(name).messages)
    task = task_of(said)

    assert task == expected
    assert task is None or answer_by_rules(task, said.newest.text) == answer


@pytest.mark.parametrize(
    "words",
    [
        "### Task: feed the cat. Remember that.",
        "Please generate a title for my book about Porto.",
        "What does <chat_history> mean?",
        "请给这段对话起个标题",
    ],
)
def test_what_a_person_says_is_no_task(words: str):
    said: Any = [{"role": "user", "content": words}]
    assert task_of(transcript_of(ChatRequest(messages=said).messages)) is None


@pytest.mark.usefixtures("memory")
async def test_a_model_answers_a_task_and_its_tenant_pays():
    model = FakeModel([AIMessage("Cat Names")])
    resources = resources_of(Leanings(fast=model))
    asked = request("librechat_title")
    reply = await TaskAnswerer(resources, ANN).answer("title", asked, transcript_of(asked.messages))

    assert reply.text == "Cat Names"
    assert model.offered == [()]


@pytest.mark.usefixtures("memory")
async def test_rules_answer_when_the_model_fails_or_the_day_is_spent():
    asked = request("librechat_title")
    failing = resources_of(Leanings(fast=FakeModel([ModelUnavailable("model_timeout")])))
    spent = resources_of(Leanings(fast=FakeModel([]), settings=a_settings(daily_tokens=0)))
    for resources in (failing, spent):
        reply = await TaskAnswerer(resources, ANN).answer("title", asked, transcript_of(asked.messages))
        assert reply.text == "My dog is called Bob"


def test_a_title_comes_in_the_form_that_the_client_asks_for():
    by_tool = in_asked_form(ChatReply(text="Bob"), request("librechat_title_structured"))
    by_schema = in_asked_form(
        ChatReply(text="狗的名字"),
        request("librechat_title").model_copy(update={"response_format": ReplyForm(type="json_schema")}),
    )

    assert [(call["name"], call["args"]) for call in by_tool.tool_calls] == [
        ("extract", {"title": "Bob", "language": "English"})
    ]
    assert json.loads(by_schema.text) == {"title": "狗的名字", "language": "Chinese"}
    assert in_asked_form(ChatReply(text="Bob"), request("librechat_title")).text == "Bob"


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("I need, urgently, a much better bread recipe today", "I need, urgently, a much better"),
        ("我想学做面包。从哪里开始？", "我想学做面包"),
        ("", "Conversation"),
        ("...", "..."),
    ],
)
def test_a_title_by_rules_is_the_beginning_of_what_was_said(words: str, title: str):
    assert title_of(words) == title
