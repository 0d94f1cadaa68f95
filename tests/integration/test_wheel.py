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
    "retrieval",
    "skills",
    "verifier",
}
DATA = {".css", ".html", ".js", ".json", ".md", ".npz", ".sql", ".svg", ".toml", ".txt"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    """A wheel that was built from a copy of the sources, with the setuptools of this environment."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    for room in ROOMS | {"evals"}:
        shutil.copytree(ROOT / room, source / room, ignore=shutil.ignore_patterns("__pycache__"))
    build = f"from setuptools import build_meta; build_meta.build_wheel({str(out)!r})"
    subprocess.run([sys.executable, "-c", build], cwd=source, check=True, capture_output=True)
    (path,) = out.glob("*.whl")
    return ZipFile(path)


@pytest.fixture(scope="module")
def wheel(built: ZipFile) -> set[str]:
    return set(built.namelist())


def test_the_wheel_holds_the_product_and_no_measurements(wheel: set[str]):
    assert {name.split("/")[0] for name in wheel if ".dist-info/" not in name} == ROOMS


def test_the_wheel_holds_every_source_file_and_every_data_file(wheel: set[str]):
    files = {path for room in ROOMS for path in (ROOT / room).rglob("*") if path.suffix in DATA | {".py"}}
    missing = {str(path.relative_to(ROOT)) for path in files} - wheel
    assert missing <= {str(path.relative_to(ROOT)) for path in ROOT.glob("*/README.md")}


def test_every_entry_point_of_the_wheel_leads_into_it(built: ZipFile):
    (listed,) = [name for name in built.namelist() if name.endswith("/entry_points.txt")]
    modules = {line.split(" = ")[1].split(":")[0] for line in built.read(listed).decode().splitlines() if " = " in line}
    assert {module.split(".")[0] for module in modules} <= ROOMS
