"""A tenant's share over all processes. A process that is alone counts by itself, and asks nobody."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from math import ceil

import structlog

from apps.http import metrics
from apps.http.serving_process import ServingProcess
from apps.http.tenant_limits import TenantLimits, too_fast, too_many
from memory.errors import BrainError
from memory.scope import name_id
from memory.serving import ShareGrant, ShareRequest

log = structlog.get_logger(__name__)

Waiting = asyncio.Future[None]


class SharedLimits:
    """The bounds of ``TenantLimits`` over all processes that serve the database.

    What this process counts by itself bounds it first, so that who asks too much costs the database nothing. With
    others beside it each request costs one round trip, and less when many come at once. While the database is away,
    each process gives out its even part.
    """

    def __init__(self, local: TenantLimits, process: ServingProcess) -> None:
        self._local, self._process = local, process
        self.lines: dict[str, ShareLine] = {}
        """Of tenants of which something is being asked or told."""
        self._held: set[str] = set()
        """Tenants of which the database believes that they have places here."""
        self._apart = local.divide(1)
        self._parts = 1
        process.on_company = self._tell_all

    def count(self, tenant: str) -> None:
        """Count a request that begins to arrive. Raises ``HttpRefusal`` 429 with the seconds to wait."""
        self._local.count(tenant)

    @asynccontextmanager
    async def admit(self, tenant: str) -> AsyncGenerator[None]:
        """A place for one request that has arrived. Raises ``HttpRefusal`` 429 with the seconds to wait."""
        try:
            with self._local.admit(tenant):
                if self._process.others:
                    await self._line(tenant).take()
                yield
        finally:
            if self._process.others or tenant in self._held:
                self._line(tenant).tell()

    async def ask(self, tenant: str, wanted: int) -> ShareGrant:
        """So many places of the tenant's, over all processes. Raises ``BrainError``."""
        running = self._local.running(tenant) - wanted
        asked = ShareRequest(
            process_id=self._process.process_id,
            running=running,
            wanted=wanted,
            per_minute=self._local.per_minute,
            at_once=self._local.at_once,
            at_most=self._local.tokens(tenant) + wanted,
        )
        grant = await self._process.serving.take_share(name_id("tenant", tenant), asked)
        (self._held.add if running + grant.granted else self._held.discard)(tenant)
        return grant

    def judge_apart(self, tenant: str) -> None:
        """Whether one more request is within this process's even part. Raises ``HttpRefusal`` 429."""
        if self._parts != self._process.others + 1:
            self._parts = self._process.others + 1
            self._apart = self._local.divide(self._parts)
        if self._local.running(tenant) > self._apart.at_once:
            raise too_many(self._local.at_once)
        self._apart.count(tenant)

    def drop_line(self, tenant: str) -> None:
        """Nobody waits in it any more."""
        self.lines.pop(tenant, None)

    def refuse(self, grant: ShareGrant) -> Exception:
        """What those are told who got no place."""
        metrics.refused.labels("too_fast" if grant.too_fast else "too_many").inc()
        if grant.too_fast:
            return too_fast(self._local.per_minute, ceil(grant.seconds or 1))
        return too_many(self._local.at_once)

    def _line(self, tenant: str) -> "ShareLine":
        return self.lines.setdefault(tenant, ShareLine(self, tenant))

    async def _tell_all(self) -> None:
        for tenant in self._local.active():
            self._line(tenant).tell()


class ShareLine:
    """One tenant's way to the common count: one question at a time, for all who came meanwhile.

    A tenant with many requests holds one connection to the database, not all of them.
    """

    def __init__(self, limits: SharedLimits, tenant: str) -> None:
        self._limits, self._tenant = limits, tenant
        self._waiting: list[Waiting] = []
        self._has_news = False
        self.asking: asyncio.Task[None] | None = None

    async def take(self) -> None:
        """Wait for a place. Raises ``HttpRefusal`` 429."""
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self.tell()
        try:
            await place
        finally:
            if place in self._waiting:
                self._waiting.remove(place)

    def tell(self) -> None:
        """Say soon what is in use here."""
        self._has_news = True
        if self.asking is None:
            self.asking = asyncio.create_task(self._ask_on())

    async def _ask_on(self) -> None:
        while self._has_news:
            asked, self._waiting, self._has_news = self._waiting, [], False
            try:
                self._settle(asked, await self._limits.ask(self._tenant, len(asked)))
            except BrainError as error:
                log.warning("share_not_counted", code=error.code)
                self._settle_apart(asked)
        self._limits.drop_line(self._tenant)

    def _settle(self, asked: Sequence[Waiting], grant: ShareGrant) -> None:
        for number, place in enumerate(asked):
            if place.done():
                continue
            if number < grant.granted:
                place.set_result(None)
            else:
                place.set_exception(self._limits.refuse(grant))

    def _settle_apart(self, asked: Sequence[Waiting]) -> None:
        for place in asked:
            if place.done():
                continue
            try:
                self._limits.judge_apart(self._tenant)
            except Exception as refusal:  # every refusal is told to who waits
                place.set_exception(refusal)
            else:
                place.set_result(None)
