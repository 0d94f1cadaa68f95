"""Skills of one's own, and what is said at start of those that cannot be used."""

import json
import sys
from datetime import date
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from brain.settings import Settings
from brain.settings_skills import parse_servers
from memory.errors import BrainError
from skills.active import load_registry
from skills.loading import load_skills
from skills.registry import Registry
from tests.fakes import a_settings
from tests.unit.test_registry import a_skill, a_tool

EXAMPLES = Path(__file__).parents[2] / "examples" / "skills"
GREET, OTHER = a_skill(a_tool()), a_tool("other")
SEVERAL = [GREET, OTHER]
SHADOW, BAD_NAME, PREFIXED = a_tool("memory_search"), a_tool("no name"), a_skill(a_tool("dates__count"), name="dates")
NOT_A_SKILL = 7


def make() -> list[Any]:
    return SEVERAL


def crash() -> None:
    raise RuntimeError("out of order")


def here(*names: str) -> Settings:
    return a_settings(skills=",".join(f"{__name__}:{name}" for name in names))


@pytest.mark.parametrize("name", ["SEVERAL", "make"])
async def test_skills_come_from_a_place_in_several_forms(name: str):
    registry = await load_registry(here(name))
    added = {skill.name: skill.source for skill in registry.skills.values() if skill.source != "brain"}
    assert added == dict.fromkeys(("greet", "other"), f"{__name__}:{name}")
    assert {"memory_search", "greet", "other"} <= registry.tools.keys()


def test_skills_come_from_installed_packages(monkeypatch: pytest.MonkeyPatch):
    point = EntryPoint(name="x", value=f"{__name__}:GREET", group="brain.skills")

    def installed(*, group: str) -> list[EntryPoint]:
        return [point] if group == "brain.skills" else []

    monkeypatch.setattr("skills.loading.entry_points", installed)
    registry = load_skills(a_settings(skills_only="recall,greet"))
    assert registry.skills["greet"].source.startswith("package ")
    assert registry.whitelist == {"recall", "greet"}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("SHADOW", "Two tools are named memory_search"),
        ("BAD_NAME", "'no name' is no"),
        ("PREFIXED", "'dates__count' is no name of a tool"),
        ("NOT_A_SKILL", "is a int"),
        ("crash", "RuntimeError: out of order"),
        ("missing", "cannot be loaded: AttributeError"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(name: str, told: str):
    with pytest.raises(BrainError, match=told) as refused:
        load_skills(here(name))
    assert refused.value.code == "E_CONFIG"
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"skills": "no place"}, "BRAIN_SKILLS: 'no place' is no module:name"),
        ({"mcp_servers": "{"}, "BRAIN_MCP_SERVERS: it is no JSON"),
        ({"mcp_servers": "/nowhere/at/all.json"}, "the file cannot be read"),
        ({"mcp_servers": "{}", "skills": "x:y:z"}, "BRAIN_SKILLS"),
        ({"mcp_servers": '{"Bad-Name": {"command": "x"}}'}, "is no name of a server"),
        ({"mcp_servers": '{"a": {}}'}, "either a command or a url"),
        ({"mcp_servers": '{"a": {"url": "file:///etc"}}'}, "url must begin with"),
        ({"mcp_servers": '{"a": {"command": "x", "risk": {"t": "none"}}}'}, "a.risk.t"),
        ({"mcp_servers": '{"a": {"command": "x", "env": {"KEY": "hush"}, "unknown": 1}}'}, "a.unknown"),
        ({"mcp_servers": '["a"]'}, "BRAIN_MCP_SERVERS"),
    ],
)
def test_settings_that_cannot_be_used_are_told_in_one_line_without_secrets(values: dict[str, Any], told: str):
    with pytest.raises(BrainError, match=told) as refused:
        a_settings(**values)
    assert refused.value.code == "E_CONFIG"
    assert "\n" not in str(refused.value)
    assert "hush" not in str(refused.value)


def test_only_skills_that_there_are_may_be_left_in_use():
    with pytest.raises(BrainError, match="there is no skill recal"):
        load_skills(a_settings(skills_only="recal"))
    assert isinstance(load_skills(a_settings(skills_only="recall,mcp:dates")), Registry)


def test_servers_are_read_from_a_file_and_in_the_form_of_other_clients():
    (name,) = parse_servers(str(EXAMPLES / "mcp_servers.json"))
    assert name == "plan_dates"
    inner = json.dumps({"mcpServers": {"dates": {"command": "python", "args": ["x.py"]}}})
    assert parse_servers(inner)["dates"].args == ("x.py",)


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))  # pyright: ignore[reportUnknownMemberType]


@pytest.mark.usefixtures("examples")
def test_the_example_in_python_is_loaded_and_converts():
    registry = load_skills(a_settings(skills="convert_units:CONVERT_UNITS"))
    assert registry.tools["convert_units"].risk == "low"
    convert = sys.modules["convert_units"].convert
    assert convert(12, "mi", "km") == pytest.approx(19.312128)
    assert convert(350, "F", "C") == pytest.approx(176.6667, abs=1e-3)
    assert convert(1, "acre", "m2") == pytest.approx(4046.8564)
    assert convert(convert(7.5, "lb", "jin"), "jin", "lb") == pytest.approx(7.5)
    with pytest.raises(BrainError, match="do not measure the same"):
        convert(1, "km", "kg")


@pytest.mark.usefixtures("examples")
def test_the_example_on_dates_counts_and_adds():
    plan_dates: Any = import_module("plan_dates")
    first = date(2026, 11, 27)  # a Friday
    assert plan_dates.add(first, 1, "working_days") == date(2026, 11, 30)
    assert plan_dates.add(date(2026, 11, 28), 5, "working_days") == date(2026, 12, 4)
    assert plan_dates.add(first, -1, "working_days") == date(2026, 11, 26)
    assert plan_dates.add(date(2026, 1, 31), 1, "months") == date(2026, 2, 28)
    assert plan_dates.add(date(2024, 2, 29), 1, "years") == date(2025, 2, 28)
    for days in range(40):
        last = date.fromordinal(first.toordinal() + days)
        counted = sum(date.fromordinal(first.toordinal() + n).weekday() < 5 for n in range(1, days + 1))
        assert plan_dates.working_days(first, last) == counted
        assert plan_dates.working_days(last, first) == -counted
