"""``brain eval retrieval`` on a real PostgreSQL: our own questions hold their baseline, and nothing is left behind."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from psycopg import conninfo

from apps.calibration.weights import WEIGHTS
from apps.cli import app
from evals.evaluation.own_data import EVERYDAY, own_data
from memory.postgres.roles import Addresses
from tests.tiny_onnx import embedding_model

(DATA,) = own_data(EVERYDAY)
BASELINE = DATA.with_name("everyday.baseline.json")


@pytest.fixture
def brain(server_url: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The command line on the session's server, without embeddings or files of its own; returns the exit code."""
    monkeypatch.setenv("BRAIN_DATABASE_URL", server_url)
    monkeypatch.setenv("BRAIN_EMBEDDINGS", "none")

    def run(*words: object) -> int:
        with pytest.raises(SystemExit) as left:
            app([str(word) for word in ("eval", "retrieval", *words)])
        return int(str(left.value.code))

    return run


def databases(server_url: str) -> set[str]:
    with psycopg.connect(server_url) as connection:
        return {str(name) for (name,) in connection.execute("select datname from pg_database").fetchall()}


def a_talk(folder: Path, questions: Sequence[dict[str, object]]) -> Path:
    """A conversation in which tea and trains are spoken of, on two days."""
    said = [("My sister drinks oolong tea", "The train was late again"), ("The oolong is from Fujian", "Good night")]
    sessions = [
        {
            "session_id": f"s{day}",
            "occurred_at": f"2024-05-0{day}T09:00:00",
            "turns": [
                {"turn_id": f"s{day}:{n}", "speaker": "ann", "text": text} for n, text in enumerate(texts, start=1)
            ],
        }
        for day, texts in enumerate(said, start=1)
    ]
    file = folder / "talk.jsonl"
    talk = {"conversation_id": "c", "language": "en", "sessions": sessions, "questions": questions}
    file.write_text(json.dumps(talk))
    return file


def asks(text: str, *evidence: str, category: str = "fact") -> dict[str, object]:
    return {"question_id": text, "question": text, "category": category, "evidence": evidence}


def test_our_own_questions_hold_their_baseline(brain: Callable[..., int], capsys: pytest.CaptureFixture[str]):
    code = brain("--no-embeddings", "--policy", "blend@4", "--gate", BASELINE)
    told = capsys.readouterr()
    assert code == 0, told.err
    assert "everyday.jsonl · policy blend@4 · embeddings none" in told.out


def test_our_own_set_asks_in_both_languages_and_labels_every_question():
    talks = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
    assert sorted(talk["language"] for talk in talks) == ["en"] * 6 + ["zh"] * 6
    questions = [question for talk in talks for question in talk["questions"]]
    assert len(questions) >= 120
    assert all(question["evidence"] for question in questions)


def test_questions_are_answered_by_turns_and_judged_by_their_labels(brain: Callable[..., int], tmp_path: Path):
    file = a_talk(
        tmp_path,
        [
            asks("Who drinks oolong?", "s1:1"),
            asks("Where is the oolong from, and what was late?", "s2:1", "s1:2"),
            asks("Who drinks coffee?", category="fact"),
            asks("Why was the bus late?", "s1:2", category="adversarial"),
        ],
    )
    out = tmp_path / "figures.json"
    assert brain("--data", file, "--k", 1, "--k", 4, "--json", out) == 0
    [figures] = json.loads(out.read_text())["files"]
    assert figures["skipped"] == 1
    assert figures["degraded"] == 0
    assert figures["total"]["questions"] == 2
    assert figures["total"]["recall"] == {"1": 0.75, "4": 1.0}
    assert figures["total"]["hit"] == {"1": 1.0, "4": 1.0}
    assert figures["total"]["mrr"] == 1.0
    assert figures["total"]["session_recall"]["5"] == 1.0
    assert figures["total"]["tokens"] > 10
    assert figures["total"]["p50_ms"] > 0
    assert figures["adversarial"]["questions"] == 1


def test_what_was_ranked_is_written_down_with_its_place_in_the_turn(brain: Callable[..., int], tmp_path: Path):
    file, out = a_talk(tmp_path, [asks("Who drinks oolong?", "s1:1"), asks("Why late?", "s1:2")]), tmp_path / "ranks"
    out.write_text("older\n")
    assert brain(file, "--no-embeddings", "--ranks", out) == 0
    first, second = map(json.loads, out.read_text("utf-8").splitlines())
    assert (first["question_id"], first["evidence"], second["evidence"]) == (
        "Who drinks oolong?",
        [["s1:1"]],
        [["s1:2"]],
    )
    best = first["ranked"][0]
    assert (best["turn_id"], best["lane"], best["start"], best["end"]) == ("s1:1", "turn", 0, 27)
    assert best["score"] >= first["ranked"][1]["score"]


def test_a_lower_figure_than_the_baseline_fails_the_command(
    brain: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file, baseline = a_talk(tmp_path, [asks("What time is it?", "s2:1")] * 2), tmp_path / "baseline.json"
    assert brain(file, "--k", 1, "--save-baseline", baseline) == 0
    assert brain(file, "--k", 1, "--gate", baseline) == 0
    stored = json.loads(baseline.read_text())
    stored["files"][0]["shares"]["total"]["precision"]["1"] = 1.0
    baseline.write_text(json.dumps(stored))
    capsys.readouterr()
    assert brain(file, "--k", 1, "--gate", baseline) == 1
    assert "talk.jsonl, total: precision@1 fell from 100.0% to 0.0%" in capsys.readouterr().err


def test_the_database_of_a_measurement_is_gone_afterwards(brain: Callable[..., int], server_url: str, tmp_path: Path):
    before = databases(server_url)
    assert brain(a_talk(tmp_path, [asks("Who drinks oolong?", "s1:1")])) == 0
    assert databases(server_url) == before


def test_without_the_right_to_create_databases_it_measures_in_tenants_and_says_so(
    brain: Callable[..., int],
    test_addresses: Addresses,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setenv("BRAIN_DATABASE_URL", as_url(test_addresses.owner))
    monkeypatch.setenv("BRAIN_APP_DATABASE_URL", as_url(test_addresses.app))
    assert brain(a_talk(tmp_path, [asks("Who drinks oolong?", "s1:1")])) == 0
    assert "stays, in tenants eval-" in capsys.readouterr().err


def as_url(address: str) -> str:
    """The address as settings want it."""
    parts = conninfo.conninfo_to_dict(address)
    secret = f":{quote(str(parts['password']))}" if parts.get("password") else ""
    return f"postgresql://{parts['user']}{secret}@{parts.get('host', '')}:{parts.get('port', 5432)}/{parts['dbname']}"


def test_a_line_that_cannot_be_ingested_stops_the_measurement(
    brain: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = a_talk(tmp_path, [asks("Who drinks oolong?", "s1:1")])
    file.write_text(file.read_text().replace("My sister", "My \\u0000 sister"))
    assert brain(file) == 1
    assert "E_BAD_REQUEST" in capsys.readouterr().err


def a_bilingual_talk(folder: Path) -> Path:
    """What is asked in Chinese was said in English, and the other way round; words alone can find next to nothing."""
    said = ["My sister works", "The bakery is small", "My cat sleeps", "It rains again", "My tea is cold"]
    fillers = [f"Well, number {number} then" for number in range(40)]
    turns = [{"turn_id": f"t{n}", "speaker": "ann", "text": text} for n, text in enumerate([*said, *fillers])]
    asked = ["妹妹的工作", "面包", "猫", "雨", "茶"]
    questions = [
        {
            "question_id": f"q{n}",
            "question": asked[n % 5] + "？" * (1 + n // 5),
            "category": "fact",
            "evidence": [f"t{n % 5}"],
        }
        for n in range(35)
    ]
    questions += [
        {"question_id": "e1", "question": "Which number was it?", "category": "fact", "evidence": ["t7"]},
    ]
    sessions = [{"session_id": "s", "occurred_at": "2024-05-01T09:00:00", "turns": turns}]
    file = folder / "bilingual.jsonl"
    talk = {"conversation_id": "b", "language": "zh", "sessions": sessions, "questions": questions}
    file.write_text(json.dumps(talk))
    return file


def test_vectors_are_calibrated_and_recall_goes_by_it(
    brain: Callable[..., int],
    test_addresses: Addresses,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    model = embedding_model(tmp_path / "models" / "tiny")
    monkeypatch.setenv("BRAIN_EMBEDDINGS", f"local:{model}")
    monkeypatch.setenv("BRAIN_DATABASE_URL", as_url(test_addresses.owner))
    monkeypatch.setenv("BRAIN_APP_DATABASE_URL", as_url(test_addresses.app))
    assert (
        brain("--calibrate", "--data", a_bilingual_talk(tmp_path), "--tenant", "acme", "--json", tmp_path / "c.json")
        == 0
    )
    told = capsys.readouterr().out
    english, chinese = json.loads((tmp_path / "c.json").read_text())
    assert (english["language"], english["questions"]) == ("en", 1)
    assert [trial["weight"] for trial in chinese["trials"]] == list(WEIGHTS)
    assert chinese["trials"][0]["recall"] < 0.2
    assert max(trial["recall"] for trial in chinese["trials"]) == 1.0
    assert f"Kept for acme: local:{model} in zh " in told
    assert "in en" not in told.splitlines()[-1]
    with pytest.raises(SystemExit):
        app(["embed", "status", "--tenant", "acme", "--json"])
    (kept,) = json.loads(capsys.readouterr().out)["weights"]
    assert (kept["model"], kept["language"], kept["questions"]) == (f"local:{model}", "zh", 35)
    assert kept["weight"] > 0
    with pytest.raises(SystemExit) as left:
        app(["embed", "calibrate", str(tmp_path / "bilingual.jsonl"), "--tenant", "acme"])
    assert (left.value.code, capsys.readouterr().out) == (0, told)


def test_without_a_model_there_is_nothing_to_calibrate(brain: Callable[..., int], capsys: pytest.CaptureFixture[str]):
    assert brain("--calibrate") != 0
    assert "no embedding model to calibrate" in capsys.readouterr().err


def test_a_measurement_that_is_told_to_end_takes_its_server_with_it(reachable_folder: Path):
    folder = reachable_folder / "told-to-end"
    folder.mkdir()
    folder.chmod(0o711)
    measuring = subprocess.Popen(
        [sys.executable, "-m", "evals.near_misses"],
        env=os.environ | {"TMPDIR": str(folder)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 120
        while not list(folder.glob("brain-eval-*/server/postgres/**/postmaster.pid")):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        measuring.terminate()
        assert measuring.wait(60) != 0
    finally:
        measuring.kill()
    assert list(folder.iterdir()) == []
