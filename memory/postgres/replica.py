"""Questions answered by a copy of the database, where it has all that the person who asks has written.

What a person has, the primary alone knows: it is asked first, in a statement that looks at what changed and nothing
else. Whatever was written, forgotten or erased by any process before a question is therefore in the answer, however far
the copy lags; where it lags too far or is away, the primary answers itself.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeVar

from memory.errors import BrainError
from memory.postgres.database import Database
from memory.recall.query import ReadSource
from memory.recall.statement import owner_range_params
from memory.scope import Scope, Space

Row = TypeVar("Row")
WAITS = (0.003, 0.01)
"""Seconds between looks at a copy that has not arrived and may be about to."""
REST = 5.0
"""Seconds for which a copy that failed is let alone."""
PEOPLE_KNOWN = 10_000
MARKER_SECONDS = 1_800.0
"""How long a marker is good for; the database forgets after a day what was taken away."""


@dataclass(frozen=True, kw_only=True)
class Marker:
    """``position`` in the primary's log holds all that ``snapshot`` saw of a person's rows."""

    snapshot: str
    position: str
    timeline: int
    erasures: int

    def continues(self, known: "Marker") -> bool:
        """Whether it is of the same history, in which nobody of the tenant was erased since."""
        return (self.timeline, self.erasures) == (known.timeline, known.erasures)


@dataclass(frozen=True, kw_only=True)
class _FoundMarker(Marker):
    changed: bool


@dataclass(frozen=True)
class _Arrival:
    arrived: bool


@dataclass
class Replica:
    """A copy that follows the primary."""

    primary: Database
    copy: Database
    clock: Callable[[], float] = monotonic
    _markers: "OrderedDict[Space, tuple[float, Marker]]" = field(
        default_factory=lambda: OrderedDict[Space, tuple[float, Marker]]()
    )
    _resting_until: float = 0.0
    _lags: bool = False
    _opening: asyncio.Task[None] | None = None

    async def fetch(
        self, scope: Scope, query: str, params: Mapping[str, object], row_type: type[Row]
    ) -> tuple[list[Row] | None, ReadSource]:
        """The rows of a question, or None where the primary has to be asked; and who answers."""
        if not self._is_ready():
            return None, "primary_copy_away"
        marker = await self._find_marker(scope)
        try:
            rows = await self._fetch_arrived(scope, marker, query, params, row_type)
        except BrainError:  # whatever it is, the primary answers, or refuses for a reason that counts
            self._rest()
            return None, "primary_copy_away"
        self._lags = rows is None
        return rows, "primary_copy_lags" if rows is None else "copy"

    async def close(self) -> None:
        """Give its connections back."""
        if self._opening is not None:
            self._opening.cancel()
            with suppress(asyncio.CancelledError):
                await self._opening
        await self.copy.close()

    def _is_ready(self) -> bool:
        """Nobody waits for a copy to be reached: that happens beside the questions."""
        if self.clock() < self._resting_until or self.copy.is_open:
            return self.clock() >= self._resting_until
        if self._opening is None or self._opening.done():
            self._opening = asyncio.create_task(self._open())
        return False

    async def _open(self) -> None:
        try:
            await self.copy.open()
        except BrainError:
            self._rest()

    def _rest(self) -> None:
        self._resting_until = self.clock() + REST

    async def _find_marker(self, scope: Scope) -> Marker:
        """The known one, unless something of the person's has changed since."""
        now = self.clock()
        at, known = self._markers.get(scope.space, (now, None))
        if now - at > MARKER_SECONDS:
            known = None
        params = owner_range_params(scope) | {"since": known.snapshot if known else None}
        async with self.primary.scope_session(scope) as session:
            found = await session.fetch_one("recall_marker", params, _FoundMarker)
        assert found is not None
        if known is not None and not found.changed and found.continues(known):
            return known
        self._markers[scope.space] = now, found
        self._markers.move_to_end(scope.space)
        if len(self._markers) > PEOPLE_KNOWN:
            self._markers.popitem(last=False)
        return found

    async def _fetch_arrived(
        self, scope: Scope, marker: Marker, query: str, params: Mapping[str, object], row_type: type[Row]
    ) -> list[Row] | None:
        """One transaction, so that a pooler cannot let one copy tell that it has arrived and another one answer."""
        reached = {"position": marker.position, "timeline": marker.timeline}
        async with self.copy.transaction(scope) as session:
            for wait in (*(() if self._lags else WAITS), None):
                arrival = await session.fetch_one("has_arrived", reached, _Arrival)
                if arrival is not None and arrival.arrived:
                    return await session.fetch(query, params, row_type)
                if wait is not None:
                    await asyncio.sleep(wait)
        return None
