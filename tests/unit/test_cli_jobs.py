"""Jobs as an operator names them and sees them."""

from typing import Any
from uuid import UUID

import pytest

from apps.cli.job_rows import COLUMNS, DEAD_COLUMNS, TenantPeople, advice, ago, dead_row, due, job_fields, job_row
from apps.cli.jobs import _parse_job, _parse_state  # pyright: ignore[reportPrivateUsage]
from apps.jobs.queued_jobs import QueuedJob
from apps.jobs.tasks import reason_of
from brain.settings_cells import HOME
from memory.errors import BrainError, unavailable

TENANT, USER = UUID(int=1), UUID(int=2)
STRANGERS = TenantPeople(tenant="local", tenant_id=UUID(int=9), people={USER: "ann"})


def a_job(**changes: Any) -> QueuedJob:
    values: dict[str, Any] = {
        "job_id": 7,
        "task": "evolve",
        "state": "dead",
        "priority": 0,
        "attempts": 9,
        "tenant_id": TENANT,
        "user_id": USER,
        "scope": "main",
        "session_id": UUID(int=3),
        "memory_id": None,
        "due_in": None,
        "reason": "E_DEP_TIMEOUT",
        "age": 7300.0,
        "since": 61.0,
        "total": 1,
    }
    return QueuedJob(**(values | changes))


@pytest.mark.parametrize(
    "text", ["", "x", "-1", "0", "1.5", "٣", "9" * 19 + "9", "9" * 5000, str(2**63), "1; drop", "east:"]
)
def test_what_is_no_number_of_a_job_is_refused(text: str):
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        _parse_job(text)


def test_numbers_and_statuses_are_read_leniently():
    assert _parse_job(f" {2**63 - 1} ") == (HOME, 2**63 - 1)
    assert _parse_job(" east:7") == ("east", 7)
    assert (_parse_state(""), _parse_state(" Dead ")) == (None, "dead")
    with pytest.raises(BrainError, match="running, waiting, planned, dead"):
        _parse_state("failed")


@pytest.mark.parametrize("scope", ["group:the-secret-project", "peer:ann@acme.org", "dm:sms:peer:+49 170 1234567"])
def test_the_name_inside_a_scope_is_never_told(scope: str):
    name = scope.rpartition(":")[2]
    queued = a_job(scope=scope)
    told = f"{job_fields(queued, STRANGERS)} {job_row(queued, STRANGERS)} {dead_row(queued, STRANGERS)}"
    assert name not in told
    assert str(USER) in told


def test_a_dead_letter_is_told_with_its_reason_and_age():
    assert dict(zip(DEAD_COLUMNS, dead_row(a_job(), STRANGERS), strict=True)) == {
        "id": "7",
        "job": "evolve",
        "why": "E_DEP_TIMEOUT",
        "tries": 9,
        "given up": "1 min ago",
        "whose": f"tenant {TENANT} user {USER} (main)",
    }


def test_a_job_of_another_cell_is_named_by_it_as_well():
    queued = a_job(cell="east")
    assert job_row(queued, STRANGERS)[0] == dead_row(queued, STRANGERS)[0] == "east:7"
    assert (job_fields(queued, STRANGERS)["id"], job_fields(queued, STRANGERS)["cell"]) == (7, "east")


def test_a_person_is_told_by_name_in_the_tenant_that_was_named_and_nowhere_else():
    at_home = TenantPeople(tenant="acme", tenant_id=TENANT, people={USER: "ann"})
    assert job_row(a_job(), at_home)[-1] == "ann in acme (main)"
    assert dead_row(a_job(), at_home)[-1] == "ann in acme (main)"
    assert job_fields(a_job(), at_home)["user"] == "ann"
    assert job_row(a_job(user_id=UUID(int=5)), at_home)[-1] == f"tenant {TENANT} user {UUID(int=5)} (main)"
    assert job_fields(a_job(), STRANGERS)["user"] is None


def test_work_that_concerns_everybody_is_nobodys():
    queued = a_job(task="prune_checkpoints", tenant_id=None, user_id=None, scope=None, session_id=None)
    assert dict(zip(COLUMNS, job_row(queued, STRANGERS), strict=True))["whose"] == "everybody"


@pytest.mark.parametrize(
    ("state", "due_in", "told"),
    [
        ("waiting", None, "now"),
        ("waiting", 0.0, "now"),
        ("waiting", 8.4, "8 s"),
        ("planned", 86_400, "1 d"),
        ("dead", 0.0, "-"),
    ],
)
def test_only_what_waits_is_due(state: str, due_in: float | None, told: str):
    assert due(a_job(state=state, due_in=due_in)) == told


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.4, "0 s ago"), (59, "59 s ago"), (7300, "2 h ago"), (200_000, "2 d ago")]
)
def test_ages_come_in_the_largest_unit_that_fits(seconds: float, told: str):
    assert ago(seconds) == told


def test_every_reason_comes_with_something_to_do():
    answers = {reason: advice(reason) for reason in ("E_DEP_UNAVAILABLE", "E_CONFIG", "KeyError", None)}
    assert all(answers.values())
    assert len(set(answers.values())) == len(answers)


def test_a_reason_is_a_code_and_quotes_nothing():
    assert reason_of(unavailable("Ann's address is 5, Elm Street")) == "E_DEP_UNAVAILABLE"
    assert reason_of(KeyError("5, Elm Street")) == "KeyError"
