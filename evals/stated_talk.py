"""Made-up conversations with statements in them that are worth remembering, and a model that notes these down at once.

They measure how long the work takes, not how well it is done: each statement is one that the rules know as well.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar
from uuid import uuid4

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

from brain.models.errors import ModelUnavailable
from brain.models.port import ToolSpec
from brain.resources import utc_now
from evals.made_up_talk import sayings
from evolution.extraction.form import NotedMemory, NotedType, Notes
from memory.turns import Capture, Role, SessionRef, Utterance

STATED_SHARE = 0.5
"""Of the turns, how many state something; the others are ordinary talk."""
REPLY = "I see. Tell me more about it."
T = TypeVar("T", bound=BaseModel)

_SYLLABLES = "ba ka to mi ren sol ve dar lin po sha gu tes ni mor al zu fen ro ki"
_TURN = re.compile(r'<turn number="(?P<number>\d+)" speaker="[^"]*" who="person"[^>]*>(?P<text>.*?)</turn>')


@dataclass(frozen=True)
class Kind:
    """A sort of statement: its words around what is stated, and how a model would file it."""

    before: str
    predicate: str
    type: NotedType

    @property
    def pattern(self) -> re.Pattern[str]:
        """The statement anywhere in a turn, and the thing stated."""
        return re.compile(rf"{re.escape(self.before)} (\w+)\.")


KINDS = (
    Kind("I am allergic to", "allergic_to", "constraint"),
    Kind("I work at", "works_at", "fact"),
    Kind("I live in", "lives_in", "fact"),
    Kind("I really like", "likes", "preference"),
    Kind("I don't like", "dislikes", "preference"),
    Kind("I love the game", "favourite_game", "preference"),
)


def statement(chance: Random) -> str:
    """Something to remember about the speaker, with a word that nobody said before."""
    return f"{chance.choice(KINDS).before} {_new_word(chance)}."


def correction(chance: Random) -> str:
    """Something that takes back where the speaker lives, with a word that nobody said before."""
    return f"Actually I moved to {_new_word(chance)}."


def _new_word(chance: Random) -> str:
    return "".join(chance.choices(_SYLLABLES.split(), k=5)).capitalize()


def turns(count: int, seed: int) -> Iterator[str]:
    """What one person says, turn after turn."""
    chance = Random(seed)
    for saying in sayings(count, seed):
        yield statement(chance) if chance.random() < STATED_SHARE else saying.text


def a_session(name: str) -> SessionRef:
    """A conversation that nobody had before."""
    return SessionRef(session_id=uuid4(), name=name, user_name="somebody", tenant_name="made up")


def a_turn(text: str, session: SessionRef) -> Capture:
    """What a turn leaves behind: both sides of the conversation."""
    spoken: tuple[tuple[Role, str, str], ...] = (("user", "user", text), ("assistant", "assistant", REPLY))
    return Capture(
        operation_id=uuid4(),
        session=session,
        utterances=tuple(
            Utterance(event_id=uuid4(), role=role, speaker=speaker, text=words, occurred_at=utc_now())
            for role, speaker, words in spoken
        ),
    )


@dataclass(frozen=True)
class InstantNotes:
    """A model that notes down what is stated, true to the letter; at once, unless told how many seconds it takes."""

    seconds: float = 0.0
    name: str = "instant"

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        """Nobody talks to it."""
        return AIMessage("I see.")

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """Notes of the turns in the prompt; other forms are left to the rules."""
        await asyncio.sleep(self.seconds)
        prompt = "\n".join(message.text for message in messages)
        form = Notes(memories=[note for turn in _TURN.finditer(prompt) for note in _notes(turn)])
        if not isinstance(form, schema):
            raise ModelUnavailable("model_bad_request")
        return form


def _notes(turn: re.Match[str]) -> Iterator[NotedMemory]:
    for kind in KINDS:
        for found in kind.pattern.finditer(turn["text"]):
            yield NotedMemory(
                turn=int(turn["number"]),
                quote=found[0],
                type=kind.type,
                subject="user",
                predicate=kind.predicate,
                object=found[1],
                content=f"The user {kind.predicate.replace('_', ' ')} {found[1]}.",
            )
