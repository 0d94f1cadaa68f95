"""The data sets of Brain are found in its source tree, and are missed with advice where there is none."""

from pathlib import Path

import pytest

from evals.evaluation import own_data
from evals.evaluation.memory_recorded import read_recording
from memory.errors import BrainError


@pytest.mark.parametrize("pattern", [own_data.EVERYDAY, own_data.LABELLED, own_data.RECORDED])
def test_the_source_tree_has_each_data_set(pattern: str):
    assert all(path.is_file() for path in own_data.own_data(pattern))


def test_an_installation_without_them_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(own_data, "_DATA", tmp_path / "evals" / "data")
    with pytest.raises(BrainError, match="not part of the installed package") as refused:
        own_data.own_data(own_data.EVERYDAY)
    assert (refused.value.code, "of your own" in refused.value.hint) == ("E_BAD_REQUEST", True)


def test_a_recording_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(BrainError, match=r"answers\.jsonl cannot be read"):
        read_recording(tmp_path / "answers.jsonl")
