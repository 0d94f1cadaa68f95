"""How the database's disk and the queue stand: for the doctor, probes, the panel and a worker that waits."""

from dataclasses import dataclass

from memory.postgres.database import Database


@dataclass(frozen=True)
class QueueHealth:
    """How the work behind the conversation stands; ``oldest_seconds`` is the longest wait."""

    waiting: int
    running: int
    dead_letters: int
    oldest_seconds: float
    workers: int


@dataclass(frozen=True)
class _Written:
    pieces: int


async def probe_disk(database: Database) -> None:
    """Write to the database's disk and let go of it again. Raises ``E_DEP_UNAVAILABLE`` while it is full."""
    async with database.anonymous_session() as session:
        session.execute("keep_little_in_memory")
        await session.fetch("probe_disk", {}, _Written)


async def queue_health(database: Database) -> QueueHealth:
    """How the queue stands now."""
    async with database.anonymous_session() as session:
        found = await session.fetch_one("queue_health", {}, QueueHealth)
    return found or QueueHealth(waiting=0, running=0, dead_letters=0, oldest_seconds=0.0, workers=0)
