"""A migration that has landed never changes again."""

import re

import pytest

from memory.postgres.migrations import Migration, brain_migrations, read_digests

LANDED_WITH_THE_LIST = "0016"
PYTHON_MODULE = re.compile(r"\b(apps|evals|evolution|graphs|knowledge|language|memory|nodes|prompts|skills)\.[a-z]\w+")


@pytest.mark.parametrize("migration", brain_migrations(), ids=lambda migration: migration.name)
def test_a_landed_migration_is_frozen(migration: Migration):
    frozen = dict(read_digests("digests.txt"))
    line = f"{migration.sha256}  {migration.name}"
    assert migration.name in frozen, f"When it lands, append this line to migrations/digests.txt:\n{line}"
    assert frozen[migration.name] == migration.sha256, (
        f"{migration.name} has landed: restore it and write a new migration. Only if it has not landed yet,"
        f" its line in migrations/digests.txt is now:\n{line}"
    )


def test_each_migration_is_listed_once_and_every_listed_one_is_there():
    assert [name for name, _ in read_digests("digests.txt")] == [migration.name for migration in brain_migrations()]


def test_no_earlier_digest_is_added_any_more():
    earlier = read_digests("earlier_digests.txt")
    assert len(earlier) == 16
    assert all(name < LANDED_WITH_THE_LIST for name, _ in earlier)


def test_migrations_have_numbers_of_their_own():
    numbers = [migration.name[:4] for migration in brain_migrations()]
    assert sorted(set(numbers)) == numbers


@pytest.mark.parametrize("migration", brain_migrations(), ids=lambda migration: migration.name)
def test_a_migration_names_no_python_module(migration: Migration):
    assert PYTHON_MODULE.findall(migration.text) == []
