"""The arithmetic of what a million people need, the layout of great tables, and vectors of one byte."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evals.scale.loading import CROWD, SMALL, Layout
from evals.scale.one_byte import LEVELS, as_bytes, as_halves
from evals.scale.paper import FREEZE_AFTER, MEASURED, Assumptions, Turn, compute, paper_lines, read_turns

TURN = Turn(
    rows={"brain.log": 2.0, "checkpoint.blobs": 14.0},
    size={"brain.log": 4_000.0, "checkpoint.blobs": 9_000.0},
    wal=50_000.0,
    transactions=5.0,
)
GIVEN = Assumptions(people=1e6, turns=1e3, months=10, cell_gb=1_000, peak=4, turn_ms=100, busy=0.5, full_pages=2)


def test_what_upkeep_trims_is_no_part_of_what_stays():
    assert TURN.kept == 4_000
    assert TURN.trimmed == 9_000


def test_a_billion_turns():
    paper = compute(TURN, GIVEN)
    assert paper.turns == 1e9
    assert paper.kept_bytes == 4e12
    assert paper.cells == 4
    assert paper.turns_per_second == pytest.approx(1e9 / (10 * 30 * 86_400))
    assert paper.peak_cores == pytest.approx(paper.turns_per_second * 4 * 0.1 / 0.5)
    assert paper.wal_gb_day == pytest.approx(1e9 / 300 * 50_000 * 2 / 1e9)
    assert paper.freeze_days == pytest.approx(FREEZE_AFTER / (1e9 / 300 / 4 * 5))


def test_the_price_is_that_of_a_person_and_month():
    given = Assumptions(price_gb=1, price_backup_gb=0, price_core=0, replicas=2, people=1e6, turns=1e3)
    assert compute(TURN, given).cost == pytest.approx(2 * 4_000 * 1e3 / 1e9)


def test_little_talk_still_needs_a_cell():
    assert compute(TURN, Assumptions(people=1, turns=1)).cells == 1


def test_what_was_measured_is_read_with_its_mean(tmp_path: Path):
    month: dict[str, Any] = {"language": "en", "model": False, "wal": 10.0, "transactions": 2.0}
    one = {**month, "tables": {"brain.a": {"rows": 1.0, "heap": 10.0, "indexes": 4.0}}}
    other: dict[str, Any] = {**month, "language": "zh", "model": True, "wal": 30.0, "tables": {}}
    path = tmp_path / "scale.json"
    path.write_text(json.dumps({"month": [one, other]}))
    turns = read_turns(path)
    assert list(turns) == ["en, rules", "zh, model", "mean"]
    assert turns["mean"].size == {"brain.a": 7.0}
    assert turns["mean"].wal == 20.0


def test_the_shipped_figures_make_a_page():
    lines = list(paper_lines(compute(read_turns(MEASURED)["mean"], GIVEN), GIVEN))
    assert lines[0].split()[1] == "1,000,000,000"


def test_rows_of_a_layout_add_up():
    layout = Layout(rows=100_000, dimensions=0, sizes=(100, 1_000))
    asked = sum(each.memories for each in layout.asked)
    assert {each.tenant for each in layout.asked} == {SMALL, CROWD}
    assert asked + 5 * layout.crowd + layout.others == layout.rows


def test_a_byte_a_dimension_keeps_a_vector_within_half_a_step():
    vectors = np.random.default_rng(1).standard_normal((20, 512)).astype(np.float32)
    step = np.abs(vectors).max(axis=1, keepdims=True) / LEVELS
    assert (np.abs(as_bytes(vectors) - vectors) <= step * 0.501).all()
    assert np.abs(as_halves(vectors) - vectors).max() < 0.002


def test_a_vector_of_zeros_stays_one():
    assert not as_bytes(np.zeros((1, 4), np.float32)).any()
