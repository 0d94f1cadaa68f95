"""What leaves the command line: JSON that parses, text that cannot harm the terminal."""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import pytest
from rich.cells import cell_len

from apps.cli.output import emit, plain_text, printable, show_table


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


@pytest.mark.parametrize("width", ["24", "80"])
def test_texts_wrap_in_every_column_and_nothing_is_cut_off(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: str
):
    monkeypatch.setenv("COLUMNS", width)
    row = ("1", "correct", "asked for on the command line, twice", "2026-11-21 14:27", "I live in Wuxi " * 5)
    show_table(("version", "change", "why", "when", "memory"), [row])
    printed = capsys.readouterr().out
    assert all(len(line) <= int(width) for line in printed.splitlines())
    assert printed.count("Wuxi") == 5 or width == "24"
    shown = sorted("".join(printed.split()))
    assert shown == sorted("".join(("version", "change", "why", "when", "memory", *row)).replace(" ", ""))


def test_chinese_is_measured_by_columns(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "80")
    said = "我喜欢喝龙井茶，住在上海浦东新区世纪大道一百号。" * 3
    show_table(("score", "said", "speaker", "from", "memory"), [("0.512", "2026-11-21", "丽", "星期一 1", said)] * 2)
    printed = capsys.readouterr().out
    assert max(cell_len(line) for line in printed.splitlines()) <= 80
    assert printed.count("龙") == 6


def test_ids_and_times_stay_whole_in_a_terminal_of_the_usual_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "80")
    show_table(("id", "why", "when", "memory"), [("01a1fe81-3091", "because " * 9, "2026-11-21 14:27", "word " * 20)])
    assert re.search("01a1fe81-3091 .* 2026-11-21 14:27 ", capsys.readouterr().out)


def test_a_long_name_wraps_before_a_day_does(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "80")
    row = ("0.512", "2026-11-21", "user", "0b6b1e2a-6a0f-4b7e-8f65-2f9f5f1a7d01", "I live in Wuxi " * 3)
    show_table(("score", "said", "speaker-of-it-all", "from", "memory"), [row])
    printed = capsys.readouterr().out
    assert all(len(line) <= 80 for line in printed.splitlines())
    assert "0.512  2026-11-21  user" in printed


def test_values_of_a_memory_are_written_as_a_person_would():
    said = {"level": "observation", "events": ["a", "b"]}
    assert [plain_text(value) for value in (None, True, False, ("x", "y"), said, 0.5)] == [
        "",
        "yes",
        "no",
        "x, y",
        "level observation; events a, b",
        "0.5",
    ]


def test_a_cell_is_taken_literally(capsys: pytest.CaptureFixture[str]):
    show_table(("memory",), [("[bold]not markup[/bold]",)])
    assert "[bold]not markup[/bold]" in capsys.readouterr().out
