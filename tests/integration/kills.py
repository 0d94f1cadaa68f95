"""Servers that are killed while people talk to them, and what must be found afterwards: each turn once, everywhere."""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import uuid4

import httpx
from langchain_core.messages import AnyMessage
from langgraph.checkpoint.postgres import PostgresSaver
from psycopg import Connection
from psycopg.rows import DictRow, dict_row

from apps.threads.checkpointer import strict_serializer
from memory.scope import Scope

TURNS = 6
"""How many turns a conversation has before its talker begins another one."""
PATIENCE = 180.0
_PAUSE = 0.05
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu", "ka")


@dataclass
class Message:
    """What a person said in a conversation; it ``is_answered`` when the server said so."""

    text: str
    message_id: str
    reply: str = ""
    is_answered: bool = False


@dataclass
class Conversation:
    """One thread of one person, as their client has it."""

    thread: str = field(default_factory=lambda: str(uuid4()))
    said: list[Message] = field(default_factory=list[Message])


class Door(Protocol):
    """How one person's client asks a server."""

    def send(self, http: httpx.Client, conversation: Conversation, message: Message) -> str | None:
        """The reply, None where the server did not answer. Raises ``Refused`` for an answer that no crash explains."""
        ...

    def read_thread(self, http: httpx.Client, conversation: Conversation, owner: str) -> list[tuple[str, str]]:
        """The thread's messages: who spoke, and the words."""
        ...


class Refused(Exception):
    """A request that the server took and did not want."""


@dataclass
class Talker:
    """Somebody who says one thing after another. Who ``repeats`` does so until the message is answered."""

    scope: Scope
    door: Door
    repeats: bool
    conversations: list[Conversation] = field(default_factory=list[Conversation])
    faults: list[str] = field(default_factory=list[str])
    answers: int = 0

    def talk(self, stop: threading.Event) -> None:
        """Until told to stop, and then to the end of the last message."""
        with httpx.Client(timeout=60.0) as http:
            while not stop.is_set():
                if not self.conversations or len(self.conversations[-1].said) >= TURNS:
                    self.conversations.append(Conversation())
                self._say(http, self.conversations[-1])
                time.sleep(_PAUSE)

    def _say(self, http: httpx.Client, conversation: Conversation) -> None:
        message = Message(f"I like {_name()} tea.", str(uuid4()))
        conversation.said.append(message)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                reply = self.door.send(http, conversation, message)
            except Refused as refused:
                self.faults.append(f"refused: {refused}")
                return
            if reply is not None:
                message.reply, message.is_answered, self.answers = reply, True, self.answers + 1
                return
            time.sleep(_PAUSE)
            if not self.repeats:
                return
        self.faults.append("never answered")


def kill_often(talkers: Sequence[Talker], kills: int, kill_and_restart: Callable[[], None]) -> None:
    """Let them talk, and kill the server again and again once each has had an answer from it."""
    stop, moments = threading.Event(), random.Random(kills)
    threads = [threading.Thread(target=talker.talk, args=(stop,)) for talker in talkers]
    for thread in threads:
        thread.start()
    try:
        for _ in range(kills):
            _wait_for_answers(talkers)
            time.sleep(moments.uniform(0.0, 0.6))
            kill_and_restart()
        _wait_for_answers(talkers)
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def find_faults(talkers: Sequence[Talker], owner: str) -> list[str]:
    """What was lost, left, doubled or is stuck, in the log, in recall, among memories and in the threads."""
    with _connect(owner) as connection, httpx.Client(timeout=60.0) as http:
        return [
            fault
            for talker in talkers
            for fault in (*talker.faults, *_stored_faults(talker, connection), *_thread_faults(talker, http, owner))
        ]


def read_checkpoint(owner: str, thread: str) -> list[tuple[str, str]]:
    """The messages of a thread's newest checkpoint."""
    with _connect(owner) as connection:
        connection.execute("set search_path = checkpoint")
        saver = PostgresSaver(connection, serde=strict_serializer())
        found = saver.get_tuple({"configurable": {"thread_id": thread, "checkpoint_ns": ""}})
    messages: list[AnyMessage] = found.checkpoint["channel_values"].get("messages", []) if found else []
    return [(each.type, each.text) for each in messages]


def _connect(owner: str) -> Connection[DictRow]:
    return Connection[DictRow].connect(owner, autocommit=True, row_factory=dict_row)


@dataclass(frozen=True)
class _Stored:
    """All that a database holds of a person."""

    events: list[dict[str, Any]]
    replies: list[Any]
    operations: list[dict[str, Any]]
    indexed: set[str]
    items: list[dict[str, Any]]

    @property
    def learnt(self) -> str:
        """What is believed."""
        return " ".join(row["content"] for row in self.items if row["status"] == "active")

    def find_faults(self, message: Message) -> Iterator[str]:
        """What became of one message that should not have."""
        logged = [row for row in self.events if row["role"] == "user" and row["text"] == message.text]
        if not logged:
            if message.is_answered:
                yield f"lost: {message.text}"
            return
        replies = self.replies.count(logged[0]["operation_id"])
        if len(logged) > 1 or replies > 1:
            yield f"doubled: {message.text}"
        if message.is_answered and not replies:
            yield f"without a reply: {message.text}"
        if message.text not in self.indexed:
            yield f"not recalled: {message.text}"
        if message.text.split()[2] not in self.learnt:
            became = [(row["status"], row["reason"], row["memory_ids"]) for row in self.operations if _has(row, logged)]
            yield f"not learnt: {message.text} {became} {[row for row in self.items if _has_words(row, message)]}"


def _has(operation: dict[str, Any], logged: list[dict[str, Any]]) -> bool:
    return operation["operation_id"] == logged[0]["operation_id"]


def _has_words(item: dict[str, Any], message: Message) -> bool:
    return message.text.split()[2] in item["content"]


def _read_stored(scope: Scope, connection: Connection[DictRow]) -> _Stored:
    def rows(table: str, also: str = "") -> list[dict[str, Any]]:
        query = f"select * from brain.{table} where tenant_id = %s and user_id = %s {also}"
        return connection.execute(query.encode(), (scope.tenant_id, scope.user_id)).fetchall()

    events, replaced = rows("conversation_events"), {row["event_id"] for row in rows("replaced_replies")}
    replies = [row["operation_id"] for row in events if row["role"] == "assistant" and row["event_id"] not in replaced]
    return _Stored(
        events=events,
        replies=replies,
        operations=rows("operations"),
        indexed={row["text"] for row in rows("recall_index", "and lane = 'turn'")},
        items=rows("memory_items"),
    )


def _stored_faults(talker: Talker, connection: Connection[DictRow]) -> Iterator[str]:
    stored = _read_stored(talker.scope, connection)
    for row in stored.operations:
        if row["left_at"] is not None:
            yield "left"
        if row["status"] in ("accepted", "queued", "dead_letter"):
            yield f"stuck: {row['status']}"
    for conversation in talker.conversations:
        for message in conversation.said:
            yield from stored.find_faults(message)


def _thread_faults(talker: Talker, http: httpx.Client, owner: str) -> Iterator[str]:
    for conversation in talker.conversations:
        said = [each.text for each in conversation.said]
        told = talker.door.read_thread(http, conversation, owner)
        persons = [text for role, text in told if role == "human"]
        expected = [each.text for each in conversation.said if each.is_answered or each.text in persons]
        if persons != expected:
            yield f"the thread tells {persons} instead of {expected} of {said}, as {told}"
        for place, (role, text) in enumerate(told):
            message = next((each for each in conversation.said if each.text == text), None)
            is_last = place + 1 == len(told)
            if role == "human" and message and message.is_answered and (is_last or told[place + 1][0] != "ai"):
                yield f"the thread has no reply to {text}"


def _wait_for_answers(talkers: Sequence[Talker]) -> None:
    before = [talker.answers for talker in talkers]
    deadline = time.monotonic() + PATIENCE
    while any(talker.answers <= known for talker, known in zip(talkers, before, strict=True)):
        faults = [fault for talker in talkers for fault in talker.faults]
        assert time.monotonic() < deadline, faults
        assert faults == []
        time.sleep(0.02)


def _name() -> str:
    """A word that nothing else is called."""
    # No syllable twice: "haha" in a name is laughter, and what is said with it a joke.
    return "".join(random.sample(_SYLLABLES, 6))
