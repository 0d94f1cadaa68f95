"""Servers that the tests of one file share, and those who call them."""

from collections.abc import AsyncGenerator, Callable, Generator, Iterator

import psycopg
import pytest

from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.conftest import a_database
from tests.integration.callers import Callers
from tests.integration.issuer import Issuer
from tests.integration.model_stories import Story
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


@pytest.fixture(scope="module")
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
    settings = {"openai_api_key": "sk-test", "base_url": model.base_url, **issuer.settings}
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
async def quiet_database(server_url: str) -> AsyncGenerator[tuple[Addresses, Database]]:
    """A database in whose queue nobody else's jobs wait."""
    with a_database(server_url) as where:
        await migrate(where)
        async with Database(where.app) as opened:
            yield where, opened


@pytest.fixture(scope="module", autouse=True)
def nobody_elses_jobs(test_addresses: Addresses) -> None:
    """Workers of a file do its own work: what other files left in the queue would keep them for half a minute."""
    with psycopg.connect(test_addresses.owner, options="-c search_path=queue") as connection:
        connection.execute("delete from procrastinate_jobs")


@pytest.fixture
def story(quiet_database: tuple[Addresses, Database], scope: Scope) -> Story:
    """A person whose words a model will read."""
    return Story(*quiet_database, scope)


@pytest.fixture
def group(quiet_database: tuple[Addresses, Database], make_scope: Callable[..., Scope]) -> Story:
    """The same in a group."""
    return Story(*quiet_database, make_scope(key="group:kitchen"))
