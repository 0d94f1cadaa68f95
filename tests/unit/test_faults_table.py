"""``docs/faults.md`` is held to the tests that it names: each row by at least one that is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "tests" / "integration", ROOT / "tests" / "unit", ROOT / "tests" / "contract")
ROWS = [
    line.strip().strip("|").split(" | ")
    for line in (ROOT / "docs" / "faults.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and "---" not in line and not line.startswith("| fault |")
]
NAMED = re.compile(r"`([a-z_/]+\.py)(?:::(test_[a-z0-9_]+))?`")


def test_there_are_rows_with_all_their_columns():
    assert len(ROWS) > 20
    assert {len(row) for row in ROWS} == {5}


@pytest.mark.parametrize("row", ROWS, ids=[row[0].strip() for row in ROWS])
def test_each_fault_is_shown_by_tests_that_there_are(row: list[str]):
    named: list[tuple[str, str]] = NAMED.findall(row[-1])
    assert named
    for file, test in named:
        texts = [(folder / file).read_text("utf-8") for folder in FOLDERS if (folder / file).exists()]
        assert any(re.search(rf"def {test or 'test_'}", text) for text in texts), f"{file}::{test}"
