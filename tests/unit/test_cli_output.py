"""What leaves the command line: JSON that parses, text that cannot harm the terminal."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import pytest

from apps.cli.output import emit, printable, show_table


@dataclass(frozen=True)
class Pair:
    id: UUID
    at: datetime


def test_json_is_one_line_and_keeps_every_script(capsys: pytest.CaptureFixture[str]):
    emit({"said": "我喜欢绿茶\n🍵", "pair": Pair(UUID(int=1), datetime(2026, 1, 2, tzinfo=UTC))})
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    assert json.loads(printed) == {
        "said": "我喜欢绿茶\n🍵",
        "pair": {"id": "00000000-0000-0000-0000-000000000001", "at": "2026-01-02T00:00:00+00:00"},
    }


def test_json_of_something_without_a_form_is_refused():
    with pytest.raises(TypeError, match="object has no JSON form"):
        emit(object())


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain 茶\twith\nlines", "plain 茶\twith\nlines"),
        ("\x1b[31mred", "\ufffd[31mred"),
        ("bell\x07, C1 \x9b", "bell\ufffd, C1 \ufffd"),
        ("half \ud800 pair", "half ? pair"),
    ],
)
def test_text_is_shown_without_what_drives_a_terminal(text: str, shown: str):
    assert printable(text) == shown


def test_the_last_column_wraps_so_that_the_others_stay_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "60")
    show_table(("id", "memory"), [("0123456789" * 3, "word " * 40)])
    lines = capsys.readouterr().out.splitlines()
    assert "0123456789" * 3 in lines[1]
    assert all(len(line) <= 60 for line in lines)
    assert "".join(lines).count("word") == 40


def test_a_cell_is_taken_literally(capsys: pytest.CaptureFixture[str]):
    show_table(("memory",), [("[bold]not markup[/bold]",)])
    assert "[bold]not markup[/bold]" in capsys.readouterr().out
