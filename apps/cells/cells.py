"""The cells of an installation as its operator sees them."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from apps.cells.capture import list_followed
from apps.cells.standing import (
    CellConnection,
    Standing,
    list_standings,
    lives_in,
    open_cell,
    prepare_cell,
    require_free,
    serves_anybody,
)
from brain.cells import answers_of, ask_each, require_answers, settings_by_cell
from brain.local_postgres.startup import find_owner_url, prepare_database
from brain.settings import Settings, strip_credentials
from memory.errors import BrainError, bad_request, config_error
from memory.postgres.cells import HOME
from memory.postgres.failures import translate_errors


@dataclass(frozen=True, kw_only=True)
class CellView:
    """A cell. ``tenants``: how many were moved to it; ``unfinished``: tenants whose move was begun and not ended.

    ``place`` is empty for one in which tenants live though no setting names it.
    """

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
    of_cell = _settings_of(settings, name)
    await prepare_database(settings_by_cell(settings)[HOME])
    urls = await owner_urls(settings)
    with translate_errors():
        async with open_cell(HOME, urls[HOME]) as home, open_cell(name, urls[name]) as cell:
            await require_free(cell)
            await prepare_database(of_cell)
            await prepare_cell(home, cell)


async def require_empty_cell(settings: Settings, name: str) -> None:
    """Raises ``E_CONFLICT`` while anybody lives in a cell, or a move to or from it was begun."""
    _settings_of(settings, name)
    async with _open_home(settings) as home:
        with translate_errors():
            _require_nobody(name, [each for each in await list_standings(home) if lives_in(each) == name])
    async with open_cell(name, (await owner_urls(settings))[name]) as cell:
        with translate_errors():
            _require_nobody(name, await list_standings(cell))


def _require_nobody(name: str, inhabited: Sequence[Standing]) -> None:
    if inhabited:
        raise BrainError(
            "E_CONFLICT",
            f"{len(inhabited)} tenants live in {name} or are on their way.",
            f"Move them first: brain cells move --tenant NAME {HOME}.",
        )


async def list_cells(settings: Settings) -> list[CellView]:
    """Every cell; one that cannot be reached says so, and so does one in which tenants live and no setting names."""
    urls = await owner_urls(settings)
    looked = await ask_each({name: partial(open_cell, name, url) for name, url in urls.items()}, _look_at)
    require_answers({HOME: looked[HOME]})
    at_home = answers_of(looked)[HOME].standings
    views = [_view(name, urls[name], looked[name], at_home) for name in urls]
    unnamed = sorted({lives_in(each) for each in at_home} - set(urls))
    return views + [
        CellView(name=name, place="", state="not in BRAIN_CELLS", tenants=_count_tenants(name, at_home))
        for name in unnamed
    ]


@dataclass(frozen=True)
class _Look:
    """What a database says: about tenants, about moves that began there, and whether it serves whoever comes."""

    standings: Sequence[Standing]
    followed: Sequence[UUID]
    is_open: bool


async def _look_at(opener: Callable[[], AbstractAsyncContextManager[CellConnection]]) -> _Look:
    with translate_errors():
        async with opener() as cell:
            standings, followed = await list_standings(cell), await list_followed(cell.connection)
            return _Look(standings, followed, await serves_anybody(cell))


def _view(name: str, url: str, looked: _Look | BrainError, at_home: Sequence[Standing]) -> CellView:
    tenants, place = _count_tenants(name, at_home), strip_credentials(url)
    if isinstance(looked, BrainError):
        return CellView(name=name, place=place, state=looked.code, tenants=tenants)
    lives = {each.tenant_id: lives_in(each) for each in at_home}
    unfinished = {each.tenant_id for each in looked.standings if _is_unfinished(each, name, lives)}
    if name != HOME:  # a cell that was restored may not know of those who live there
        known = {each.tenant_id for each in looked.standings}
        unfinished |= {tenant_id for tenant_id, where in lives.items() if where == name} - known
    return CellView(
        name=name,
        place=place,
        state="reachable" if name == HOME or not looked.is_open else "not added",
        tenants=tenants,
        unfinished=tuple(sorted(unfinished | set(looked.followed))),
    )


def _count_tenants(name: str, at_home: Sequence[Standing]) -> int:
    return sum(lives_in(each) == name for each in at_home) if name != HOME else 0


def _is_unfinished(standing: Standing, name: str, lives: Mapping[UUID, str]) -> bool:
    """At home a tenant that is gone is at rest; in a cell its old copy is still there, or home does not know of it."""
    if standing.state in ("leaving", "arriving"):
        return True
    return name != HOME and (standing.state == "gone" or lives.get(standing.tenant_id) != name)


def _settings_of(settings: Settings, name: str) -> Settings:
    known = settings_by_cell(settings)
    if name not in known or name == HOME:
        raise bad_request(f"BRAIN_CELLS names no cell {name!r}.", f"It knows {', '.join(known)}.")
    return known[name]


@asynccontextmanager
async def _open_home(settings: Settings) -> AsyncGenerator[CellConnection]:
    async with AsyncExitStack() as stack:
        yield await stack.enter_async_context(open_cell(HOME, (await owner_urls(settings))[HOME]))
