"""One way to several databases with the same schema: each session goes to the cell in which its tenant lives.

Which cell that is, the first database (home) knows; what a process once heard it believes until a database refuses the
tenant, which each does that does not serve it. So nothing is asked twice, and nothing old does harm.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar
from uuid import UUID

from memory.errors import BrainError, config_error, unavailable
from memory.postgres.database import Database, RoleOf
from memory.postgres.database_session import Begun
from memory.postgres.failures import MovedError
from memory.postgres.sql import statement
from memory.scope import Scope

Held = TypeVar("Held")

HOME = "home"
"""The name of the database that knows where the tenants are, and serves those that live nowhere else."""
KNOWN_TENANTS = 100_000
"""Tenants whose cell a process remembers."""
MOVE_SECONDS = 10.0
"""How long a caller waits for a move to let go of its tenant."""
_LOOK_AGAIN = 0.05
AWAY_SECONDS = 2.0
"""How long a cell that could not be reached is refused at once, before somebody tries it again."""
TRIAL_SECONDS = 15.0
"""How long that trial may take."""


@dataclass(frozen=True)
class _CellRow:
    cell: str | None


class CellDirectory:
    """In which cell a tenant lives, as home says, remembered. ``moved`` hears of each tenant that turns out to move."""

    def __init__(self, home: Database, moved: Sequence[Callable[[UUID], None]] = ()) -> None:
        self._home = home
        self._moved = moved
        self._known: OrderedDict[UUID, str] = OrderedDict()

    async def find(self, tenant_id: UUID) -> str:
        """The name of the tenant's cell."""
        found = self._known.get(tenant_id)
        if found is None:
            async with self._home.anonymous_session() as session:
                row = await session.fetch_one(statement("find_cell"), {"tenant_id": tenant_id}, _CellRow)
            found = (row.cell if row else None) or HOME
            self._known[tenant_id] = found
            if len(self._known) > KNOWN_TENANTS:
                self._known.popitem(last=False)
        return found

    async def follow(self, tenant_id: UUID, until: float) -> None:
        """Find out where a tenant went whose cell refused it; at the last step of a move, neither of the two serves it.

        Raises ``E_DEP_UNAVAILABLE`` when that is so after ``until``, a time of the monotonic clock.
        """
        refused_by = self._known.pop(tenant_id, None)
        for tell in self._moved:
            tell(tenant_id)
        if await self.find(tenant_id) == refused_by:
            if monotonic() > until:
                raise MovedError
            await asyncio.sleep(_LOOK_AGAIN)


class CellReach:
    """Which cells could not be reached lately: whoever finds that out pays for it alone, others are refused at once."""

    def __init__(self) -> None:
        self._away: dict[str, float] = {}

    @contextmanager
    def attempt(self, cell: str) -> Generator[None]:
        """Try to get a connection of a cell. Raises ``E_DEP_UNAVAILABLE`` where that failed a moment ago."""
        until = self._away.get(cell)
        if until is not None and monotonic() < until:
            raise _away_error(cell)
        if until is not None:
            self._away[cell] = monotonic() + TRIAL_SECONDS
        try:
            yield
        except BrainError as error:
            if isinstance(error, MovedError) or error.code != "E_DEP_UNAVAILABLE":
                self._away.pop(cell, None)
                raise
            self._away[cell] = monotonic() + AWAY_SECONDS
            raise _away_error(cell) from error
        except BaseException:
            self._away.pop(cell, None)
            raise
        self._away.pop(cell, None)


class CellDatabase(Database):
    """``Database`` over all cells. What belongs to no tenant is asked of home."""

    def __init__(
        self, home: Database, cells: Mapping[str, Database], moved: Sequence[Callable[[UUID], None]] = ()
    ) -> None:
        self.others = cells
        """The databases beside home."""
        self._cells = {HOME: home, **cells}
        self._directory = CellDirectory(home, moved)
        self._reach = CellReach()

    @property
    def round_trips(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Of all cells."""
        return sum(each.round_trips for each in self._cells.values())

    async def open(self) -> None:
        """Reach home; a cell is reached when the first of its tenants asks."""
        await self._cells[HOME].open()

    async def close(self) -> None:
        """Give every connection back."""
        for each in self._cells.values():
            await each.close()

    @asynccontextmanager
    async def begin(
        self, scope: Scope | None, role: RoleOf | None = None, *, anonymous: bool = False
    ) -> AsyncGenerator[Begun]:
        """A connection to the cell of the scope's tenant, which follows that tenant when it moves."""
        if scope is None:
            async with self._cells[HOME].begin(None, role, anonymous=anonymous) as begun:
                yield begun
            return
        async with AsyncExitStack() as lent:

            async def lend() -> Begun:
                cell = await self._directory.find(scope.tenant_id)
                database = find_in_cells(self._cells, cell)
                with self._reach.attempt(cell):
                    begun = await lent.enter_async_context(database.begin(scope, role, anonymous=anonymous))
                return Begun(begun.line, begun.prelude, follow)

            async def follow() -> Begun:
                nonlocal until
                until = until or monotonic() + MOVE_SECONDS
                await lent.aclose()  # before another is asked for: two at once could wait for each other
                await self._directory.follow(scope.tenant_id, until)
                return await lend()

            until = 0.0
            yield await lend()


def find_in_cells(cells: Mapping[str, Held], cell: str) -> Held:
    """What is held for a cell. Raises ``E_CONFIG`` for one that the settings do not name."""
    if cell not in cells:
        raise config_error(f"The tenant lives in cell {cell}, which is not in BRAIN_CELLS.", "Name it there.")
    return cells[cell]


def _away_error(cell: str) -> BrainError:
    return unavailable(f"The tenant's database (cell {cell}) is away.", "Try again; other cells are not concerned.")
