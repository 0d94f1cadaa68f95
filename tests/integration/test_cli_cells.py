"""``brain cells``: from an empty database to a tenant that lives in it, and the doors that follow."""

from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from memory.postgres.roles import Addresses
from tests.integration.brain_process import Brain, as_url
from tests.integration.two_cells import CELL


@pytest.fixture
def spread(fresh_database: Addresses, empty_database: Addresses, tmp_path: Path) -> Brain:
    """A Brain at home that knows of an empty database."""
    cells = f"{CELL}={as_url(empty_database.owner)}"
    return Brain(
        as_url(fresh_database.owner), tmp_path, settings={"BRAIN_CELLS": cells, "BRAIN_HOME": str(tmp_path / "home")}
    )


def test_a_tenant_moves_to_a_new_cell_and_is_talked_to_there(spread: Brain):
    spread.says("I live in Ljubljana.", user="ann", session="s")
    early = spread.ask("cells", "move", "--tenant", spread.tenant, CELL)
    assert (early.code, "E_CONFIG" in early.err) == (1, True)
    for _ in range(2):
        assert spread.ask("cells", "add", CELL).code == 0
    strange = spread.ask("cells", "move", "--tenant", "nobody", CELL)
    assert (strange.code, "E_NOT_FOUND" in strange.err) == (1, True)

    moved = spread.ask("cells", "move", "--tenant", spread.tenant, CELL, "--scrub", "--json")
    assert moved.code == 0, moved.err
    assert moved.json["rows"] > 0
    home, cell = spread.ask("cells", "list", "--json").json
    assert (home["tenants"], cell["tenants"], home["unfinished"], cell["unfinished"]) == (0, 1, [], [])
    assert cell["place"].startswith("postgresql://")
    assert ":" not in cell["place"].removeprefix("postgresql://").partition("@")[0]
    spread.says("My pet is called Pangolin.", user="ann", session="s")
    assert spread.ask("worker", "--until-idle").code == 0
    found = spread.ask("recall", "Where do I live?", "--user", "ann").out
    assert "Ljubljana" in found
    told = spread.ask("cells", "remove", CELL)
    assert (told.code, "E_CONFLICT" in told.err) == (1, True)

    assert spread.ask("cells", "move", "--tenant", spread.tenant, "home").code == 0
    assert spread.ask("cells", "remove", CELL).code == 0


def test_a_database_in_use_becomes_no_cell(spread: Brain, fresh_database: Addresses):
    spread.says("Hello", user="ann", session="s")
    itself = Brain(
        spread.database_url,
        spread.folder,
        settings={**spread.settings, "BRAIN_CELLS": f"{CELL}={as_url(fresh_database.owner)}"},
    )
    told = itself.ask("cells", "add", CELL)
    assert (told.code, "E_CONFLICT" in told.err) == (1, True)
    assert "E_BAD_REQUEST" in itself.ask("cells", "add", "west").err


def with_cells(brain: Brain, cells: str) -> Brain:
    """The same Brain, told of other cells."""
    return replace(brain, settings={**brain.settings, "BRAIN_CELLS": cells})


def test_an_address_that_leads_nowhere_is_named(spread: Brain):
    lost = with_cells(spread, f"{CELL}=postgresql://brain:secret@127.0.0.1:1/brain")
    lost.says("Hello", user="ann", session="s")
    for command in (("add", CELL), ("move", "--tenant", lost.tenant, CELL), ("remove", CELL)):
        told = lost.ask("cells", *command)
        assert (told.code, f"E_DEP_UNAVAILABLE: {CELL}: " in told.err, "secret" in told.err) == (1, True, False)
    _, cell = lost.ask("cells", "list", "--json").json
    assert (cell["name"], cell["state"]) == (CELL, "E_DEP_UNAVAILABLE")


def test_a_database_that_others_use_is_left_as_it_is(spread: Brain, empty_database: Addresses):
    with psycopg.connect(empty_database.owner) as owner:
        owner.execute("create table public.orders (id int primary key)")
    told = spread.ask("cells", "add", CELL)
    assert (told.code, "E_CONFLICT" in told.err) == (1, True)
    with psycopg.connect(empty_database.owner) as owner:
        assert owner.execute("select from pg_namespace where nspname = 'brain'").rowcount == 0


def test_a_cell_that_was_not_added_receives_nobody_and_says_so(spread: Brain):
    spread.says("Hello", user="ann", session="s")
    (lines,) = {line.partition(": ")[0] for line in spread.ask("migrate").out.splitlines()} - {
        "Nothing to apply",
    }
    assert lines == CELL
    assert spread.ask("cells", "list", "--json").json[1]["state"] == "not added"
    told = spread.ask("cells", "move", "--tenant", spread.tenant, CELL)
    assert (told.code, f"E_CONFIG: {CELL} is no cell yet" in told.err) == (1, True)


def test_a_cell_of_another_brain_is_refused(spread: Brain, empty_database: Addresses):
    assert spread.ask("cells", "add", CELL).code == 0
    with psycopg.connect(empty_database.owner) as owner:
        owner.execute("update brain.installation set installation_id = gen_random_uuid()")
    told = spread.ask("cells", "add", CELL)
    assert (told.code, "is a cell of another Brain" in told.err) == (1, True)


def test_a_cell_with_a_newer_schema_receives_nobody(spread: Brain, empty_database: Addresses):
    spread.says("Hello", user="ann", session="s")
    assert spread.ask("cells", "add", CELL).code == 0
    with psycopg.connect(empty_database.owner) as owner:
        owner.execute(
            "create temp table newer as select * from brain.schema_migrations limit 1;"
            " update newer set name = '9999_of_tomorrow.sql';"
            " insert into brain.schema_migrations select * from newer"
        )
    for command in (("move", "--tenant", spread.tenant, CELL), ("add", CELL)):
        told = spread.ask("cells", *command)
        assert (told.code, "E_CONFIG" in told.err) == (1, True)
    assert spread.ask("recall", "Hello?", "--user", "ann").code == 0


def test_two_names_of_one_database_are_found_out_before_anybody_moves(spread: Brain, empty_database: Addresses):
    url = as_url(empty_database.owner)
    twice = with_cells(spread, f"{CELL}={url} west={url}")
    twice.says("Hello", user="ann", session="s")
    assert [twice.ask("cells", "add", name).code for name in (CELL, "west")] == [0, 0]
    told = twice.ask("cells", "move", "--tenant", twice.tenant, CELL)
    assert (told.code, f"E_CONFIG: {CELL} and west are the same database" in told.err) == (1, True)


def test_a_move_to_where_a_tenant_lives_changes_nothing(spread: Brain):
    spread.says("I live in Ljubljana.", user="ann", session="s")
    assert spread.ask("cells", "add", CELL).code == 0
    for to in ("home", CELL, CELL):
        moved = spread.ask("cells", "move", "--tenant", spread.tenant, to, "--json")
        assert moved.code == 0, moved.err
    assert moved.json == {"rows": 0, "changed": 0, "held_seconds": 0.0}
    assert "Ljubljana" in spread.ask("recall", "Where do I live?", "--user", "ann").out


def test_a_cell_in_which_tenants_live_is_not_removed_even_while_it_is_away(spread: Brain):
    spread.says("Hello", user="ann", session="s")
    assert spread.ask("cells", "add", CELL).code == 0
    assert spread.ask("cells", "move", "--tenant", spread.tenant, CELL).code == 0
    away = with_cells(spread, f"{CELL}=postgresql://brain:secret@127.0.0.1:1/brain")
    for brain, code in ((spread, "E_CONFLICT: 1 tenants live in east"), (away, "E_CONFLICT: 1 tenants live in east")):
        told = brain.ask("cells", "remove", CELL)
        assert (told.code, code in told.err) == (1, True)
