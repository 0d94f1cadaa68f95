"""``brain migrate``: what it says, and what the doctor says before."""

from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from memory.postgres.roles import Addresses
from tests.integration.brain_process import Brain, as_url


@pytest.fixture
def brain(empty_database: Addresses, tmp_path: Path) -> Brain:
    """Commands on a database that has just been migrated."""
    made = Brain(as_url(empty_database.owner), tmp_path)
    assert "applied 0016_one_schema.sql" in made.ask("migrate").out
    return made


def test_a_lost_role_is_restored_and_named(brain: Brain, empty_database: Addresses):
    role = empty_database.app_role
    with psycopg.connect(empty_database.owner, autocommit=True) as connection:
        connection.execute(SQL("drop owned by {}").format(Identifier(role)))
        connection.execute(SQL("drop role {}").format(Identifier(role)))
    assert "run 'brain migrate'" in " ".join(brain.ask("doctor").out.lower().split())

    done = brain.ask("migrate")

    assert f"restored the role {role}" in done.out
    assert "restored privileges on brain.conversation_events" in done.out
    assert "up to date" in brain.ask("migrate").out
    assert brain.ask("migrate", "--json").json["restored"] == []
    assert brain.ask("doctor").code == 0


def test_a_database_of_a_newer_brain_is_refused_with_what_to_do(brain: Brain, empty_database: Addresses):
    with psycopg.connect(empty_database.owner) as connection:
        connection.execute("insert into brain.schema_migrations (name, sha256) values ('9999_later.sql', 'f00')")

    refused, examined = brain.ask("migrate"), brain.ask("doctor")

    assert refused.code != 0
    for said in (refused.err, examined.out):
        assert "A newer Brain has migrated this database" in " ".join(said.split())
        assert "Update Brain" in " ".join(said.split())
