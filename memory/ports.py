"""The ports of Memory Core. ``postgres`` implements them; tests put fakes in the place of single ones."""

from dataclasses import dataclass

from memory.api_keys import ApiKeys
from memory.audit_chain import AuditChain
from memory.bookmarks import Bookmarks
from memory.calibration import Calibration
from memory.chat_exchanges import ChatExchanges
from memory.conflicts import Conflicts
from memory.documents.port import Documents
from memory.erasure import Erasures
from memory.experience import Experiences
from memory.experiments import Experiments
from memory.index import RecallIndex
from memory.items import MemoryItems
from memory.levels import ServiceLevels
from memory.log import ConversationLog
from memory.media import Media
from memory.model_usage import ModelUsage
from memory.past_imports import PastImports
from memory.person_rows import PersonRows
from memory.privileged_reads import PrivilegedReads
from memory.promotion import Promotions
from memory.refusals import Refusals
from memory.remembering_pauses import RememberingPauses
from memory.safety_contracts import SafetyContracts
from memory.service_alerts import ServiceAlerts
from memory.serving import ServingProcesses
from memory.sessions import Sessions
from memory.sign_outs import SignOuts
from memory.soul import Souls
from memory.store_items import StoreItems
from memory.transcripts import Transcripts
from memory.upkeep import Upkeep


@dataclass(frozen=True, kw_only=True)
class MemoryCore:
    """The ports, handed around as one."""

    log: ConversationLog
    items: MemoryItems
    conflicts: Conflicts
    index: RecallIndex
    documents: Documents
    sessions: Sessions
    upkeep: Upkeep
    model_usage: ModelUsage
    refusals: Refusals
    calibration: Calibration
    store: StoreItems
    api_keys: ApiKeys
    sign_outs: SignOuts
    chat_exchanges: ChatExchanges
    transcripts: Transcripts
    erasures: Erasures
    privileged_reads: PrivilegedReads
    audit_chain: AuditChain
    safety_contracts: SafetyContracts
    promotions: Promotions
    experiences: Experiences
    bookmarks: Bookmarks
    souls: Souls
    experiments: Experiments
    past_imports: PastImports
    person_rows: PersonRows
    media: Media
    pauses: RememberingPauses
    levels: ServiceLevels
    serving: ServingProcesses
    service_alerts: ServiceAlerts
