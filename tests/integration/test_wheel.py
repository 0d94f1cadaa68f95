"""What is installed: every room of the product with its data files, and none of the measurements."""

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = {
    "apps",
    "brain",
    "evolution",
    "graphs",
    "knowledge",
    "language",
    "memory",
    "migrations",
    "nodes",
    "prompts",
    "skills",
}
DATA = {".css", ".html", ".js", ".json", ".md", ".npz", ".sql", ".svg", ".toml", ".txt"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names in a wheel that was built from a copy of the sources, with the setuptools of this environment."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    for room in ROOMS | {"evals"}:
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    build = f"from setuptools import build_meta; build_meta.build_wheel({str(out)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=source, check=True, capture_output=True)
    (built,) = out.glob("*.whl")
    return set(ZipFile(built).namelist())


def test_the_wheel_holds_the_product_and_no_measurements(wheel: set[str]):
    assert {name.split("/")[0] for name in wheel if ".dist-info/" not in name} == ROOMS


def test_the_wheel_holds_every_source_file_and_every_data_file(wheel: set[str]):
    files = {path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in DATA | {".py"}}
    missing = {str(path.relative_to(ROOT)) for path in files} - wheel
    assert missing <= {str(path.relative_to(ROOT)) for path in ROOT.glob("*/README.md")}
