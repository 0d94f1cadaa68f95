"""Names that nobody could tell apart or type again are refused where they come in, with a code."""

import json
from pathlib import Path

import pytest

from apps.cli.options import PersonOptions
from apps.ingestion.conversation_file import read_lines
from apps.servers.auth import require_valid_context
from brain.context import Context
from memory.errors import BrainError
from memory.names import MAX_NAME, require_name
from memory.scope import DmScope, Speaker, name_id, scope_of

UNUSABLE = [
    " ",
    "\u3000\u00a0",
    "\u200b\u200d\u2060\ufeff",
    "\u3164",
    "\u2800",
    "\ufe0f",
    "\U000e0041",
    "an\nn",
    "ann\x00",
    "ann\x1b[2J",
    "ann\x85",
    "ann\u2028",
    "\ud800",
    "a" * (MAX_NAME + 1),
]
USABLE = ["ann", "ann@example.com", "O'Neil jr.", "丽", "نیلوفر\u200cنام", "👩\u200d💻", "क्\u200dष", "a" * MAX_NAME]

unusable = pytest.mark.parametrize("name", UNUSABLE, ids=ascii)


@pytest.mark.parametrize("name", USABLE, ids=ascii)
def test_names_of_people_stay_as_they_are(name: str):
    assert require_name("user", name) == name
    assert Context(user=name, session=name, channel=name).user == name


@unusable
def test_a_name_that_cannot_be_seen_or_typed_is_none(name: str):
    with pytest.raises(BrainError, match=r"E_BAD_REQUEST: The (user name|text) "):
        require_name("user", name)
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        name_id("session", "tenant", "main", name)


@unusable
@pytest.mark.parametrize("field", ["tenant", "user", "session", "channel", "channel_type", "account"])
def test_the_context_of_a_run_refuses_it(field: str, name: str):
    with pytest.raises(BrainError, match=f"E_BAD_REQUEST: The ({field} name|text) "):
        Context(**{field: name})  # pyright: ignore[reportArgumentType]
    with pytest.raises(BrainError, match=f"E_BAD_REQUEST: The ({field} name|text) "):
        require_valid_context({field: name})


@unusable
@pytest.mark.parametrize("field", ["tenant", "user", "channel"])
def test_the_command_line_refuses_it(field: str, name: str):
    with pytest.raises(BrainError, match=f"E_BAD_REQUEST: The ({field} name|text) "):
        PersonOptions(**{field: name})


@unusable
@pytest.mark.parametrize("dm_scope", ["main", "per-account-channel-peer"])
def test_no_rows_belong_to_it(dm_scope: DmScope, name: str):
    for speaker in (
        Speaker(tenant=name, user="ann"),
        Speaker(tenant="acme", user=name),
        Speaker(tenant="acme", user="ann", channel=name),
    ):
        with pytest.raises(BrainError, match="E_BAD_REQUEST"):
            scope_of(speaker, dm_scope)


@pytest.mark.parametrize("name", [name for name in UNUSABLE if name != "\ud800"], ids=ascii)
def test_a_recording_with_it_is_refused(tmp_path: Path, name: str):
    turn = {"turn_id": "1", "speaker": "Ann", "text": "Hello."}
    session = {"session_id": "s", "occurred_at": "2026-03-02", "turns": [turn]}
    file = tmp_path / "talk.jsonl"
    for conversation in (
        {"conversation_id": name, "sessions": [session]},
        {"conversation_id": "ann", "sessions": [{**session, "session_id": name}]},
        {"conversation_id": "ann", "sessions": [{**session, "turns": [{**turn, "speaker": name}]}]},
    ):
        file.write_text(json.dumps(conversation), "utf-8")
        (line,) = read_lines(file)
        assert isinstance(line.content, BrainError)
        assert line.content.code == "E_BAD_REQUEST"
        assert "name" in line.content.message
