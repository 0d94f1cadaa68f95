"""What somebody installs: one small package that needs httpx and nothing of Brain."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[3]


def test_the_wheel_holds_the_package_and_says_that_it_is_typed(tmp_path: Path):
    source, out = tmp_path / "client", tmp_path / "out"
    shutil.copytree(ROOT / "client", source, ignore=shutil.ignore_patterns("__pycache__"))
    build = f"from setuptools import build_meta; build_meta.build_wheel({str(out)!r})"
    out.mkdir()
    subprocess.run([sys.executable, "-c", build], cwd=source, check=True, capture_output=True)
    (wheel,) = out.glob("brain_memory-*.whl")
    held = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = (ROOT / "client" / "brain_memory").iterdir()
    assert held == {f"brain_memory/{path.name}" for path in files if path.name != "__pycache__"}
    assert "brain_memory/py.typed" in held


def test_without_langchain_the_client_itself_works():
    code = (
        "import sys, brain_memory; "
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'langchain', 'langchain_core', 'langgraph'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "client", check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("page", ["client/README.md", "docs/client.md"])
def test_the_three_lines_of_the_pages_make_an_agent(page: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    code, *_ = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)
    names = dict[str, Any]()
    exec(code, names)
    assert "BrainMiddleware.after_agent" in names["agent"].get_graph().nodes
