"""The cells of an installation as its operator sees them."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from apps.cells.standing import CellConnection, Standing, list_standings, lives_in, open_cell, prepare_cell
from brain.cells import settings_by_cell
from brain.local_postgres.startup import find_owner_url, prepare_database
from brain.settings import Settings, strip_credentials
from memory.errors import BrainError, bad_request, config_error
from memory.postgres.cells import HOME
from memory.postgres.failures import translate_errors


@dataclass(frozen=True, kw_only=True)
class CellView:
    """A cell. ``tenants``: how many were moved to it; ``unfinished``: tenants whose move was begun and not ended."""

    name: str
    place: str
    state: str
    tenants: int
    unfinished: tuple[UUID, ...] = ()


async def owner_urls(settings: Settings) -> Mapping[str, str]:
    """The owner's address of every cell, home first. Raises ``E_CONFIG`` where there is none."""
    urls = {name: await find_owner_url(each) for name, each in settings_by_cell(settings).items()}
    if urls[HOME] is None:
        raise config_error("There is no database yet.", "Run 'brain migrate' first.")
    return {name: url for name, url in urls.items() if url is not None}


async def add_cell(settings: Settings, name: str) -> None:
    """Bring a database named in ``BRAIN_CELLS`` to this Brain's schema and make it a cell; again does no harm."""
    await prepare_database(settings_by_cell(settings)[HOME])
    await prepare_database(_settings_of(settings, name))
    urls = await owner_urls(settings)
    with translate_errors():
        async with open_cell(HOME, urls[HOME]) as home, open_cell(name, urls[name]) as cell:
            await prepare_cell(home, cell)


async def require_empty_cell(settings: Settings, name: str) -> None:
    """Raises ``E_CONFLICT`` while anybody lives in a cell, or a move to or from it was begun."""
    _settings_of(settings, name)
    async with _open_home(settings) as home:
        with translate_errors():
            inhabited = [each for each in await list_standings(home) if lives_in(each) == name]
    async with open_cell(name, (await owner_urls(settings))[name]) as cell:
        with translate_errors():
            inhabited += await list_standings(cell)
    if inhabited:
        raise BrainError(
            "E_CONFLICT",
            f"{len({each.tenant_id for each in inhabited})} tenants live in {name} or are on their way.",
            f"Move them first: brain cells move --tenant NAME {HOME}.",
        )


async def list_cells(settings: Settings) -> list[CellView]:
    """Every cell; one that cannot be reached says so."""
    urls = await owner_urls(settings)
    async with _open_home(settings) as home:
        with translate_errors():
            at_home = await list_standings(home)
    return [await _look_at(name, url, at_home) for name, url in urls.items()]


async def _look_at(name: str, url: str, at_home: Sequence[Standing]) -> CellView:
    tenants = sum(each.state == "gone" and lives_in(each) == name for each in at_home)
    try:
        async with open_cell(name, url) as cell:
            with translate_errors():
                standings = await list_standings(cell)
        state = "reachable"
    except BrainError as error:
        standings, state = list[Standing](), error.code
    unfinished = tuple(each.tenant_id for each in standings if _is_unfinished(each, name, at_home))
    return CellView(name=name, place=strip_credentials(url), state=state, tenants=tenants, unfinished=unfinished)


def _is_unfinished(standing: Standing, name: str, at_home: Sequence[Standing]) -> bool:
    """At home a tenant that is gone is at rest; in a cell its old copy is still there, or home does not know of it."""
    if name == HOME or standing.state in ("leaving", "arriving"):
        return standing.state in ("leaving", "arriving")
    return standing.state == "gone" or name not in {
        lives_in(each) for each in at_home if each.tenant_id == standing.tenant_id
    }


def _settings_of(settings: Settings, name: str) -> Settings:
    known = settings_by_cell(settings)
    if name not in known or name == HOME:
        raise bad_request(f"BRAIN_CELLS names no cell {name!r}.", f"It knows {', '.join(known)}.")
    return known[name]


@asynccontextmanager
async def _open_home(settings: Settings) -> AsyncGenerator[CellConnection]:
    async with AsyncExitStack() as stack:
        yield await stack.enter_async_context(open_cell(HOME, (await owner_urls(settings))[HOME]))
