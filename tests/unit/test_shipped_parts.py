"""What is shipped: each part's licence is told and permitted, and a commit makes one wheel."""

import re
import runpy
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PERMISSIVE = re.compile(
    r"MIT|MIT-0|MIT License|0BSD|BSD-\d-Clause|BSD License|Apache-2\.0|Apache Software License|ISC License \(ISCL\)|"
    r"PSF-2\.0|Zlib|CC0-1\.0|CNRI-Python|MPL-2\.0|Mozilla Public License 2\.0 \(MPL 2\.0\)|LGPL-3\.0-only"
)
"""What Brain's own licence goes together with when it only imports."""


def test_every_installed_package_stands_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    """In the very version that is installed; ``make licences`` writes it anew."""
    tools = runpy.run_path(str(ROOT / ".ci" / "licences.py"))

    assert tools["main"]() == 0

    assert (ROOT / "LICENCES.md").read_text("utf-8") == capsys.readouterr().out


def test_every_licence_may_be_used() -> None:
    rows = re.findall(r"^\| [\w.-]+ \| \d[\w.]* \| (.+) \|$", (ROOT / "LICENCES.md").read_text("utf-8"), re.MULTILINE)

    told = {each.strip(" ()") if each.count("(") != each.count(")") else each for row in rows for each in _parts(row)}

    assert len(rows) > 80
    assert not [each for each in told if not PERMISSIVE.fullmatch(each)]


@pytest.mark.exhaustive
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="a wheel is made of a commit, and this is no clone")
def test_a_commit_makes_the_same_wheel_whoever_builds_it(tmp_path: Path) -> None:
    made = [_build(tmp_path / str(umask), umask) for umask in (0o077, 0o002)]

    assert sha256(made[0].read_bytes()).digest() == sha256(made[1].read_bytes()).digest()


def _parts(row: str) -> list[str]:
    return re.split(r" AND | OR |; ", row)


def _build(folder: Path, umask: int) -> Path:
    folder.mkdir()
    subprocess.run([sys.executable, ROOT / ".ci" / "wheel.py", folder], check=True, capture_output=True, umask=umask)
    return next(folder.glob("*.whl"))
