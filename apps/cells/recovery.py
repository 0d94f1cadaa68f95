"""Ends moves whose mover died: nobody has to repeat a command before the tenant is served again and its jobs go on."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from uuid import UUID

import structlog

from apps.cells.cells import owner_urls
from apps.cells.settling import open_settlement
from apps.cells.standing import CellConnection, Standing, list_standings, open_cell
from brain.cells import answers_of, ask_each
from brain.settings import Settings
from memory.errors import BrainError
from memory.postgres.cells import HOME
from memory.postgres.failures import translate_errors

log = structlog.get_logger(__name__)

PAUSE = 5.0
"""Seconds between two looks: callers of a tenant that no cell serves wait longer."""
_CLAIM = "select brain.claim_act('moves', %s)"
_CLAIM_SLACK = 0.9
_AGAIN = 0.5


@asynccontextmanager
async def recover_regularly(settings: Settings) -> AsyncGenerator[None]:
    """End what dead movers left, now and every few seconds; of several processes one looks at a time."""
    if not settings.cell_urls:
        yield
        return
    watching = asyncio.create_task(_recover_forever(settings))
    try:
        yield
    finally:
        while not watching.done():  # a cancellation can be lost with what the task waits for
            watching.cancel()
            await asyncio.wait((watching,), timeout=_AGAIN)


async def recover_moves(urls: Mapping[str, str]) -> dict[UUID, str]:
    """Finish or take back every move whose mover is dead; the tenants, each with the cell that serves it now.

    A cell that is away is left out: a tenant that lives in it waits for it, the others do not.
    """
    openers = {name: partial(open_cell, name, url) for name, url in urls.items()}
    looked = await ask_each(openers, _list_moving)
    for name, answer in looked.items():
        if isinstance(answer, BrainError) and not answer.is_retryable:
            log.warning("moves_not_watched", cell=name, code=answer.code, why=answer.message)
    found = answers_of(looked)
    if HOME not in found:
        return {}
    tenants = sorted({each.tenant_id for standings in found.values() for each in standings})
    ended = {each: await _recover(each, {name: urls[name] for name in found}) for each in tenants}
    return {tenant_id: cell for tenant_id, cell in ended.items() if cell is not None}


async def _list_moving(opener: Callable[[], AbstractAsyncContextManager[CellConnection]]) -> list[Standing]:
    """Tenants that are not at rest: at home that is who lives there or elsewhere, in a cell who is served."""
    async with opener() as cell:
        with translate_errors():
            found = await list_standings(cell, but="gone" if cell.name == HOME else "here")
    return [each for each in found if each.state != "here"]


async def _recover(tenant_id: UUID, urls: Mapping[str, str]) -> str | None:
    try:
        async with open_settlement(tenant_id, urls) as settlement:
            cell = await settlement.recover()
    except BrainError as error:
        if error.code != "E_CONFLICT":  # otherwise its mover lives
            log.warning("move_not_recovered", tenant_id=str(tenant_id), code=error.code, why=error.message)
        return None
    if cell is not None:
        log.warning("move_recovered", tenant_id=str(tenant_id), cell=cell)
    return cell


async def _recover_forever(settings: Settings) -> None:
    while True:
        try:
            await _look(settings)
        except BrainError as error:
            log.warning("moves_not_watched", code=error.code)
        except Exception as error:  # whoever watches must not die of what nobody foresaw
            log.error("moves_not_watched", error=type(error).__name__)
        await asyncio.sleep(PAUSE)


async def _look(settings: Settings) -> None:
    urls = await owner_urls(settings)
    async with open_cell(HOME, urls[HOME]) as home:
        with translate_errors():
            claimed = await (await home.connection.execute(_CLAIM, (PAUSE * _CLAIM_SLACK,))).fetchone()
    if claimed == (True,):
        await recover_moves(urls)
