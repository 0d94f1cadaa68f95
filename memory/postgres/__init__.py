"""Memory Core on PostgreSQL."""

from memory.ports import MemoryCore
from memory.postgres.api_keys import PostgresApiKeys
from memory.postgres.audit_chain import PostgresAuditChain
from memory.postgres.bookmarks import PostgresBookmarks
from memory.postgres.calibration import PostgresCalibration
from memory.postgres.chat_exchanges import PostgresChatExchanges
from memory.postgres.conflicts import PostgresConflicts
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database
from memory.postgres.documents import PostgresDocuments
from memory.postgres.erasures import PostgresErasures
from memory.postgres.experiences import PostgresExperiences
from memory.postgres.experiments import PostgresExperiments
from memory.postgres.index import PostgresIndex
from memory.postgres.items import PostgresItems
from memory.postgres.levels import PostgresServiceLevels
from memory.postgres.log import PostgresLog
from memory.postgres.media import PostgresMedia
from memory.postgres.model_usage import PostgresModelUsage
from memory.postgres.past_imports import PostgresPastImports
from memory.postgres.person_rows import PostgresPersonRows
from memory.postgres.privileged_reads import PostgresPrivilegedReads
from memory.postgres.promotions import PostgresPromotions
from memory.postgres.refusals import PostgresRefusals
from memory.postgres.remembering_pauses import PostgresRememberingPauses
from memory.postgres.replica import Replica
from memory.postgres.safety_contracts import PostgresSafetyContracts
from memory.postgres.service_alerts import PostgresServiceAlerts
from memory.postgres.serving import PostgresServingProcesses
from memory.postgres.sessions import PostgresSessions
from memory.postgres.sign_outs import PostgresSignOuts
from memory.postgres.souls import PostgresSouls
from memory.postgres.store_items import PostgresStoreItems
from memory.postgres.transcripts import PostgresTranscripts
from memory.postgres.upkeep import PostgresUpkeep


def postgres_memory(
    database: Database, corpora: CorpusCache | None = None, replica: Replica | None = None
) -> MemoryCore:
    """The ports over one database; ``corpora``: whose recall indexes the process keeps ready, and how many.

    A ``replica`` takes over reads that recall asks for, as far as it has come.
    """
    return MemoryCore(
        log=PostgresLog(database),
        items=PostgresItems(database),
        conflicts=PostgresConflicts(database),
        index=PostgresIndex(database, CorpusCache() if corpora is None else corpora, replica),
        documents=PostgresDocuments(database),
        sessions=PostgresSessions(database),
        upkeep=PostgresUpkeep(database),
        model_usage=PostgresModelUsage(database),
        refusals=PostgresRefusals(database),
        calibration=PostgresCalibration(database),
        store=PostgresStoreItems(database),
        api_keys=PostgresApiKeys(database),
        sign_outs=PostgresSignOuts(database),
        chat_exchanges=PostgresChatExchanges(database),
        transcripts=PostgresTranscripts(database),
        erasures=PostgresErasures(database),
        privileged_reads=PostgresPrivilegedReads(database),
        audit_chain=PostgresAuditChain(database),
        safety_contracts=PostgresSafetyContracts(database),
        promotions=PostgresPromotions(database),
        experiences=PostgresExperiences(database),
        bookmarks=PostgresBookmarks(database),
        souls=PostgresSouls(database),
        experiments=PostgresExperiments(database),
        past_imports=PostgresPastImports(database),
        person_rows=PostgresPersonRows(database),
        media=PostgresMedia(database),
        pauses=PostgresRememberingPauses(database),
        levels=PostgresServiceLevels(database),
        serving=PostgresServingProcesses(database),
        service_alerts=PostgresServiceAlerts(database),
    )
