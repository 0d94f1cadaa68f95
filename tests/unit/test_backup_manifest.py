"""What is taken for the manifest of a backup."""

import json
from pathlib import Path
from typing import Any

import pytest

from apps.backups.manifest import MANIFEST, find_backup
from memory.errors import BrainError

SEALED: dict[str, Any] = {"backup": "0a1b", "columns": {"brain.names": ["name"]}, "references": []}
WHOLE: dict[str, Any] = {
    "format": 2,
    "brain": "1.0",
    "server": 180_000,
    "made_at": "2026-01-01T00:00:00Z",
    "migrations": {},
    "rows": {"brain.names": 1},
    "left_out": [],
    "files": {},
    "sealed": SEALED,
}


def write(folder: Path, **changes: Any) -> Path:
    (folder / MANIFEST).write_text(json.dumps(WHOLE | changes))
    return folder


def test_a_manifest_is_read_as_it_was_written(tmp_path: Path):
    assert find_backup(write(tmp_path)).manifest.rows == {"brain.names": 1}
    assert find_backup(write(tmp_path, format=1, sealed=None)).manifest.sealed is None


@pytest.mark.parametrize(
    "changes",
    [{"sealed": None}, {"format": 1}, {"rows": {}}, {"sealed": SEALED | {"backup": "zz"}}],
    ids=["no sealed rows", "plain ones of before that are sealed", "rows not counted", "no name of a backup"],
)
def test_a_manifest_that_contradicts_itself_is_none_of_ours(changes: dict[str, Any], tmp_path: Path):
    with pytest.raises(BrainError, match=r"E_BAD_REQUEST: .* is none of Brain\'s"):
        find_backup(write(tmp_path, **changes))
