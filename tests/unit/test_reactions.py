"""Only agreement praises a memory; what merely stood in the prompt is not judged by what was said about another."""

from uuid import UUID

import pytest

from brain.reactions import reactions
from memory.receipts import InjectedMemory
from memory.session_state import SessionState
from memory.turns import Event
from tests.contract.builders import at

REPLY = "You like green tea, so I would go for a sencha in the morning."
TEA, DOG = (
    InjectedMemory(receipt_id=UUID(int=n), memory_id=UUID(int=n), lane="fact", text=text)
    for n, text in enumerate(("I like green tea", "My dog is called Rex"))
)


def opened() -> SessionState:
    said = Event(
        event_id=UUID(int=9),
        session_id=UUID(int=8),
        position=1,
        role="assistant",
        speaker="assistant",
        text=REPLY,
        sha256="",
        occurred_at=at(),
        time_zone="UTC",
    )
    return SessionState(window=(said,), injected=(TEA, DOG))


@pytest.mark.parametrize(
    ("text", "signal", "used", "welcome"),
    [
        ("Exactly!", "affirm", [True, None], True),
        ("Is sencha strong?", "deepen", [True, None], False),
        ("What is the capital of Peru?", "silence", [False, False], False),
        ("I drink my tea cold", "silence", [None, None], False),
        ("No, I never said that", "correct", [None, None], False),
    ],
)
def test_the_next_words_judge_what_the_reply_drew_on(text: str, signal: str, used: list[bool | None], welcome: bool):
    told = reactions(opened(), text)
    assert [each.utilized for each in told] == used
    assert {(each.signal, each.is_welcome) for each in told} == {(signal, welcome)}


def test_without_injections_there_is_nothing_to_judge():
    assert reactions(None, "Exactly!") == reactions(SessionState(), "Exactly!") == ()
