"""The reply without a model: what it answers, what it is made of, and when it says that there is none."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from brain.document_lines import lines_about
from brain.fallback_reply import compose
from brain.identity import identity_of
from brain.intent_rules import classify
from brain.metering import BUDGET_SPENT
from brain.state import AssembledPrompt, OpenTurn
from memory.memory_item import Author, MemoryDraft
from memory.ports import MemoryCore
from memory.session_state import SessionState
from memory.turns import Event, Role
from nodes.respond import respond
from tests.fakes import NOW, Leanings, a_memory, a_run, a_state, a_turn_info

PROFILE = (
    '<document_0a1b2c kind="user_profile">\n# Profile\n\n## pets\n- The user has a cat. (2026-03-01)\n'
    "- The user plays the cello.\n</document_0a1b2c>"
)
NOTE = "(No language model is configured, so I answer from memory alone.)"


def a_prompted(text: str, *documents: str, **values: object) -> OpenTurn:
    prompt = AssembledPrompt(system="", history=(), context="", user_text=text, allocation={}, documents=documents)
    return a_state(text, prompt=prompt, intent=classify(text).model_dump(), **values)


def said_here(*turns: tuple[Role, str]) -> SessionState:
    window = tuple(
        Event(
            event_id=UUID(int=100 + place), session_id=UUID(int=8), position=place, role=role, speaker=role, text=text,
            sha256="", occurred_at=NOW, time_zone="UTC",
        )
        for place, (role, text) in enumerate(turns)
    )  # fmt: skip
    return SessionState(window=window, turns=len(window))


def reply_to(text: str, *documents: str, **values: object) -> str:
    return compose(a_prompted(text, *documents, **values), "model_not_configured").text


def numbered(*texts: str, **values: Any) -> list[Any]:
    return [a_memory(text, memory_id=str(UUID(int=n)), position=n, **values) for n, text in enumerate(texts, start=1)]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Hello!", "Hello! What is on your mind?"),
        ("Thanks a lot", "You are welcome."),
        ("good night", "Goodbye!"),
        ("How are you?", "I am well, thank you. How are you?"),
        ("haha", "All right."),
        ("Thanks, bye!", "Goodbye!"),
        ("谢谢，再见", "再见"),
        ("What can you do?", "I remember what you tell me"),
        ("help", "I remember what you tell me"),
        ("Write me a poem about autumn", "I cannot do that without a language model."),
        ("I like tea.", "I have noted that."),
        ("你好", "你好！"),
        ("谢谢你", "不客气。"),
        ("晚安", "再见！"),
        ("你能做什么", "我会记住你告诉我的事"),
        ("我喜欢喝茶。", "我记下了。"),
    ],
)
def test_small_talk_help_thanks_and_tasks_are_answered_for_what_they_are(text: str, answer: str):
    memories = numbered("I keep bees")
    assert reply_to(text, memories=memories).startswith(answer)
    assert "bees" not in reply_to(text, memories=memories)


@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("我现在住哪", "我住在成都"),
        ("我家狗叫啥", "我家狗叫旺财"),
        ("where do I live", "I live in Ghent"),
        ("remind me what my dentist is called", "My dentist is called Okafor"),
        ("tell me about my sister", "My sister is a nurse"),
    ],
)
def test_a_question_needs_no_mark(text: str, memory: str):
    assert memory in reply_to(text, memories=[a_memory(memory)])


def test_the_note_stands_behind_a_blank_line_and_once_in_a_conversation():
    first = compose(a_prompted("Hello!"), "model_not_configured").text
    assert first == f"Hello! What is on your mind?\n\n{NOTE}"
    thread = [HumanMessage("Hello!"), AIMessage(first), HumanMessage("I like tea.")]
    assert NOTE not in reply_to("I like tea.", messages=thread)
    window = said_here(("user", "Hello!"), ("assistant", first))
    assert NOTE not in reply_to("I like tea.", opened=window)
    assert "没有配置" not in reply_to("我喜欢喝茶。", opened=window)
    long_ago = replace(window, window=window.window[:1])
    assert NOTE not in reply_to("I like tea.", opened=long_ago, turn=a_turn_info("I like tea.", turns_before=60))


def test_a_model_that_failed_or_was_used_up_is_told_each_time():
    spoken = said_here(("assistant", f"Yes.\n\n{NOTE}"))
    state = a_prompted("I like tea.", opened=spoken)
    assert "did not answer (model_timeout), so I answer from memory alone. It" in compose(state, "model_timeout").text
    assert "used up" in compose(state, BUDGET_SPENT).text


def test_who_asks_for_everything_hears_the_profile_and_not_a_chance_find():
    reply = reply_to("What do you know about me?", PROFILE, memories=[a_memory("Nothing much.")])
    assert "The user has a cat." in reply
    assert "Nothing much." not in reply


def test_what_recall_does_not_bring_is_told_from_the_documents():
    assert "plays the cello" in reply_to("What instrument do I play?", PROFILE)
    assert [line.text for line in lines_about([PROFILE], "What instrument do I play?")] == ["The user plays the cello."]
    assert lines_about([PROFILE], "Where do I live?") == []


def test_a_memory_that_was_found_answers_a_question_for_something():
    reply = reply_to("Do I play tennis?", PROFILE, memories=[a_memory("I play tennis on Fridays.")])
    assert "tennis on Fridays" in reply
    assert "cello" not in reply


def test_a_belief_goes_before_what_was_said_once_and_what_may_be_over_is_marked():
    said = a_memory("I live in Paris.", score=1.0, status="earlier")
    fact = a_memory("The user lives in Lyon.", lane="fact", speaker="", score=0.8)
    reply = reply_to("Where do I live?", memories=[said, fact])
    assert reply.index("Lyon. (since 2026-03-01)") < reply.index("“I live in Paris.” (earlier)")


def test_a_turn_of_which_something_is_over_is_told_only_where_it_answers_best():
    fact = a_memory("The user lives in Paris.", lane="fact", speaker="", score=0.9)
    half = a_memory("I live in Lyon and have a dog.", score=0.8, signals={"belief": 0.6})
    where = reply_to("Where do I live?", memories=[fact, half])
    assert "Paris" in where
    assert "Lyon" not in where
    both = [fact, {**half, "score": 0.85}, half, a_memory("I like Paris in spring.", score=0.7)]
    assert "in spring" in reply_to("Where do I live?", memories=both)
    assert "dog" in reply_to("Which pet do I have?", memories=[{**half, "score": 1.0}, fact])


def test_what_may_be_over_is_never_told_without_what_is_newer():
    older = a_memory("I work at Siemens", memory_id="1", status="earlier", valid_since="2025-03-01T09:00:00+00:00")
    newer = a_memory("I left Siemens, I'm at BMW now", memory_id="2", score=0.1)
    reply = reply_to("Where do I work?", memories=[older, newer])
    assert reply.index("BMW") < reply.index("“I work at Siemens” (earlier)")


def test_what_only_stands_beside_an_answer_is_not_told():
    company = a_memory("I saw a gull", memory_id="1", signals={"own": 0.0})
    answer = a_memory("Casa Azul.", memory_id="2", signals={"own": 0.0, "answer": 0.4})
    reply = reply_to("Where do I stay?", memories=[company, answer])
    assert "Azul" in reply
    assert "gull" not in reply


def test_a_wish_or_a_dream_is_told_only_to_who_asks_for_it():
    dream = a_memory("I'm moving house in my dreams.", memory_id="1")
    home = a_memory("I live in Ghent.", memory_id="2")
    assert "dreams" not in reply_to("Where do I live?", memories=[dream, home])
    assert "dreams" in reply_to("What am I doing in my dreams?", memories=[dream])


def test_brains_own_words_are_told_only_to_who_asks_for_them():
    own = a_memory("Try the arnica gel for your knee.", role="assistant", speaker="assistant")
    assert "on 2026-03-01 I said: “Try the arnica gel" in reply_to("What did you recommend?", memories=[own])
    assert "arnica" not in reply_to("What helps my knee?", memories=[own])
    assert "我说过：“试试山金车凝胶。”" in reply_to(
        "你上次推荐的是什么", memories=[{**own, "text": "试试山金车凝胶。"}]
    )


def test_a_conversation_is_summed_up_by_what_the_user_told_in_it():
    opened = said_here(
        ("user", "I bought a canoe."), ("assistant", "Nice!"), ("user", "What is my name?"), ("user", "Thanks!"),
        ("user", "We launch it in May."),
    )  # fmt: skip
    opened = replace(opened, summaries=("- The user moved to Ghent.",))
    made = compose(a_prompted("Summarise our conversation", opened=opened), "model_not_configured")
    assert made.text.splitlines()[:4] == [
        "This is what you told me in this conversation:",
        "- The user moved to Ghent.",
        "- on 2026-03-01 you said: “I bought a canoe.”",
        "- on 2026-03-01 you said: “We launch it in May.”",
    ]
    assert [memory["memory_id"] for memory in made.memories] == [str(UUID(int=100)), str(UUID(int=104))]
    assert reply_to("总结一下我们的对话").startswith("我们还没有聊过什么。")


async def test_only_what_the_reply_was_made_of_counts_as_injected():
    memories = [*numbered("I live in Ghent"), a_memory("I saw a gull", score=0.1, position=1)]
    state = a_prompted("Where do I live?", PROFILE, memories=memories, retrieval={"documents": [{"name": "profile"}]})
    update = await respond(state, a_run())
    assert "gull" not in update["messages"][0].text
    assert [(memory["text"], memory["position"]) for memory in update["memories"]] == [("I live in Ghent", 0)]
    assert [(memory["text"], memory["position"]) for memory in update["rejected"]] == [("I saw a gull", None)]
    assert update["retrieval"]["documents"] == []


async def test_documents_that_a_reply_was_made_of_are_on_its_receipt():
    shown = [{"name": "MEMORY"}, {"name": "profile"}]
    state = a_prompted("What instrument do I play?", "", PROFILE, retrieval={"documents": shown})
    update = await respond(state, a_run())
    assert update["memories"] == []
    assert update["retrieval"]["documents"] == [{"name": "profile"}]


CHESS = MemoryDraft(
    item_type="fact", subject="user", predicate="plays", object="chess", content="The user plays chess.",
    category="leisure", slot="user|plays", single_valued=False, provenance="confirmed_by_user", confidence=0.9,
    certainty=0.9, observed_at=NOW, valid_at=NOW,
)  # fmt: skip


@pytest.mark.parametrize(
    ("since", "until", "told"),
    [(-9, -5, True), (0, 1, True), (-3, -1, False)],
    ids=["over when it was said", "not over yet", "over since"],
)
async def test_what_has_ended_is_not_told_as_known(since: int, until: int, told: bool, memory: MemoryCore):
    run = a_run(Leanings(memory=memory))
    days = {"valid_at": NOW + timedelta(since), "invalid_at": NOW + timedelta(until)}
    draft = replace(CHESS, observed_at=NOW - timedelta(2), **days)
    author = Author(operator="test", reason="test", idempotency_key="k", at=NOW)
    await memory.items.write(identity_of(run).scope, draft, author)
    update = await respond(a_prompted("What do you know about me?", PROFILE), run)
    assert ("The user plays chess." in update["messages"][0].text) is told


async def test_what_is_known_is_told_from_the_memories_themselves(memory: MemoryCore):
    run = a_run(Leanings(memory=memory))
    scope = identity_of(run).scope
    written = await memory.items.write(
        scope, CHESS, Author(operator="test", reason="test", idempotency_key="k", at=NOW)
    )
    update = await respond(a_prompted("What do you know about me?", PROFILE), run)
    text = update["messages"][0].text
    assert "- The user plays chess. (since 2026-03-01)" in text
    assert "cello" in text
    assert [each["memory_id"] for each in update["memories"]] == [str(written.memory_id)]


async def test_what_is_known_is_told_by_kind_what_matters_first_and_how_much_more_there_is(memory: MemoryCore):
    run = a_run(Leanings(memory=memory))
    scope, author = identity_of(run).scope, Author(operator="test", reason="test", idempotency_key="k", at=NOW)
    drafts = [replace(CHESS, item_type="constraint", object="no nuts", content="The user eats no nuts.", slot="nuts")]
    games = ("whist", "bridge", "darts", "snooker", "hockey", "squash", "croquet", "bowls", "polo")
    for place, game in enumerate(games):
        told = {"object": game, "content": f"The user plays {game}.", "slot": f"user|{game}"}
        drafts.append(replace(CHESS, confidence=0.9 - place / 100, **told))
    for place, draft in enumerate(drafts):
        await memory.items.write(scope, draft, replace(author, idempotency_key=str(place)))
    english = (await respond(a_prompted("What do you know about me?"), run))["messages"][0].text.splitlines()
    chinese = (await respond(a_prompted("你知道我些什么？"), run))["messages"][0].text

    assert english[1:5] == [
        "To be heeded:",
        "- The user eats no nuts. (since 2026-03-01)",
        "About you:",
        "- The user plays whist. (since 2026-03-01)",
    ]
    assert english[11] == "… and 2 more"
    assert "关于你：" in chinese
    assert "还有 2 条" in chinese
