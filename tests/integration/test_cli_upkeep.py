"""``brain upkeep`` as a person and as a script run it."""

from datetime import timedelta
from pathlib import Path

import pytest

from brain.resources import utc_now
from evolution.upkeep.state import STEPS, select_steps
from memory.errors import BrainError
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Speaker, scope_of
from tests.contract.builders import a_draft, by_ann
from tests.integration.brain_process import Brain, Outcome, as_url


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(test_addresses.owner), tmp_path)


@pytest.fixture
async def old_leaning(brain: Brain, database: Database) -> str:
    """A guess about tastes, of which nothing was heard for more than a year; and one thing that lasts."""
    scope = scope_of(Speaker(tenant=brain.tenant, user="me"))
    long_ago = utc_now() - timedelta(days=400)
    memory = postgres_memory(database)
    guess = a_draft(observed_at=long_ago, valid_at=long_ago, provenance="observation", confidence=0.5)
    receipt = await memory.items.write(scope, guess, by_ann("k1"))
    await memory.items.write(scope, a_draft("Lyon", slot="user|birthplace", item_type="fact"), by_ann("k2"))
    return str(receipt.memory_id)


def told(brain: Brain, *arguments: str) -> Outcome:
    return brain.ask("upkeep", "run", *arguments)


def test_a_dry_run_says_what_it_would_do_and_why_and_changes_nothing(brain: Brain, old_leaning: str):
    for _ in range(2):
        out = told(brain, "--dry-run").out
        assert "2 living memories, 1 outdated" in out
        assert "decay: 1 planned" in out
        assert old_leaning[:8] in out
        assert "effective confidence 0.15" in out
        assert out.endswith("Nothing was changed (--dry-run).\n")


def test_a_script_gets_every_action_and_a_second_run_has_none(brain: Brain, old_leaning: str):
    first = told(brain, "--only", "decay", "--json").json
    again = told(brain, "--only", "decay", "--json").json
    assert [(each["target"], each["change"], each["outcome"]) for each in first["actions"]] == [
        (old_leaning, "outdate", "done")
    ]
    assert first["report"]["steps"] == {"decay": {"done": 1}}
    assert again["actions"] == []


def test_a_step_that_does_not_exist_is_refused_by_name(brain: Brain):
    out = told(brain, "--only", "bake")
    assert (out.code, out.out) == (1, "")
    assert out.err.startswith("E_BAD_REQUEST: There is no step 'bake'.")


def test_steps_run_in_their_own_order_however_they_are_named():
    assert select_steps(["compress", "fuse"]) == ["fuse", "compress"]
    assert select_steps([]) == []
    assert select_steps(list(reversed(STEPS))) == list(STEPS)
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        select_steps(["decay", "bake"])
