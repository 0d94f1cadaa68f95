"""Verdicts of memory CI: limits, what has not run, wrong acts first; and nothing on the page that is secret."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from evals.memory_ci.bench import Bench, isolate, told_of_time
from evals.memory_ci.canaries import canaries
from evals.memory_ci.configuration import describe_configuration
from evals.memory_ci.page import as_html, as_json, as_lines
from evals.memory_ci.parts import PARTS
from evals.memory_ci.planting import PLACES
from evals.memory_ci.report import Figure, Findings, PartReport, Report
from tests.fakes import a_settings


def a_part(name: str, *figures: Figure, faults: tuple[str, ...] = ()) -> PartReport:
    return PartReport(name=name, title=name, seconds=1.0, findings=Findings(figures=figures, faults=faults))


HELD = Figure(name="held", part=0, whole=10, most=0.0, is_wrong=True)
ACTED = Figure(name="acted", part=1, whole=10, most=0.0, is_wrong=True)


@pytest.mark.parametrize(
    ("figure", "is_held"),
    [
        (Figure(name="never", part=0, whole=50, most=0.0), True),
        (Figure(name="never", part=1, whole=50, most=0.0), False),
        (Figure(name="rarely", part=3, whole=50, most=0.04), True),
        (Figure(name="rarely", part=4, whole=50, most=0.04), False),
        (Figure(name="mostly", part=44, whole=50, least=0.9), True),
        (Figure(name="mostly", part=43, whole=50, least=0.9), False),
        (Figure(name="always", part=49, whole=50, least=1.0), False),
        (Figure(name="only told", part=50, whole=50), True),
        (Figure(name="nothing to judge", part=0, whole=0, least=1.0), True),
    ],
)
def test_a_figure_is_within_its_limits(figure: Figure, is_held: bool):
    assert figure.is_held is is_held


def test_a_part_that_judged_nothing_or_could_not_run_is_no_pass():
    empty = a_part("empty", Figure(name="nothing", part=0, whole=0))
    broken = PartReport(name="broken", title="Broken", seconds=0.0, reason="E_DEP_UNAVAILABLE")
    assert empty.verdict == broken.verdict == "NOT RUN"
    assert not Report(began_at="", configuration={}, parts=[a_part("held", HELD), broken]).is_passed
    assert Report(began_at="", configuration={}, parts=[a_part("held", HELD)]).is_passed


def test_a_fault_fails_a_part_whose_figures_hold():
    assert a_part("gate", HELD, faults=("recall fell",)).verdict == "FAIL"


def test_wrong_acts_come_first_on_every_page():
    parts = [a_part("held", HELD), a_part("slow", HELD, faults=("slow",)), a_part("acted", ACTED)]
    report = Report(began_at="now", configuration={"a": "<b>"}, parts=parts)
    assert [each.name for each in report.in_order] == ["acted", "slow", "held"]
    assert as_json(report)["wrong_acts"] == 1
    assert next(as_lines(report)) == "FAIL     acted, 1 wrong acts (1 s)"
    page = as_html(report)
    assert page.index("1 wrong acts") < page.index("slow")
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "http" not in page
    assert "<script" not in page


def test_no_secret_address_or_path_is_told():
    settings = a_settings(
        openai_api_key=SecretStr("sk-very-secret"),
        base_url="https://models.internal.example/v1",
        chat_model="/home/ann/models/llama.gguf",
        embeddings="torch:/home/ann/models/encoder",
        database_url="postgresql://ann:hunter2@db.internal.example/brain",
    )
    told = str(describe_configuration(settings))
    assert "llama.gguf" in told
    assert not [each for each in ("secret", "internal", "/home", "hunter2") if each in told]


def test_nothing_of_the_users_own_is_reached(tmp_path: Path):
    mine = a_settings(
        database_url="postgresql://ann@db/brain",
        erasure_webhook="https://example.org/hook",
        erasures_folder=Path("/var/erasures"),
        mcp_servers='{"mail": {"url": "https://mail.example.org"}}',
        chat_model="big",
    )
    isolated = isolate(mine, tmp_path)
    assert (isolated.database_url, isolated.erasure_webhook, isolated.erasures_folder) == (None, None, None)
    assert (isolated.mcp_servers, isolated.data_dir, isolated.chat_model) == ("", tmp_path, "big")


def test_a_part_stops_when_its_time_is_over_and_says_so():
    times = iter([0.0, 1.0, 2.0, 99.0])
    bench = Bench(settings=a_settings(), server="", seconds=10, clock=lambda: next(times))
    assert list(bench.in_time([1, 2, 3, 4, 5])) == [1, 2, 3]
    assert told_of_time("cases", 3, 5) == ["3 of 5 cases: the time was over."]
    assert told_of_time("cases", 5, 5) == []


def test_all_parts_together_take_less_than_a_quarter_of_an_hour():
    assert sum(part.seconds for part in PARTS) < 15 * 60
    assert len({part.name for part in PARTS}) == len(PARTS) == 10


def test_canaries_are_in_every_place():
    assert {place for place, _, _ in canaries()} == set(PLACES)
