"""A setting whose name is misspelt is told, because it has no effect."""

from pathlib import Path

import pytest

from apps.doctor.examine import setting_names, unknown_settings_finding

NOWHERE = Path("no/such/file")


def test_a_misspelt_setting_is_told_with_the_name_that_was_meant():
    finding = unknown_settings_finding({"BRAIN_DATABSE_URL": "x", "PATH": "/bin"}, NOWHERE)
    assert finding is not None
    assert (finding.state, finding.what) == ("degraded", "nothing reads BRAIN_DATABSE_URL")
    assert finding.advice == "Did you mean BRAIN_DATABASE_URL?"


def test_a_misspelt_line_of_the_env_file_is_told_without_its_value(tmp_path: Path):
    (tmp_path / ".env").write_text("BRAIN_XYZZY=secret\nBRAIN_PORT=1\nOTHER=1\n")
    finding = unknown_settings_finding({}, tmp_path / ".env")
    assert finding is not None
    assert finding.what == "nothing reads BRAIN_XYZZY"
    assert finding.advice == "Every setting is listed in .env.example."
    assert "secret" not in str(finding)


@pytest.mark.parametrize("name", ["BRAIN_HOME", "BRAIN_DATA_DIR", "brain_port", "BRAIN_BASE_URL", "OPENAI_API_KEY"])
def test_whatever_is_read_is_no_mistake(name: str):
    assert unknown_settings_finding({name: "x"}, NOWHERE) is None


def test_every_setting_of_the_example_is_known():
    example = (Path(__file__).parents[2] / ".env.example").read_text().splitlines()
    named = {line.removeprefix("# ").partition("=")[0] for line in example if line.startswith("# BRAIN_")}
    assert len(named) > 30
    assert named <= set(setting_names())
