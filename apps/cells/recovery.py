"""Ends moves whose mover died: nobody has to repeat a command before the tenant is served again and its jobs go on."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

import structlog

from apps.cells.capture import list_followed
from apps.cells.cells import owner_urls
from apps.cells.locks import MoverAliveError
from apps.cells.settling import open_settlement
from apps.cells.standing import CellConnection, list_standings, open_cell
from brain.background import run_beside
from brain.cells import answers_of, ask_each
from brain.resources import Resources
from brain.service_alerts.watch import CLAIM_SLACK, AlertWatch
from brain.settings import Settings
from brain.wiring import build_resources
from memory.errors import BrainError
from memory.postgres.cells import HOME
from memory.postgres.failures import translate_errors

log = structlog.get_logger(__name__)

PAUSE = 5.0
"""Seconds between two looks: callers of a tenant that no cell serves wait longer."""


@dataclass(frozen=True)
class Recovery:
    """What a look at all cells found. ``ended``: tenants whose move was ended, with the cell that serves them now.

    ``left``: tenants whose move nobody but a person can end, or whose cell is away.
    """

    away: Sequence[str] = field(default_factory=list[str])
    ended: Mapping[UUID, str] = field(default_factory=dict[UUID, str])
    left: Sequence[UUID] = field(default_factory=list[UUID])


@asynccontextmanager
async def recover_regularly(settings: Settings) -> AsyncGenerator[None]:
    """End what dead movers left, now and every few seconds; of several processes one looks at a time.

    Alerts tell which databases are away, and that moves are left for a person.
    """
    if not settings.cell_urls:
        yield
        return
    async with run_beside(_recover_forever(settings)):
        yield


async def recover_moves(urls: Mapping[str, str]) -> Recovery:
    """Finish or take back every move whose mover is dead.

    A cell that is away is left out: a tenant that lives in it waits for it, the others do not.
    """
    openers = {name: partial(open_cell, name, url) for name, url in urls.items()}
    looked = await ask_each(openers, list_moving)
    found, away = answers_of(looked), [name for name in urls if isinstance(looked[name], BrainError)]
    for name, answer in looked.items():
        if isinstance(answer, BrainError) and not answer.is_retryable:
            log.warning("moves_not_watched", cell=name, code=answer.code, why=answer.message)
    if HOME not in found:
        return Recovery(away)
    ended, left = dict[UUID, str](), list[UUID]()
    for tenant_id in sorted({each for tenants in found.values() for each in tenants}):
        try:
            async with open_settlement(tenant_id, {name: urls[name] for name in found}) as settlement:
                if cell := await settlement.recover():
                    ended[tenant_id] = cell
                    log.warning("move_recovered", tenant_id=str(tenant_id), cell=cell)
        except MoverAliveError:
            continue
        except BrainError as error:
            left.append(tenant_id)
            if error.code != "E_CONFLICT":
                log.warning("move_not_recovered", tenant_id=str(tenant_id), code=error.code, why=error.message)
    return Recovery(away, ended, left)


async def list_moving(opener: Callable[[], AbstractAsyncContextManager[CellConnection]]) -> list[UUID]:
    """Tenants that are not at rest in a cell: there that is who is served, at home also who lives elsewhere."""
    with translate_errors():
        async with opener() as cell:
            standings = await list_standings(cell, but="gone" if cell.name == HOME else "here")
            followed = await list_followed(cell.connection)
    return [*(each.tenant_id for each in standings if each.state != "here"), *followed]


async def look_at_moves(resources: Resources) -> None:
    """End what is to end and tell of what is not, unless another process did just now."""
    if await resources.memory.service_alerts.claim("moves", PAUSE * CLAIM_SLACK):
        urls = await owner_urls(resources.settings)
        found = await recover_moves(urls)
        await AlertWatch(resources).look_at_cells(len(urls), len(found.away), len(found.left))


async def _recover_forever(settings: Settings) -> None:
    resources = build_resources(settings)
    try:
        while True:
            try:
                await look_at_moves(resources)
            except BrainError as error:
                log.warning("moves_not_watched", code=error.code)
            except Exception as error:  # whoever watches must not die of what nobody foresaw
                log.error("moves_not_watched", error=type(error).__name__)
            await asyncio.sleep(PAUSE)
    finally:
        await resources.close()
