"""Memory Core on PostgreSQL."""

from memory.ports import MemoryCore
from memory.postgres.conflicts import PostgresConflicts
from memory.postgres.database import Database
from memory.postgres.documents import PostgresDocuments
from memory.postgres.index import PostgresIndex
from memory.postgres.items import PostgresItems
from memory.postgres.ledger import PostgresLedger
from memory.postgres.log import PostgresLog
from memory.postgres.sessions import PostgresSessions
from memory.postgres.upkeep import PostgresUpkeep


def postgres_memory(database: Database) -> MemoryCore:
    """The ports over one database."""
    return MemoryCore(
        log=PostgresLog(database),
        items=PostgresItems(database),
        conflicts=PostgresConflicts(database),
        index=PostgresIndex(database),
        documents=PostgresDocuments(database),
        sessions=PostgresSessions(database),
        upkeep=PostgresUpkeep(database),
        ledger=PostgresLedger(database),
    )
