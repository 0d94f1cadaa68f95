"""Conversations as people name them."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from apps.cli.sessions import _block_text  # pyright: ignore[reportPrivateUsage]
from apps.memory_api.sessions import SummaryBlock
from apps.views.session_names import find_session
from memory.errors import BrainError
from memory.sessions import SessionInfo

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def a_session(name: str, number: int) -> SessionInfo:
    return SessionInfo(
        session_id=UUID(f"{number:08x}-0000-0000-0000-000000000000"),
        name=name,
        status="active",
        turns=1,
        blocks=0,
        entity_slots={},
        started_at=NOON,
        last_at=NOON,
        expires_at=NOON,
    )


KNOWN = [a_session("monday", 0xAB1), a_session("friday", 0xAB2), a_session("00000ab1", 0xCD)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("friday", "friday"), ("00000ab2", "friday"), ("00000AB2", "friday"), ("00000ab1", "00000ab1")],
)
def test_a_session_goes_by_its_name_or_else_by_its_id(name: str, expected: str):
    assert find_session(KNOWN, name).name == expected


@pytest.mark.parametrize(("name", "code"), [("0000", "E_BAD_REQUEST"), ("sunday", "E_NOT_FOUND"), ("", "E_NOT_FOUND")])
def test_what_names_none_or_several_is_refused(name: str, code: str):
    with pytest.raises(BrainError, match=code):
        find_session(KNOWN, name)


@pytest.mark.parametrize(
    ("text", "withdrawn", "told"), [("Tea.", False, "Tea."), ("", False, "nothing"), ("", True, "withdrawn")]
)
def test_a_block_says_what_it_says_or_why_it_says_nothing(text: str, withdrawn: bool, told: str):
    block = SummaryBlock(
        block=0, text=text, sources=[], first_turn=0, last_turn=0, started_at=NOON, ended_at=NOON, withdrawn=withdrawn
    )
    assert told in _block_text(block)


@pytest.mark.parametrize(
    ("opening", "title"),
    [
        ("I moved to Ghent. It rains.", "I moved to Ghent"),
        ("我上个月搬到了上海。天气不错。", "我上个月搬到了上海"),
        ("", "Conversation"),
    ],
)
def test_a_conversation_is_called_by_its_first_words(opening: str, title: str):
    assert replace(a_session("s", 1), opening=opening).title == title
