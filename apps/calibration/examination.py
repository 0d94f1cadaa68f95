"""The questions of a labelled file, asked through Brain's own recall."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from apps.calibration.dataset import LabelledConversation, LabelledQuestion
from apps.calibration.metrics import LabelledRanking, blank_repeats
from brain.recall import RecallRequest, recall
from brain.resources import Resources
from memory.recall.policy import RankedCandidate
from memory.recall.query import MAX_LIMIT
from memory.scope import Scope, Speaker, scope_of

Clock = Callable[[], float]


@dataclass(frozen=True, kw_only=True)
class RankedAnswer:
    """What recall brought for one question, best first, each with the recording's own name of its turn, if it named it.

    ``seconds`` are those of recall, embedding the question included.
    """

    conversation: LabelledConversation
    question: LabelledQuestion
    ranked: tuple[RankedCandidate, ...]
    names: tuple[str | None, ...]
    seconds: float
    degraded: bool

    @property
    def turns(self) -> LabelledRanking:
        """The turns as ranked; a passage counts for its turn."""
        return LabelledRanking(blank_repeats(self.names), self.question.wanted_evidence)


@dataclass(frozen=True)
class Examination:
    """One run over one file whose conversations are in memory, each as a person of its own in ``tenant``.

    ``vector_weight`` tries out what vectors count; without it they count what recall takes by itself.
    """

    resources: Resources
    tenant: str
    policy: str
    vector_weight: float | None = None
    clock: Clock = field(default=perf_counter)

    def scope(self, conversation: LabelledConversation) -> Scope:
        """Whose memory the conversation became."""
        speaker = Speaker(tenant=self.tenant, user=conversation.conversation_id)
        return scope_of(speaker, self.resources.settings.dm_scope)

    async def answer(self, conversation: LabelledConversation, question: LabelledQuestion) -> RankedAnswer:
        """What recall brings for this question, asked when it says."""
        scope = self.scope(conversation)
        asked = RecallRequest(
            text=question.question,
            at=conversation.question_time(question),
            limit=MAX_LIMIT,
            vector_weight=self.vector_weight,
        )
        begun = self.clock()
        recalled = await recall(self.resources, scope, asked, self.policy)
        took = self.clock() - begun
        return RankedAnswer(
            conversation=conversation,
            question=question,
            ranked=tuple(recalled.ranked),
            names=await self._name_turns(scope, recalled.ranked),
            seconds=took,
            degraded=bool(recalled.degraded),
        )

    async def _name_turns(self, scope: Scope, ranked: Sequence[RankedCandidate]) -> tuple[str | None, ...]:
        ids = {each.candidate.turn_id for each in ranked}
        events = await self.resources.memory.log.events(scope, list(ids))
        known = {event.event_id: event.reference for event in events}
        return tuple(known.get(each.candidate.turn_id) for each in ranked)
