"""The server's threads as the database knows them, for when the server itself has forgotten them.

``langgraph dev`` keeps its list of threads in memory and writes it to a file every few seconds. The checkpoints in
PostgreSQL outlive it, so they say whose thread an id is, and which threads to serve again after a crash.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from langgraph_sdk.client import LangGraphClient

from apps.views.health import probe_disk, queue_health
from brain.identity import Identity
from brain.local_postgres.startup import app_url, pool_limits
from brain.wiring import shared_resources
from memory.postgres.database import Database
from memory.service_alerts import QueueHealth

RESTORED = 1_000
"""How many of the last used threads a starting server makes sure to know."""


def stamp_for(identity: Identity) -> dict[str, str]:
    """What a thread's checkpoints say about whose they are."""
    return {"tenant": identity.tenant, "owner": identity.user}


@dataclass(frozen=True)
class Owner:
    """Whose thread it is; both None for a thread that an open agent server began."""

    tenant: str | None
    owner: str | None


@dataclass(frozen=True)
class KnownThread:
    """A thread as its newest checkpoint describes it."""

    thread_id: str
    graph_id: str
    assistant_id: str | None
    tenant: str | None
    owner: str | None

    @property
    def metadata(self) -> dict[str, Any]:
        """What the server keeps beside a thread, and filters by."""
        fields = ("graph_id", "assistant_id", "tenant", "owner")
        return {name: value for name in fields if (value := getattr(self, name)) is not None}


@dataclass(frozen=True)
class _DatabaseId:
    database_id: str


class ThreadRegistry:
    """Reads what belongs to no tenant: LangGraph's own tables, the queue, and whether there is room for more."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def fetch_owner(self, thread_id: str) -> Owner | None:
        """Who owns the checkpoints of a thread; None when nobody does."""
        async with self._database.anonymous_session() as session:
            return await session.fetch_one("thread_owner", {"thread_id": thread_id}, Owner)

    async def fetch_recent(self, limit: int = RESTORED) -> list[KnownThread]:
        """The threads that were used last, newest first."""
        async with self._database.anonymous_session() as session:
            return await session.fetch("recent_threads", {"limit": limit}, KnownThread)

    async def fetch_database_id(self) -> str:
        """Which database this is: no other has the same id, not even a copy of it."""
        async with self._database.anonymous_session() as session:
            (found,) = await session.fetch("database_id", {}, _DatabaseId)
        return found.database_id

    async def queue(self) -> QueueHealth:
        """How the work behind the conversations stands."""
        return await queue_health(self._database)

    async def probe_disk(self) -> None:
        """Whether the database can still write. Raises ``E_DEP_UNAVAILABLE`` while its disk is full."""
        await probe_disk(self._database)

    async def close(self) -> None:
        """Give the connections back."""
        await self._database.close()


@cache
def thread_registry() -> ThreadRegistry:
    """This server's own; opens at first use."""
    settings = shared_resources().settings
    return ThreadRegistry(Database(app_url(settings), pool_limits(settings, connections=2)))


async def restore(known: list[KnownThread], server: LangGraphClient) -> int:
    """Tell the server of threads that it has forgotten; returns how many there were."""
    if not known:
        return 0
    ids = [thread.thread_id for thread in known]
    found = await server.threads.search(ids=ids, limit=len(ids), select=["thread_id"])
    present = {str(thread["thread_id"]) for thread in found}
    missing = [thread for thread in known if thread.thread_id not in present]
    for thread in missing:
        await server.threads.create(thread_id=thread.thread_id, metadata=thread.metadata, if_exists="do_nothing")
    return len(missing)
