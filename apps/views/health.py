"""How the database's disk and the queue stand: for the doctor, probes, the panel and a worker that waits."""

from dataclasses import dataclass

from memory.postgres.database import Database
from memory.postgres.service_alerts import PostgresServiceAlerts
from memory.service_alerts import QueueHealth


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
    return await PostgresServiceAlerts(database).read_queue()
