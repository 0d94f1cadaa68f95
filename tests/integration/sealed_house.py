"""A Brain with two people in it who also speak in a group, a backup of that, and the keys it was made under."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from brain.person_keys import PersonKeys, open_person_keys
from brain.settings import Settings
from memory.postgres.roles import Addresses
from memory.postgres.server import SCHEMAS
from memory.scope import name_id
from tests.conftest import a_database
from tests.integration.brain_process import Brain, Outcome, as_url

ANNS = ("Ljubljana", "Pangolin", "Quokka", "annabel")
BOBS = ("Reykjavik", "Axolotl", "Wombat")
"""Words that one of them has used, at home and among others, and a name."""
GROUP = ("--channel", "kitchen", "--session", "supper")


@dataclass(frozen=True)
class House:
    """A Brain with two people in it, who also speak in a group, and a backup of that."""

    brain: Brain
    home: Path
    backup: Path = Path()

    @property
    def tenant(self) -> UUID:
        """Theirs."""
        return name_id("tenant", self.brain.tenant)

    def id_of(self, user: str) -> UUID:
        """The id of a person."""
        return name_id("user", self.brain.tenant, user)

    def without(self, *users: str) -> Path:
        """A copy of the data folder's secrets in which the keys of some people were destroyed."""
        home = a_home(self.home.parent, f"house-{uuid4()}")
        shutil.copytree(self.home / "keys", home / "keys")
        shutil.copy(self.home / "audit.key", home)
        for user in users:
            assert keys_in(home).shred(self.tenant, self.id_of(user))
        return home


def a_home(parent: Path, name: str) -> Path:
    """A data folder with the programs of the session's database."""
    home = parent / name
    home.mkdir()
    (home / "postgres").symlink_to(parent / "session" / "postgres")
    return home


def keys_in(home: Path) -> PersonKeys:
    """The keys that are left in a data folder."""
    return open_person_keys(Settings(data_dir=home, audit_key=None), make=False)


@contextmanager
def a_house(server_url: str, reachable_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    """The two of them, until the block is left."""
    home = a_home(reachable_folder, "house")
    chosen = {"BRAIN_HOME": str(home), "BRAIN_LOG_LEVEL": "error", "BRAIN_AUDIT_KEY": ""}
    with a_database(server_url) as where:
        brain = Brain(as_url(where.owner), tmp_path_factory.mktemp("folder"), settings=chosen)
        brain.says("I live in Ljubljana.", "My pet is called Pangolin.", user="annabel", session="home")
        brain.says("I live in Reykjavik.", "My pet is called Axolotl.", user="bob", session="home")
        for user, words in (("annabel", "I like Quokka soup."), ("bob", "I like Wombat pie.")):
            said = brain.ask("chat", "--user", user, *GROUP, "--json", "--message", words)
            assert said.code == 0, said.err
        assert brain.ask("worker", "--until-idle").code == 0
        house = House(brain, home)
        entangle(where, house)
        parent = tmp_path_factory.mktemp("backups")
        saved = brain.ask("backup", str(parent), "--json")
        assert saved.code == 0, saved.err
        yield replace(house, backup=Path(saved.json["folder"]))


def entangle(where: Addresses, house: House) -> None:
    """What one of them says in the group rests on the other: bob's memory gave way to annabel's, and cites her turn."""
    people = {"ann": house.id_of("annabel"), "bob": house.id_of("bob")}
    with psycopg.connect(where.owner) as owner:
        changed = owner.execute(
            "update brain.memory_items set status = 'superseded', superseded_by ="
            " (select item_id from brain.memory_items where scope like 'group:%%' and user_id = %(ann)s limit 1)"
            " where scope like 'group:%%' and user_id = %(bob)s",
            people,
        )
        assert changed.rowcount == 1
        cited = owner.execute(
            "insert into brain.memory_citations"
            " select i.tenant_id, i.item_id, e.event_id, 0, 1, e.sha256, i.scope, i.user_id"
            " from brain.memory_items i, brain.conversation_events e where i.scope like 'group:%%'"
            " and i.user_id = %(bob)s and e.scope = i.scope and e.user_id = %(ann)s and e.role = 'user' limit 1",
            people,
        )
        assert cited.rowcount == 1


def restore(house: House, where: Addresses, backup: Path, home: Path, **settings: str) -> Outcome:
    """Bring a backup back with the keys of a data folder."""
    chosen = {"BRAIN_HOME": str(home), "BRAIN_LOG_LEVEL": "error", "BRAIN_AUDIT_KEY": ""} | settings
    other = replace(house.brain, database_url=as_url(where.owner), settings=chosen)
    return other.ask("restore", str(backup), "--json")


def all_rows(address: str) -> dict[str, list[dict[str, Any]]]:
    """Every row of Brain's that outlives its server; a backup is noted after its own moment, and so left out."""
    found: dict[str, list[dict[str, Any]]] = {}
    with psycopg.connect(address) as owner:
        owner.execute("set extra_float_digits = 3")
        tables = owner.execute(
            "select format('%%I.%%I', relnamespace::regnamespace, relname) from pg_class"
            " where relkind = 'r' and relpersistence = 'p' and relnamespace::regnamespace::text = any(%s)",
            (list(SCHEMAS),),
        )
        for (table,) in tables.fetchall():
            rows = owner.execute(f"select to_jsonb(t), t::text from {table} t order by 2".encode())
            found[table] = [row for row, _ in rows.fetchall() if row.get("act") != "backup"]
    return found
