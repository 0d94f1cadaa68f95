"""Attacks that no other file tries: shared sessions, crowds at one session, text made to keep the rules busy."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from brain.safety.sanitizer import sanitize_text
from language.statements import read_statements as read_statements
from language.times import find_times
from memory.errors import BrainError
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.scope import Scope
from tests.contract.builders import a_session, a_turn, said
from tests.effort import assert_takes_less_than

LONGEST = 200_000
SECONDS = 10.0
"""Far above what linear reading takes, far below what quadratic reading of so much text would."""
NOW = datetime(2025, 5, 5, tzinfo=UTC)


async def test_a_turn_cannot_join_a_session_of_another_person(database: Database, scope: Scope):
    memory, session = postgres_memory(database), a_session()
    await memory.log.capture(scope, a_turn(said("My locker code is 7731"), session=session))
    stranger = replace(scope, user_id=uuid4())
    with pytest.raises(BrainError) as refused:
        await memory.log.capture(stranger, a_turn(said("Let me in"), session=session))
    assert refused.value.code == "E_TENANT_FORBIDDEN"
    assert (await memory.log.open(stranger, session.session_id, 10)).window == ()
    assert [event.text for event in (await memory.log.open(scope, session.session_id, 10)).window] == [
        "My locker code is 7731"
    ]


async def test_twenty_turns_at_once_in_one_session_are_all_kept_in_an_order(database: Database, scope: Scope):
    memory, session = postgres_memory(database), a_session()
    turns = [a_turn(said(f"Turn {number}"), session=session) for number in range(20)]
    await asyncio.gather(*(memory.log.capture(scope, turn) for turn in turns))
    window = (await memory.log.open(scope, session.session_id, 50)).window
    assert {event.text for event in window} == {f"Turn {number}" for number in range(20)}
    assert [event.position for event in window] == list(range(20))


@pytest.mark.parametrize("unit", ["1月", "not X but Y ", "drop table ", "<user_memory ", "a b ", "[a](", "他说「"])
def test_text_made_to_keep_the_rules_busy_is_read_in_linear_time(unit: str):
    text = unit * (LONGEST // len(unit))

    def work() -> None:
        sanitize_text(text)
        find_times(text[: LONGEST // 4], NOW, "UTC")
        read_statements(text)

    assert_takes_less_than(SECONDS, work)
