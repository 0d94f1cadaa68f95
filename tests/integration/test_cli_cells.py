"""``brain cells``: from an empty database to a tenant that lives in it, and the doors that follow."""

from pathlib import Path

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
