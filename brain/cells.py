"""The cells of an installation as settings: whatever runs in one of them is given that one's, and knows of no other.

What concerns all of them is asked of each (``ask_each``), what concerns a tenant of its own (``settings_of_tenant``).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar
from uuid import UUID

from brain.local_postgres.server import OnStep
from brain.local_postgres.startup import app_url, ignore_step, pool_limits
from brain.settings import Settings
from memory.errors import BrainError, timeout_error
from memory.postgres.cells import HOME, CellDatabase, CellDirectory, find_in_cells
from memory.postgres.database import Database

Held = TypeVar("Held")
T = TypeVar("T")

_APART = {"cells": None, "app_database_url": None, "direct_database_url": None, "replica_database_url": None}
"""What says where the first database is, and nothing of the others."""


def settings_by_cell(settings: Settings) -> Mapping[str, Settings]:
    """The settings of each database, home first; where there is one database, it alone."""
    return {HOME: settings.model_copy(update={"cells": None})} | {
        name: settings.model_copy(update=_APART | {"database_url": url}) for name, url in settings.cell_urls.items()
    }


async def settings_of_tenant(settings: Settings, tenant_id: UUID) -> Settings:
    """The settings of the database in which a tenant lives. Raises ``E_CONFIG`` for a cell that they do not name."""
    known = settings_by_cell(settings)
    if len(known) == 1:
        return known[HOME]
    async with Database(app_url(known[HOME]), pool_limits(settings, connections=1)) as home:
        return find_in_cells(known, await CellDirectory(home).find(tenant_id))


async def ask_each(
    cells: Mapping[str, Held],
    question: Callable[[Held], Awaitable[T]],
    patience: float | None = None,
    *,
    one_by_one: bool = False,
) -> dict[str, T | BrainError]:
    """Ask all cells, by what is held for each. One that is away answers with its error, and keeps no other.

    They are asked at once, or ``one_by_one``. ``patience``: seconds after which one that is silent counts as away.
    """
    places = asyncio.Semaphore(1 if one_by_one else max(1, len(cells)))

    async def ask(held: Held) -> T | BrainError:
        try:
            async with places, asyncio.timeout(patience):
                return await question(held)
        except BrainError as error:
            return error
        except TimeoutError:
            return timeout_error("No answer in time.", "'brain doctor' tells which databases are reachable.")

    answers = await asyncio.gather(*(ask(each) for each in cells.values()))
    return dict(zip(cells, answers, strict=True))


def answers_of(asked: Mapping[str, T | BrainError]) -> dict[str, T]:
    """What those answered that did."""
    return {name: answer for name, answer in asked.items() if not isinstance(answer, BrainError)}


def require_answers(asked: Mapping[str, T | BrainError]) -> None:
    """Raises the error of the first cell that did not answer; where there are several, it says which."""
    for name, answer in asked.items():
        if isinstance(answer, BrainError):
            raise answer if len(asked) == 1 else BrainError(answer.code, f"{name}: {answer.message}", answer.hint)


def open_databases(
    settings: Settings,
    moved: Sequence[Callable[[UUID], None]] = (),
    on_step: OnStep = ignore_step,
    connections: int | None = None,
) -> Database:
    """The way to the database, or to all of them. ``moved`` hears of each tenant that turns out to have moved."""
    limits = pool_limits(settings, connections)
    home, *cells = [(name, each) for name, each in settings_by_cell(settings).items()]
    database = Database(app_url(home[1], on_step), limits)
    if not cells:
        return database
    return CellDatabase(database, {name: Database(app_url(each), limits) for name, each in cells}, moved)
