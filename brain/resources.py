"""The live things a run leans on, built once per process and handed in through the context."""

from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from uuid import UUID

import uuid_utils.compat as uuids
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticOmit, core_schema

from brain.circuit_breaker import CircuitBreaker
from brain.experience_cache import ExperienceCache
from brain.models.roles import Models
from brain.question_vectors import QuestionVectors
from brain.reranking.cross_encoder import CrossEncoder
from brain.settings import Settings
from brain.settings_cells import HOME
from brain.stage_budgets import LADDER, Relief, StageController
from brain.telemetry.telemetry import Telemetry
from brain.vector_caches import ServingModelCache, VectorWeightCache
from knowledge.entries import KnowledgeStore
from knowledge.port import KnowledgePort, NoKnowledge
from memory.embedding import Embedder, LoadedBehind
from memory.ports import MemoryCore
from memory.recall.query import ReadSource

CAPACITY = 512


class RewriteCache:
    """The newest rewritings, by a key that includes whose question it was."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[Hashable, tuple[str, ...]] = OrderedDict()

    def get(self, key: Hashable) -> tuple[str, ...] | None:
        """The rewriting, or None."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: Hashable, queries: tuple[str, ...]) -> None:
        """Keep it, and let the oldest go."""
        self._kept[key] = queries
        self._kept.move_to_end(key)
        while len(self._kept) > self._capacity:
            self._kept.popitem(last=False)


def utc_now() -> datetime:
    """The one place where the wall clock is read."""
    return datetime.now(UTC)


async def _do_nothing() -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Resources:
    """Memory, models, knowledge, time and ids. Tests pass fakes; life passes ``brain.wiring.shared()``."""

    settings: Settings
    memory: MemoryCore
    models: Models
    knowledge: KnowledgePort
    other_cells: Mapping[str, MemoryCore] = field(default_factory=dict[str, MemoryCore], repr=False)
    """The memory of each database beside home by itself; ``memory`` finds the tenants that live there."""
    knowledge_store: KnowledgeStore | None = None
    """Where knowledge is written; None where Brain goes without it."""
    embedder: Embedder | None = None
    encoder: LoadedBehind | None = None
    """Tells what sentences mean, whichever model makes the vectors; None where words have to do."""
    earlier_embedder: Embedder | None = None
    """The default of before, for people whose rows carry its vectors; None where somebody chose a model."""
    serving_models: ServingModelCache = field(default_factory=ServingModelCache, repr=False)
    embedder_breaker: CircuitBreaker = field(default_factory=CircuitBreaker, repr=False)
    """Whether the embedding model answered lately, for those who wait for the vector of a question."""
    vector_weights: VectorWeightCache = field(default_factory=VectorWeightCache, repr=False)
    experiences: ExperienceCache = field(default_factory=ExperienceCache, repr=False)
    question_vectors: QuestionVectors = field(default_factory=QuestionVectors, repr=False)
    cross_encoder: CrossEncoder | None = None
    reranker_breaker: CircuitBreaker = field(default_factory=CircuitBreaker, repr=False)
    """Whether the cross-encoder answered lately."""
    rewrites: RewriteCache = field(default_factory=RewriteCache)
    recall_reads: Counter[ReadSource] = field(default_factory=lambda: Counter[ReadSource](), repr=False)
    """Retrieval passes of this process, by the database that answered."""
    stages: StageController | None = None
    """Holds the stages of a turn to their budgets; None where nothing is left out under load."""
    recall_limit: int = 20
    """How many memories a pass of a turn brings."""
    telemetry: Telemetry | None = None
    """None where nothing is observed, which is so unless somebody switched it on."""
    clock: Callable[[], datetime] = utc_now
    new_id: Callable[[], UUID] = uuids.uuid7
    on_open: Callable[[], Awaitable[None]] = _do_nothing
    on_close: Callable[[], Awaitable[None]] = _do_nothing

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Live things have no schema: nothing is validated, and nothing outside may look in."""
        return core_schema.any_schema()

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Not drawn in a form, and thereby filtered out of what a client sends."""
        raise PydanticOmit

    @property
    def cells(self) -> Mapping[str, MemoryCore]:
        """Each database, home first, for what is asked of all of them and not about a tenant."""
        return {HOME: self.memory, **self.other_cells}

    def today(self) -> date:
        """The UTC day, by which tokens are accounted."""
        return self.clock().astimezone(UTC).date()

    @property
    def has_reranker(self) -> bool:
        """Whether a model puts memories in order after the policy, and so can use a wide pool."""
        return self.cross_encoder is not None or (self.settings.model_rerank and self.models.fast is not None)

    @property
    def can_leave_out(self) -> tuple[Relief, ...]:
        """What turns can do without under load, since they have it at all."""
        has: dict[Relief, bool] = {
            "load_rewrites": self.models.fast is not None,
            "load_reranking": self.has_reranker,
            "load_vectors": self.embedder is not None,
            "load_knowledge": not isinstance(self.knowledge, NoKnowledge),
            "load_candidates": True,
        }
        return tuple(each for each in LADDER if has[each])

    async def open(self) -> None:
        """Reach the database now instead of at first use, so that what is wrong shows at start."""
        await self.on_open()

    def start_loading(self) -> None:
        """Load what is computed in this process behind the start, for a process that will answer more than once."""
        if self.encoder is not None:
            self.encoder.start_loading()

    async def load(self) -> None:
        """Wait for what is computed in this process, for one whose first answer counts."""
        if self.encoder is not None:
            await self.encoder.load()

    async def close(self) -> None:
        """Give back what is held outside this process."""
        await self.models.aclose()
        if self.telemetry is not None:
            await self.telemetry.aclose()
        await self.on_close()
