"""What looks at an installation looks at every cell, and says so when one is away or full of dead letters."""

import asyncio
import re
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from apps.http.alert_gauges import refresh_alerts
from apps.http.level_gauges import LevelGauges
from apps.http.metrics import render_metrics
from apps.jobs.sealing import seal_waiting
from brain.settings import Settings
from brain.wiring import build_resources
from memory.errors import config_error
from memory.postgres import postgres_memory
from memory.postgres.audit_chain import PostgresAuditChain
from memory.postgres.cells import HOME
from memory.postgres.database import Database
from memory.scope import Scope, Speaker, scope_of
from tests.conftest import a_database
from tests.contract.builders import a_turn, said
from tests.integration import two_cells
from tests.integration.brain_process import Brain, Outcome, as_url
from tests.integration.test_worker import failing, work
from tests.integration.two_cells import CELL, TwoCells

cells = two_cells.cells

AWAY = "postgresql://brain:secret@127.0.0.1:1/brain"


@pytest.fixture
def empty(server_url: str) -> Generator[TwoCells]:
    """Two databases in which there is nothing."""
    with a_database(server_url) as home, a_database(server_url) as cell:
        yield TwoCells({HOME: home, CELL: cell})


@pytest.fixture
def brain(cells: TwoCells, reachable_folder: Path) -> Brain:
    """A Brain that knows both."""
    folder = reachable_folder / f"every {uuid4()}"
    folder.mkdir(mode=0o711)
    told = {"BRAIN_CELLS": f"{CELL}={as_url(cells.where[CELL].owner)}", "BRAIN_HOME": str(folder / "home")}
    return Brain(as_url(cells.where[HOME].owner), folder, settings=told)


@pytest.fixture
async def ann(cells: TwoCells, brain: Brain) -> Scope:
    """Somebody of a tenant that lives in the cell, with a dead letter there."""
    scope = scope_of(Speaker(tenant=brain.tenant, user="ann"))
    await asyncio.to_thread(brain.says, "I live in Ljubljana.", user="ann")
    await cells.move(scope.tenant_id, CELL)
    async with Database(cells.where[CELL].app) as database:
        await postgres_memory(database).log.capture(scope, a_turn(said("I like tea.")))
        await work(cells.where[CELL], failing(database, lambda: config_error("no")))
    return scope


@pytest.fixture
def settings(brain: Brain) -> Settings:
    return Settings(
        database_url=brain.database_url, cells=brain.settings["BRAIN_CELLS"], data_dir=brain.folder / "home"
    )


async def ask(brain: Brain, *arguments: str) -> Outcome:
    """The command runs a loop of its own, so it gets a thread of its own."""
    return await asyncio.to_thread(brain.ask, *arguments)


def without(brain: Brain) -> Brain:
    """The same installation, with its cell out of reach."""
    return replace(brain, settings={**brain.settings, "BRAIN_CELLS": f"{CELL}={AWAY}"})


async def test_jobs_are_those_of_every_queue(brain: Brain, ann: Scope):
    (dead,) = (await ask(brain, "jobs", "dead", "--json")).json
    assert (dead["cell"], dead["tenant_id"]) == (CELL, str(ann.tenant_id))
    name = f"{CELL}:{dead['id']}"
    assert name in (await ask(brain, "jobs", "list", "--status", "dead")).out
    named = (await ask(brain, "jobs", "list", "--tenant", brain.tenant)).out
    assert "ann" in named
    assert (await ask(brain, "jobs", "show", name, "--json")).json["cell"] == CELL
    assert "E_NOT_FOUND" in (await ask(brain, "jobs", "show", str(dead["id"]))).err
    assert "E_BAD_REQUEST" in (await ask(brain, "jobs", "show", f"west:{dead['id']}")).err
    assert (await ask(brain, "jobs", "retry", name)).out == "1 job queued again.\n"
    assert (await ask(brain, "jobs", "dead")).out == "No dead letters.\n"


async def test_all_dead_letters_come_back_from_every_queue(brain: Brain, cells: TwoCells, ann: Scope):
    other = scope_of(Speaker(tenant=f"{brain.tenant} too", user="bob"))
    async with Database(cells.where[HOME].app) as database:
        await postgres_memory(database).log.capture(other, a_turn(said("I like rain.")))
        await work(cells.where[HOME], failing(database, lambda: config_error("no")))
    assert {each["cell"] for each in (await ask(brain, "jobs", "dead", "--json")).json} == {HOME, CELL}
    assert (await ask(brain, "jobs", "retry", "--all-dead")).out == "2 jobs queued again.\n"


async def test_a_cell_that_is_away_is_told_beside_the_jobs_of_the_others(brain: Brain):
    brain_without = without(brain)
    for command in (("jobs", "dead"), ("jobs", "list"), ("jobs", "retry", "--all-dead")):
        told = await ask(brain_without, *command)
        assert (told.code, told.out) == (1, "")
        assert f"E_DEP_UNAVAILABLE: {CELL}: " in told.err


async def test_the_doctor_looks_at_every_cell(brain: Brain, ann: Scope):
    told = await ask(brain, "doctor", "--tenant", brain.tenant, "--user", "ann", "--json")
    found = {(each["cell"], each["name"]): each for each in told.json["findings"]}
    assert told.code == 0, told.err
    assert "1 dead letters" in found[CELL, "queue"]["what"]
    assert found[CELL, "queue"]["state"] == "degraded"
    assert found[HOME, "queue"]["state"] == found[HOME, "cells"]["state"] == "ok"
    assert {found[CELL, name]["state"] for name in ("database", "schema", "isolation", "disk")} == {"ok"}
    assert not [each for each in told.json["findings"] if each["state"] == "broken"]

    away = await ask(without(brain), "doctor", "--json")
    broken = [(each["cell"], each["name"]) for each in away.json["findings"] if each["state"] == "broken"]
    assert (away.code, broken) == (1, [(CELL, "database")])


async def test_the_doctor_names_a_cell_with_tenants_that_no_setting_names(brain: Brain, ann: Scope):
    alone = replace(brain, settings={**brain.settings, "BRAIN_CELLS": ""})
    told = await ask(alone, "doctor", "--json")
    assert told.code == 1
    assert [each["what"] for each in told.json["findings"] if each["name"] == "cells"] == [
        f"tenants live in {CELL}, which no setting names"
    ]
    home, unnamed = (await ask(alone, "cells", "list", "--json")).json
    assert (home["state"], unnamed["name"], unnamed["state"], unnamed["tenants"]) == (
        "reachable",
        CELL,
        "not in BRAIN_CELLS",
        1,
    )


async def test_a_chain_is_verified_where_its_tenant_lives(
    brain: Brain, cells: TwoCells, ann: Scope, settings: Settings
):
    async with Database(cells.where[CELL].app) as database:
        assert await seal_waiting(PostgresAuditChain(database), settings) > 0
    told = await ask(brain, "verify", "--json")
    assert told.code == 0, told.err
    assert told.json["links"] > 0
    with psycopg.connect(cells.where[CELL].owner) as owner:
        owner.execute("set session_replication_role = replica")
        forged = "set recorded_at = recorded_at + interval '1 microsecond' where tenant_id = %s"
        owner.execute(f"update brain.audit_log {forged}".encode(), (ann.tenant_id,))
        owner.execute(b"update brain.memory_receipts set details = '{}' where tenant_id = %s", (ann.tenant_id,))
    broken = await ask(brain, "verify")
    assert (broken.code, "E_CONFLICT: Broken" in broken.err) == (1, True)
    for elsewhere in (without(brain), replace(brain, settings={**brain.settings, "BRAIN_CELLS": ""})):
        told = await ask(elsewhere, "verify")
        assert (told.code, "E_DEP_UNAVAILABLE" in told.err) == (1, True)


async def test_figures_are_of_the_tenant_wherever_it_lives(brain: Brain, ann: Scope):
    told = await ask(brain, "report", "--json")
    assert told.code == 0, told.err
    figures = {each["name"]: each for each in told.json["figures"]}
    assert figures["receipt_completeness_rate"]["samples"] > 0


async def test_metrics_have_every_cell(ann: Scope, settings: Settings):
    resources = build_resources(settings)
    gauges = LevelGauges()
    try:
        await refresh_alerts(resources.cells)
        gauges.refresh(resources)
        assert gauges.counting
        await gauges.counting
        text = bytes(render_metrics().body).decode()
    finally:
        await resources.close()
    assert (
        value(text, f'brain_cell_reached{{cell="{HOME}"}}') == value(text, f'brain_cell_reached{{cell="{CELL}"}}') == 1
    )
    assert value(text, f'brain_dead_letters{{cell="{HOME}"}}') == 0
    assert value(text, f'brain_dead_letters{{cell="{CELL}"}}') == 1
    assert value(text, f'brain_alerts{{cell="{CELL}",indicator="cell_away",severity="urgent"}}') == 0
    assert f'brain_level_events{{cell="{CELL}",indicator="receipt_completeness_rate",kind="good"}}' in text
    assert f'brain_level_events{{cell="{HOME}"' not in text


async def test_metrics_say_that_a_cell_is_away(brain: Brain):
    resources = build_resources(
        Settings(database_url=brain.database_url, cells=f"{CELL}={AWAY}", data_dir=brain.folder / "home")
    )
    try:
        await refresh_alerts(resources.cells)
        text = bytes(render_metrics().body).decode()
    finally:
        await resources.close()
    assert value(text, f'brain_cell_reached{{cell="{HOME}"}}') == 1
    assert value(text, f'brain_cell_reached{{cell="{CELL}"}}') == 0
    for name in ("brain_alerts", "brain_dead_letters", "brain_oldest_job_seconds"):
        assert f'{name}{{cell="{HOME}"' in text
        assert f'{name}{{cell="{CELL}"' not in text


async def test_a_backup_is_of_every_cell_and_goes_back_to_where_it_is_from(
    brain: Brain, cells: TwoCells, ann: Scope, empty: TwoCells
):
    rows = cells.rows(CELL, ann.tenant_id)
    made = await ask(brain, "backup", "kept", "--json")
    assert made.code == 0, made.err
    home, cell = made.lines
    assert (home["cell"], cell["cell"]) == (HOME, CELL)
    assert Path(home["folder"]).parent == Path("kept")
    assert Path(cell["folder"]).parent == Path("kept") / CELL

    alone = replace(brain, database_url=as_url(empty.where[HOME].owner), settings={**brain.settings, "BRAIN_CELLS": ""})
    refused = await ask(alone, "restore", cell["folder"])
    assert (refused.code, f"is of the cell {CELL}" in refused.err) == (1, True)
    restored = replace(alone, settings={**brain.settings, "BRAIN_CELLS": f"{CELL}={as_url(empty.where[CELL].owner)}"})
    for folder in ("kept", f"kept/{CELL}"):
        told = await ask(restored, "restore", folder)
        assert told.code == 0, told.err
    assert empty.rows(CELL, ann.tenant_id) == rows
    assert empty.rows(HOME, ann.tenant_id) == {}
    assert (await ask(restored, "jobs", "dead", "--json")).json[0]["cell"] == CELL


async def test_a_backup_without_a_cell_is_made_of_the_others_and_fails(brain: Brain):
    told = await ask(without(brain), "backup", "kept", "--json")
    assert told.code == 1
    assert [each["cell"] for each in told.lines] == [HOME]
    assert f"{CELL}: " in told.err


async def test_no_tenant_changes_its_cell_while_backups_are_made(brain: Brain, cells: TwoCells, ann: Scope):
    with psycopg.connect(cells.where[HOME].owner, autocommit=True) as owner:
        owner.execute("select pg_advisory_lock_shared(hashtextextended('brain cells', 0))")  # as a backup does
        steps, is_copied = list[str](), asyncio.Event()

        def hear(step: str) -> None:
            steps.append(step)
            if step == "waiting for jobs at hand":
                is_copied.set()

        move = asyncio.create_task(cells.move(ann.tenant_id, HOME, hear))
        await is_copied.wait()
        await asyncio.sleep(1.0)
        assert "handing over" not in steps
        before = len(cells.rows(CELL, ann.tenant_id)["brain.conversation_events"])
        async with cells.process() as (_, memory):
            await memory.log.capture(ann, a_turn(said("I am served meanwhile.", minutes=1)))
        owner.execute("select pg_advisory_unlock_shared(hashtextextended('brain cells', 0))")
        await move
    assert len(cells.rows(HOME, ann.tenant_id)["brain.conversation_events"]) == before + 1


async def test_everybody_in_a_tenant_is_found_where_it_lives(brain: Brain, ann: Scope):
    told = await ask(brain, "rebuild", "--all-users", "--json")
    assert told.code == 0, told.err
    assert told.json["people"] == 1


async def test_migrating_is_of_every_cell(brain: Brain):
    told = await ask(brain, "migrate")
    assert told.code == 0
    assert [line.partition(": ")[0] for line in told.out.splitlines()] == ["Nothing to apply", CELL]
    away = await ask(without(brain), "migrate")
    assert (away.code, f"E_DEP_UNAVAILABLE: {CELL}: " in away.err) == (1, True)


def value(text: str, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    assert found, name
    return float(found[1])
