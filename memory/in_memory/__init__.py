"""Memory Core without a database, for node tests and notebooks. The contract suite holds it to what PostgreSQL does."""

from memory.in_memory.api_keys import InMemoryApiKeys
from memory.in_memory.calibration import InMemoryCalibration
from memory.in_memory.chat_exchanges import InMemoryChatExchanges
from memory.in_memory.conflicts import InMemoryConflicts
from memory.in_memory.documents import InMemoryDocuments
from memory.in_memory.index import InMemoryIndex
from memory.in_memory.items import InMemoryItems
from memory.in_memory.ledger import InMemoryLedger
from memory.in_memory.log import InMemoryLog
from memory.in_memory.refusals import InMemoryRefusals
from memory.in_memory.sessions import InMemorySessions
from memory.in_memory.sign_outs import InMemorySignOuts
from memory.in_memory.store import InMemoryStore
from memory.in_memory.store_items import InMemoryStoreItems
from memory.in_memory.transcripts import InMemoryTranscripts
from memory.in_memory.upkeep import InMemoryUpkeep
from memory.ports import MemoryCore


def in_memory() -> MemoryCore:
    """A fresh Memory Core that forgets with its process."""
    store = InMemoryStore()
    return MemoryCore(
        log=InMemoryLog(store),
        items=InMemoryItems(store),
        conflicts=InMemoryConflicts(store),
        index=InMemoryIndex(store),
        documents=InMemoryDocuments(store),
        sessions=InMemorySessions(store),
        upkeep=InMemoryUpkeep(store),
        ledger=InMemoryLedger(store),
        refusals=InMemoryRefusals(store),
        calibration=InMemoryCalibration(store),
        store=InMemoryStoreItems(store),
        api_keys=InMemoryApiKeys(),
        sign_outs=InMemorySignOuts(),
        chat_exchanges=InMemoryChatExchanges(),
        transcripts=InMemoryTranscripts(store),
    )
