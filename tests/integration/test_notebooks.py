"""The notebooks run from the first cell to the last without a key, and are kept without outputs."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from brain.prompting.truncation import POLICIES as TRUNCATIONS
from evals.prompt_variants import RECORDED
from evals.recorded_replies import read_replies
from graphs.brain import builder
from memory.recall.policies.registry import POLICIES as RANKINGS
from tests.integration.brain_process import PATIENCE

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
KEPT = ("PATH", "HOME", "LANG", "VIRTUAL_ENV")


def cells(path: Path) -> list[dict[str, Any]]:
    notebook: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def outputs(path: Path, kind: str) -> list[str]:
    found = [output["data"].get(kind) for cell in cells(path) for output in cell["outputs"] if "data" in output]
    return ["".join(each) for each in found if each]


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the copies with outputs, made where no setting of ours is known."""
    folder = tmp_path_factory.mktemp("notebooks")
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-m", "evals.run_notebooks", "--out", str(folder), *map(str, NOTEBOOKS)],
        cwd=ROOT,
        env={**environment, "BRAIN_OPENAI_API_KEY": "", "BRAIN_BASE_URL": "", "MPLCONFIGDIR": str(folder)},
        capture_output=True,
        timeout=4 * PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-4000:]
    return folder


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_kept_without_outputs(path: Path):
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells(path))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_every_cell_of_it_runs(executed: Path, path: Path):
    assert [cell["execution_count"] for cell in cells(executed / path.name)] == list(range(1, len(cells(path)) + 1))


def test_prompt_variants_are_compared_in_tables_and_plots(executed: Path):
    compared = executed / "prompt_variants.ipynb"
    tables = "".join(outputs(compared, "text/html"))
    replies = read_replies(RECORDED).replies
    assert {variant for variant, _, _ in replies} == {"default", "terse", "asking"}
    assert all(reply in tables for reply in replies.values())
    assert "model_" not in tables
    assert len(outputs(compared, "image/png")) == 2


def test_policies_of_the_package_and_of_the_notebook_are_compared_by_recall_and_tokens(executed: Path):
    compared = executed / "ranking_and_truncation.ipynb"
    tables = "".join(outputs(compared, "text/html"))
    ranked = (*RANKINGS, "newest-first", "default-without-cut")
    truncated = (*TRUNCATIONS, "quarter-for-memories")
    assert all(f"<th>{name}</th>" in tables for name in (*ranked, *truncated))
    assert len(outputs(compared, "image/png")) == 2


def test_a_memory_is_followed_through_its_versions_receipts_and_quotes(executed: Path):
    tables = "".join(outputs(executed / "life_of_a_memory.ipynb", "text/html"))
    assert all(f"<td>{change}</td>" in tables for change in ("create", "correct", "forget", "restore"))
    assert all(f"<td>{status}</td>" in tables for status in ("active", "deleted", "superseded"))
    assert "<td>True</td>" in tables
    assert "[I live in Ghent.]" in tables


def test_a_turn_shows_every_node_its_prompt_and_its_receipts(executed: Path):
    shown = executed / "a_turn.ipynb"
    tables = "".join(outputs(shown, "text/html"))
    untaken = {"retrieve_rewritten", "change_memory", "approve", "dispatch_tools"}
    assert all(f"<td>{node}</td>" in tables for node in builder.nodes if node not in untaken)
    assert "<td>injection</td>" in tables
    assert "personal_context" in tables


def test_an_experiment_keeps_people_in_their_variant_and_is_ended_by_its_guard(executed: Path):
    shown = executed / "an_experiment.ipynb"
    tables = outputs(shown, "text/html")
    variants = re.findall(r"<td>(control|short)</td>\s*<td>(control|short)</td>", tables[0])
    assert len(variants) == 6
    assert all(first == second for first, second in variants)
    assert "<td>guard</td>" in tables[-1]
    assert "<td>None</td>" in tables[-1]
    assert len(outputs(shown, "image/png")) == 1


def test_a_past_is_cited_by_its_own_date_ends_nothing_and_goes_again(executed: Path):
    shown = executed / "a_past.ipynb"
    printed = [output["text"] for cell in cells(shown) for output in cell["outputs"] if "text" in output]
    told = "".join("".join(each) for each in printed)
    assert "on 2024-03-09 you said: “My bicycle is called Esmeralda.”" in told
    assert "you said: “I live in Ghent.”" in told
    assert "3 messages taken back; 0 imports are listed" in told
    imported, asked, remembered, left = outputs(shown, "text/html")
    assert "<td>chatgpt</td>" in imported
    assert "2024-03-09" in asked
    assert remembered.count("<td>active</td>") == 1
    assert "Ghent" in left
    assert "Esmeralda" not in left
