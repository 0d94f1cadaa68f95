"""``brain eval memory`` on a real PostgreSQL: lived through as in life, judged, and nothing left behind."""

import json
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from apps.cli import app
from evals.evaluation.memory_data import read_labelled
from evals.evaluation.own_data import LABELLED, RECORDED, own_data


@pytest.fixture
def brain(monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The command line without embeddings of its own; returns the exit code."""
    monkeypatch.setenv("BRAIN_EMBEDDINGS", "none")

    def run(*words: object) -> int:
        with pytest.raises(SystemExit) as left:
            app([str(word) for word in ("eval", "memory", *words)])
        return int(str(left.value.code))

    return run


@pytest.fixture
def a_few(tmp_path: Path) -> Path:
    """A private conversation and a group's, of which the first was recorded too."""
    chosen = {"en-three-cities", "en-flatmates"}
    kept: list[str] = []
    for path in own_data(LABELLED):
        name = ""
        for line in path.read_text("utf-8").splitlines():
            name = json.loads(line).get("conversation", name)
            kept += [line] if name in chosen else []
    file = tmp_path / "few.jsonl"
    file.write_text("\n".join(kept), "utf-8")
    assert {each.name for each in read_labelled(file).conversations} == chosen
    return file


def databases(server_url: str) -> set[str]:
    with psycopg.connect(server_url) as connection:
        return {str(name) for (name,) in connection.execute("select datname from pg_database").fetchall()}


def test_the_same_is_remembered_each_time_and_no_database_is_left(
    brain: Callable[..., int], a_few: Path, server_url: str, tmp_path: Path
) -> None:
    before = databases(server_url)
    found, again = tmp_path / "found.json", tmp_path / "again.json"
    assert brain("--data", a_few, "--server", server_url, "--json", found) == 0
    assert brain("--data", a_few, "--server", server_url, "--json", again) == 0
    told = json.loads(found.read_text())["halves"]
    assert told == json.loads(again.read_text())["halves"]
    assert told[0]["conversations"] == 2
    assert told[0]["total"]["traceable"]["part"] == told[0]["total"]["traceable"]["whole"] > 0
    assert databases(server_url) == before


def test_recorded_answers_say_that_they_are_recorded(
    brain: Callable[..., int], a_few: Path, server_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert brain("--data", a_few, "--server", server_url, "--recorded", "--recording", *own_data(RECORDED)) == 0
    told = capsys.readouterr().out
    assert "1 conversations · recorded answers of a model" in told
    assert "Nobody was asked" in told


def test_a_baseline_that_is_better_closes_the_gate(
    brain: Callable[..., int], a_few: Path, server_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "baseline.json"
    assert brain("--data", a_few, "--server", server_url, "--save-baseline", file) == 0
    assert brain("--data", a_few, "--server", server_url, "--gate", file) == 0
    baseline = json.loads(file.read_text())
    shares = baseline["halves"][0]["shares"]["all"]
    better = next(
        share for name, share in shares.items() if name in ("recall", "precision") and share["part"] < share["whole"]
    )
    better["part"] = better["whole"]
    file.write_text(json.dumps(baseline))
    assert brain("--data", a_few, "--server", server_url, "--gate", file) != 0


def test_a_half_of_which_nothing_is_there_is_refused(
    brain: Callable[..., int], a_few: Path, server_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert brain("--data", a_few, "--server", server_url, "--split", "held") != 0
    assert "Nothing of the held half" in capsys.readouterr().err
