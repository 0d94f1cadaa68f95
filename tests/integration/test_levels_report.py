"""The report of service levels: releases in a row, a tenant's own thresholds, drills, and the commands."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from brain.levels.report import LevelReport, LevelReporter
from memory.levels import Drill, LevelState, Threshold
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import name_id
from tests.integration.brain_process import Brain, as_url
from tests.integration.level_rows import AT, INJECTION, Rows, ago


@pytest.fixture
def owner(test_addresses: Addresses) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(test_addresses.owner, autocommit=True) as connection:
        yield connection


@pytest.fixture
def core(database: Database) -> MemoryCore:
    return postgres_memory(database)


def states(report: LevelReport) -> dict[str, LevelState]:
    return {each.name: each.state for each in report.figures}


async def test_a_month_is_judged_and_three_releases_without_a_verdict_fail(
    core: MemoryCore, owner: psycopg.Connection[Any]
):
    rows, other = Rows(owner), Rows(owner)
    rows.memories(34)
    rows.memories(6, stale=True)  # 6 of 40 are 15 %: no longer good
    other.memories(40)
    rows.receipts(40, "injection", ago(days=1), INJECTION)
    reporter = LevelReporter(core.levels, "")
    reports = [
        await reporter.measure_release(rows.tenant_id, AT + timedelta(hours=number), f"1.{number}")
        for number in range(3)
    ]
    assert [states(each)["staleness_rate"] for each in reports] == ["OBSERVE", "OBSERVE", "FAIL"]
    assert [each.state for each in reports] == ["OBSERVE", "OBSERVE", "FAIL"]
    assert states(reports[2])["injection_quality"] == "PASS"
    assert [each[0].release for each in reports[2].releases] == ["1.2", "1.1", "1.0"]
    assert states(await reporter.measure(rows.tenant_id, AT))["staleness_rate"] == "OBSERVE"
    assert states(await reporter.measure_release(other.tenant_id, AT, "1.0"))["staleness_rate"] == "PASS"
    again = await reporter.measure_release(rows.tenant_id, AT + timedelta(hours=9), "1.1")
    assert states(again)["staleness_rate"] == "OBSERVE"
    assert [each[0].release for each in again.releases] == ["1.2", "1.1", "1.0"]
    owner.execute("update brain.memory_items set stale = false where tenant_id = %s", [rows.tenant_id])
    healed = await reporter.measure_release(rows.tenant_id, AT + timedelta(hours=10), "1.3")
    assert states(healed)["staleness_rate"] == "PASS"


async def test_a_tenant_is_judged_by_its_own_thresholds(core: MemoryCore, owner: psycopg.Connection[Any]):
    strict, usual = Rows(owner), Rows(owner)
    for each in (strict, usual):
        each.memories(45)
        each.memories(5, stale=True)
    await core.levels.set_threshold(strict.tenant_id, Threshold(figure="staleness_rate", pass_at=0.01, fail_at=0.05))
    reporter = LevelReporter(core.levels, "staleness_rate=0.05/0.2")
    assert states(await reporter.measure(strict.tenant_id, AT))["staleness_rate"] == "FAIL"
    assert states(await reporter.measure(usual.tenant_id, AT))["staleness_rate"] == "OBSERVE"
    assert await core.levels.drop_threshold(strict.tenant_id, "staleness_rate")
    assert not await core.levels.drop_threshold(strict.tenant_id, "staleness_rate")
    assert states(await reporter.measure(strict.tenant_id, AT))["staleness_rate"] == "OBSERVE"


async def test_the_newest_drill_counts_for_every_tenant_until_a_newer_one(
    core: MemoryCore, owner: psycopg.Connection[Any]
):
    here, there, later = Rows(owner), Rows(owner), AT + timedelta(days=36_500)  # no other test looks as far as that
    good = Drill(rto_seconds=12.0, rpo_seconds=0.1, held_at=later)
    poor = replace(good, rto_seconds=90.0, held_at=later - timedelta(days=1))
    await core.levels.record_drill(here.tenant_id, here.user_id, good)
    await core.levels.record_drill(there.tenant_id, there.user_id, poor)
    assert await core.levels.last_drill(later) == good
    assert await core.levels.last_drill(later - timedelta(seconds=1)) == poor
    reporter = LevelReporter(core.levels, "")
    assert states(await reporter.measure(there.tenant_id, later))["standby_switch"] == "PASS"
    assert states(await reporter.measure(there.tenant_id, later - timedelta(hours=1)))["standby_switch"] == "FAIL"


def test_commands_report_gate_and_set_thresholds(test_addresses: Addresses, tmp_path: Path):
    brain = Brain(as_url(test_addresses.owner), tmp_path)
    page = tmp_path / "levels.html"
    first = brain.ask("report", "--json", "--html", str(page), "--language", "zh", "--gate")
    assert first.code == 0, first.err
    assert len(first.json["figures"]) == 13
    assert first.json["releases"] == []
    assert "超过期限的删除" in page.read_text("utf-8")
    for number in (1, 2):
        assert brain.ask("report", "--release", f"1.{number}", "--gate").code == 0
    third = brain.ask("report", "--release", "1.3", "--gate")
    assert third.code == 1
    assert "3 releases in a row" in third.out
    assert brain.ask("report", "--release", "1.3").code == 0
    told = brain.ask("levels", "set", "staleness_rate", "0.1", "--fail-at", "0.2", "--json")
    assert told.json == {"figure": "staleness_rate", "pass_at": 0.1, "fail_at": 0.2, "higher": False, "own": True}
    listed = brain.ask("levels", "list", "--json").json["thresholds"]
    assert [each["figure"] for each in listed if each["own"]] == ["staleness_rate"]
    assert brain.ask("levels", "reset", "staleness_rate", "--json").json["pass_at"] == 0.15
    assert "E_NOT_FOUND" in brain.ask("levels", "reset", "staleness_rate").err
    assert "would fail where it passes" in brain.ask("levels", "set", "conflict_rate", "0.3", "--fail-at", "0.2").err
    assert brain.ask("report", "--release", "no name").code != 0
    assert brain.ask("report", "--language", "tlh").code != 0
    assert "cannot be written" in brain.ask("report", "--html", str(tmp_path / "none" / "levels.html")).err


def test_a_drill_is_told_on_the_command_line(test_addresses: Addresses, tmp_path: Path, owner: psycopg.Connection[Any]):
    brain = Brain(as_url(test_addresses.owner), tmp_path)
    assert brain.ask("levels", "drill", "12.5", "0.2").code == 0
    assert brain.ask("levels", "drill", "-1", "0.2").code != 0
    found = owner.execute(
        "select rto_seconds, rpo_seconds from brain.drills where tenant_id = %s", [name_id("tenant", brain.tenant)]
    ).fetchall()
    assert found == [(12.5, 0.2)]
