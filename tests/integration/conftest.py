"""Servers that tests share, and those who call them."""

from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import conninfo
from psycopg.sql import SQL, Identifier

from brain.local_postgres.server import EmbeddedPostgres
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses, addresses
from memory.scope import Scope
from tests.conftest import a_database
from tests.integration.callers import Callers
from tests.integration.issuer import Issuer
from tests.integration.model_stories import Story
from tests.integration.sealed_house import House, a_house
from tests.integration.second_server import SecondServer
from tests.integration.server import Server, a_server
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

MODEL = [
    Step(when=When(form="", contains="slowly"), text="At last.", delay=20.0, times=None),
    Step(when=When(form=""), text="Hello from the model, word by word.", times=None),
    Step(status=400, times=None),
]


@pytest.fixture(scope="module")
def model() -> Generator[ScriptedOpenAI]:
    with ScriptedOpenAI(MODEL) as running:
        yield running


@pytest.fixture(scope="session")
def open_server(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """No authentication, no model."""
    with a_database(server_url) as where, a_server(tmp_path_factory.mktemp("open"), where.owner) as server:
        server.start()
        server.wait()
        yield server


@pytest.fixture(scope="module")
def issuer() -> Generator[Issuer]:
    with Issuer() as running:
        yield running


@pytest.fixture(scope="module")
def guarded(
    server_url: str, tmp_path_factory: pytest.TempPathFactory, model: ScriptedOpenAI, issuer: Issuer
) -> Iterator[Server]:
    """A token required, a model behind it. A test may restart it: it keeps its address."""
    settings = {**model.settings, **issuer.settings}
    folder = tmp_path_factory.mktemp("guarded")
    with a_database(server_url) as where, a_server(folder, where.owner, **settings) as server:
        server.start()
        server.wait()
        yield server


@pytest.fixture
async def callers(issuer: Issuer) -> AsyncGenerator[Callers]:
    made = Callers(issuer)
    yield made
    await made.close()


@pytest.fixture(scope="session")
def second_server(reachable_folder: Path) -> Generator[SecondServer]:
    """A server beside the session's, and PostgreSQL's programs."""
    server = EmbeddedPostgres(reachable_folder / "second", durable=False)
    try:
        yield SecondServer(server, server.start())
    finally:
        server.stop()


@pytest.fixture(scope="session")
async def jobs_database(server_url: str) -> AsyncGenerator[tuple[Addresses, Database]]:
    """A database for tests that look at everything that waits in its queue."""
    with a_database(server_url) as where:
        await migrate(where)
        async with Database(where.app) as opened:
            yield where, opened


@pytest.fixture
def quiet_database(jobs_database: tuple[Addresses, Database]) -> tuple[Addresses, Database]:
    """The same with an empty queue: what another test left for a second try would be asked of this test's model."""
    drop_jobs(jobs_database[0])
    return jobs_database


@pytest.fixture(scope="module", autouse=True)
def nobody_elses_jobs(test_addresses: Addresses) -> None:
    """Workers of a file do its own work: what other files left in the queue would keep them for half a minute."""
    drop_jobs(test_addresses)


def drop_jobs(where: Addresses) -> None:
    """Empty the queue of a database, and what its jobs kept of their steps."""
    with psycopg.connect(where.owner, options="-c search_path=queue") as connection:
        connection.execute("delete from procrastinate_jobs")
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            steps = SQL("delete from {} where thread_id like 'evolution:%'").format(Identifier("checkpoint", table))
            connection.execute(steps)


@pytest.fixture
def plain_owner(empty_database: Addresses) -> Generator[Addresses]:
    """The owner of a database as managed servers hand it out: may create roles, is no superuser."""
    database, name = conninfo.conninfo_to_dict(empty_database.owner)["dbname"], f"owner_{uuid4().hex[:12]}"
    with psycopg.connect(empty_database.owner, autocommit=True) as superuser:
        superuser.execute(SQL("create role {} login createrole password 'plain'").format(Identifier(name)))
        superuser.execute(SQL("alter database {} owner to {}").format(Identifier(str(database)), Identifier(name)))
        yield addresses(conninfo.make_conninfo(empty_database.owner, user=name, password="plain"))
        superuser.execute(SQL("reassign owned by {} to current_user").format(Identifier(name)))
        superuser.execute(SQL("drop owned by {}").format(Identifier(name)))
        superuser.execute(SQL("drop role {}").format(Identifier(name)))


@pytest.fixture
def story(quiet_database: tuple[Addresses, Database], scope: Scope) -> Story:
    """A person whose words a model will read."""
    return Story(*quiet_database, scope)


@pytest.fixture
def group(quiet_database: tuple[Addresses, Database], make_scope: Callable[..., Scope]) -> Story:
    """The same in a group."""
    return Story(*quiet_database, make_scope(key="group:kitchen"))


@pytest.fixture
async def chain_database(fresh_database: Addresses) -> AsyncGenerator[Database]:
    """The application's way into a database where nobody else writes."""
    async with Database(fresh_database.app) as opened:
        yield opened


@pytest.fixture
def owner(fresh_database: Addresses) -> Generator["psycopg.Connection[Any]"]:
    """The owner, who is a superuser here and may change anything."""
    with psycopg.connect(fresh_database.owner, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="session")
def house(server_url: str, reachable_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    with a_house(server_url, reachable_folder, tmp_path_factory) as lived_in:
        yield lived_in
