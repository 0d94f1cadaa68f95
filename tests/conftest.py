"""A real PostgreSQL for the whole session, and a fresh tenant for every test.

``BRAIN_TEST_DATABASE_URL`` (a superuser's) names a server to use, on which databases and roles come and go; without it
an embedded one of our own is started in a temporary folder and gone afterwards. ``BRAIN_TEST_POOLER=1`` puts PgBouncer
in transaction mode before it.
"""

import gc
import os
import shutil
import ssl
import tempfile
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
import structlog
from hypothesis import settings
from psycopg import conninfo
from psycopg.sql import SQL, Identifier

from brain.local_postgres.server import EmbeddedPostgres
from language.encoder import sentence_encoder
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses, addresses
from memory.scope import Scope
from tests.audit_keys import ENVIRONMENT
from tests.pooler import ROUTE
from tests.this_test import THIS_TEST

_ROOM = 4 << 30
_LONG = {"test_eval_memory", "test_kills", "test_model_zoo", "test_near_misses"}

settings.register_profile("quick", max_examples=25, deadline=None)
settings.register_profile("exhaustive", max_examples=200, deadline=None)
settings.load_profile("quick")  # ``--hypothesis-profile`` is read later, and wins


def pytest_configure() -> None:
    """What is imported and collected stays to the end: nothing of it is garbage."""
    gc.disable()


def pytest_collection_finish() -> None:
    """No collection of garbage walks thousands of tests again, which costs more than many of them."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes minutes and what starts servers goes first, so that no process is left alone with it at the end."""
    items.sort(key=lambda item: (item.path.stem not in _LONG, "integration" not in item.path.parts))


@pytest.fixture(scope="session", autouse=True)
def certificates_load_once() -> Generator[None]:
    """Each new HTTP client loads the authorities' certificates: half the time of a test that mocks the wire anyway."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture(scope="session", autouse=True)
def audit_key_is_set() -> Generator[None]:
    """A worker signs with the tests' own key."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        yield


@pytest.fixture(scope="session", autouse=True)
def encoder_is_loaded() -> None:
    """Sentences are told apart alike in every test, whichever process and order it runs in."""
    sentence_encoder().load()


@pytest.fixture(autouse=True)
def logging_ends_with_the_test() -> Generator[None]:
    """A command run inside a test sends the log to that test's own stderr, which is closed afterwards."""
    yield
    structlog.reset_defaults()


@pytest.fixture(autouse=True)
def tenant_of_its_own() -> None:
    """Tests never meet in a row: builders take the tenant of the test that runs."""
    THIS_TEST.begin()


@pytest.fixture(scope="session")
def reachable_folder() -> Generator[Path]:
    """A folder for embedded databases: unlike pytest's own, other users can be let into it."""
    folder = Path(tempfile.mkdtemp(prefix="brain-test-", dir=quick_disk()))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def server_url(reachable_folder: Path) -> Generator[str]:
    """The owner's URL of the session's PostgreSQL server."""
    given = os.environ.get("BRAIN_TEST_DATABASE_URL")
    if given:
        with ROUTE.through(given, reachable_folder):
            yield given
        return
    server = EmbeddedPostgres(reachable_folder / "session", durable=False)
    try:
        url = server.start()
        with ROUTE.through(url, reachable_folder):
            yield url
    finally:
        server.stop()


@pytest.fixture(scope="session")
async def test_addresses(server_url: str) -> AsyncGenerator[Addresses]:
    """A migrated database of the session's own."""
    with a_database(server_url) as where:
        await migrate(where)
        yield where


@pytest.fixture(scope="session")
async def database(test_addresses: Addresses) -> AsyncGenerator[Database]:
    """The application's way to the session's database."""
    async with Database(test_addresses.app) as opened:
        yield opened


@pytest.fixture
def empty_database(server_url: str) -> Generator[Addresses]:
    """A database of this test's own in which nothing has been migrated."""
    with a_database(server_url) as where:
        yield where


@pytest.fixture(scope="session")
async def template(server_url: str) -> AsyncGenerator[str]:
    """The name of a migrated database that is there to be copied, which is quicker than to migrate."""
    with a_database(server_url) as where:
        await migrate(where)
        yield str(conninfo.conninfo_to_dict(where.owner)["dbname"])


@pytest.fixture
async def fresh_database(server_url: str, template: str) -> AsyncGenerator[Addresses]:
    """A migrated database of this test's own."""
    with a_database(server_url, template) as where:
        await migrate(where)  # creates its login and lets it in
        yield where


@pytest.fixture
def make_scope() -> Callable[..., Scope]:
    """Scopes in a tenant of this test's own, so that tests never meet in a row: ``make_scope(key="group:x")``."""
    tenant, user = uuid4(), uuid4()

    def make(**changes: object) -> Scope:
        return Scope(**{"tenant_id": tenant, "user_id": user, "key": "main", **changes})  # pyright: ignore[reportArgumentType]

    return make


@pytest.fixture
def scope(make_scope: Callable[..., Scope]) -> Scope:
    """One person in a fresh tenant."""
    return make_scope()


def quick_disk() -> str | None:
    """Memory, where the system offers plenty of it as a disk that programs can run from; else the usual place."""
    memory = Path("/dev/shm")
    if not memory.is_dir() or not os.access(memory, os.W_OK):
        return None
    disk = os.statvfs(memory)
    roomy = disk.f_bavail * disk.f_frsize > _ROOM
    return str(memory) if roomy and not disk.f_flag & os.ST_NOEXEC else None


@contextmanager
def a_database(server_url: str, template: str = "template1") -> Generator[Addresses]:
    """A new database with both logins, dropped together with its role at the end."""
    name = f"brain_test_{uuid4().hex[:12]}"
    where = ROUTE.lead(addresses(conninfo.make_conninfo(server_url, dbname=name)))
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(SQL("create database {} template {}").format(Identifier(name), Identifier(template)))
        try:
            yield where
        finally:
            connection.execute(SQL("drop database {} with (force)").format(Identifier(name)))
            for role in (where.app_role, where.knowledge_role):
                connection.execute(SQL("drop role if exists {}").format(Identifier(role)))
