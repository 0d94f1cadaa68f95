"""Replays a labelled conversation: logs it, grows memories as a worker would, and looks at them after each session."""

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from brain.embeddings.backfill import embed_pending
from brain.identity import Identity
from brain.recall import RecallRequest, recall
from brain.resources import Resources
from evals.evaluation.memory_data import ASSISTANT, Conversation, Question, Session, Spoken
from graphs.evolution import evolve
from language.retractions import is_retraction
from memory.conflicts import Conflict
from memory.memory_item import Evidence, MemoryItem
from memory.recall.query import Filters, TemporalIntent
from memory.receipts import Receipt
from memory.scope import Speaker, scope_of
from memory.turns import Capture, SessionRef, Utterance
from nodes.open_session import session_of

INJECTED = 8
"""Memories that stand before the model in a turn, as a context has it by default."""
READ = 10
"""Memories that an answer may rest on."""
_MOST = 1_000
_FACTS = Filters(lanes=("fact",))
Begins = Callable[[str, str], None]
"""Hears of a conversation and its next session."""


@dataclass
class Calendar:
    """A clock that the conversation sets."""

    at: datetime

    def __call__(self) -> datetime:
        """The moment of the conversation."""
        return self.at


@dataclass(frozen=True)
class Asked:
    """A question put at a moment, and which memories answered it, best first.

    ``best`` is what stood highest when turns were heard as well: these by their names, memories by their ids.
    """

    question: Question
    at: datetime
    facts: tuple[UUID, ...]
    best: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lived:
    """All that a conversation left, and how its questions were answered as time went by."""

    conversation: Conversation
    items: tuple[MemoryItem, ...]
    evidence: dict[UUID, tuple[Evidence, ...]]
    conflicts: tuple[Conflict, ...]
    asked: tuple[Asked, ...]
    as_of: tuple[Asked, ...]
    histories: tuple[Asked, ...]


@dataclass(frozen=True)
class Replay:
    """One conversation on its way through Brain, as people of their own in ``tenant``."""

    resources: Resources
    calendar: Calendar
    tenant: str
    conversation: Conversation
    _asked: list[Asked] = field(default_factory=list[Asked])

    async def live(self, begins: Begins | None = None) -> Lived:
        """Session by session; after each one the questions are asked, at the end everything is read.

        ``begins`` is told before each session.
        """
        for session in self.conversation.sessions:
            if begins:
                begins(self.conversation.name, session.name)
            for exchange in _exchanges(session):
                await self._say(session, exchange)
            self.calendar.at = session.spoken[-1].at + timedelta(seconds=30)
            for speaker in self._speakers(session):
                owner = self._identity(speaker)
                await evolve(self.resources, owner.scope, session_of(owner, session.name))
                await embed_pending(self.resources, owner.scope)
            self.calendar.at = session.closes
            self._asked.extend([each async for each in self._ask_all(session.closes)])
        return await self._collect()

    async def _say(self, session: Session, exchange: Sequence[Spoken]) -> None:
        """One person's message with Brain's answers, and the memories that had stood before the model for it."""
        said = exchange[0]
        self.calendar.at = said.at
        owner = self._identity(said.turn.speaker)
        receipts = [each async for each in self._inject(owner, said)] if said.by_person else []
        capture = Capture(
            operation_id=self.resources.new_id(),
            session=self._session_ref(owner, session),
            utterances=tuple(self._utterance(session, each) for each in exchange),
            receipts=tuple(receipts),
            urgent=is_retraction(said.turn.text),
        )
        await self.resources.memory.log.capture(owner.scope, capture)

    async def _inject(self, owner: Identity, said: Spoken) -> AsyncGenerator[Receipt]:
        ask = RecallRequest(text=said.turn.text, at=said.at, time_zone=self.conversation.head.zone, limit=INJECTED)
        found = await recall(self.resources, owner.scope, ask)
        for place, each in enumerate(found.ranked):
            yield Receipt(
                receipt_id=self.resources.new_id(),
                receipt_type="injection",
                memory_id=each.candidate.source_id,
                lane=each.candidate.lane,
                details={"context_position": place, "text": each.candidate.text},
            )

    async def _ask_all(self, at: datetime, as_of: datetime | None = None) -> AsyncGenerator[Asked]:
        """Every question that something has been said about by then."""
        conversation, seen = self.conversation, as_of or at
        for question in conversation.questions:
            if any(conversation.known(conversation.label_of[name], seen) for name in question.about):
                yield await self._ask(question, at, "current_state", as_of)

    async def _ask(
        self, question: Question, at: datetime, intent: TemporalIntent, as_of: datetime | None = None
    ) -> Asked:
        owner = self._identity(self.conversation.head.user)
        ask = RecallRequest(
            text=question.question,
            at=at,
            time_zone=self.conversation.head.zone,
            temporal=intent,
            as_of=as_of,
            filters=_FACTS,
            limit=READ,
        )
        facts = await recall(self.resources, owner.scope, ask)
        best = await self._best(owner, question, at) if intent == "current_state" and as_of is None else ()
        return Asked(question, as_of or at, tuple(each.candidate.source_id for each in facts.ranked), best)

    async def _best(self, owner: Identity, question: Question, at: datetime) -> tuple[str, ...]:
        """The best of everything: logged turns by their own names."""
        ask = RecallRequest(text=question.question, at=at, limit=READ)
        found = [each.candidate.turn_id for each in (await recall(self.resources, owner.scope, ask)).ranked]
        events = await self.resources.memory.log.events(owner.scope, list(set(found)))
        names = {event.event_id: event.reference for event in events}
        return tuple(names.get(each) or str(each) for each in dict.fromkeys(found))

    async def _collect(self) -> Lived:
        scope, memory = self._identity(self.conversation.head.user).scope, self.resources.memory
        at = self.calendar.at
        items = await memory.items.list_newest(scope, include_inactive=True, limit=_MOST)
        earlier = [session.closes for session in self.conversation.sessions[:-1]]
        chains = [each for each in self.conversation.questions if len(each.about) > 1]
        return Lived(
            conversation=self.conversation,
            items=tuple(items),
            evidence={each.memory_id: tuple(await memory.items.evidence(scope, each.memory_id)) for each in items},
            conflicts=tuple(await memory.conflicts.list_conflicts(scope, include_settled=True)),
            asked=tuple(self._asked),
            as_of=tuple([each for moment in earlier async for each in self._ask_all(at, moment)]),
            histories=tuple([await self._ask(each, at, "history_trace") for each in chains]),
        )

    def _speakers(self, session: Session) -> list[str]:
        return list(dict.fromkeys(each.turn.speaker for each in session.spoken if each.by_person))

    def _identity(self, speaker: str) -> Identity:
        """In private everybody who speaks is the person whose memory it is; in a group each is themselves."""
        head = self.conversation.head
        user = head.user if not head.channel or speaker == ASSISTANT else speaker
        whose = Speaker(tenant=self.tenant, user=f"{head.conversation}/{user}", channel=self._channel)
        return Identity(scope=scope_of(whose, self.resources.settings.dm_scope), tenant=self.tenant, user=user)

    @property
    def _channel(self) -> str | None:
        head = self.conversation.head
        return f"{head.conversation}/{head.channel}" if head.channel else None

    def _session_ref(self, owner: Identity, session: Session) -> SessionRef:
        return SessionRef(
            session_id=session_of(owner, session.name),
            name=session.name,
            user_name=owner.user,
            tenant_name=self.tenant,
            keep_for=self.resources.settings.session_days * 86_400,
        )

    def _utterance(self, session: Session, said: Spoken) -> Utterance:
        return Utterance(
            event_id=self.resources.new_id(),
            role="user" if said.by_person else "assistant",
            speaker=said.turn.speaker,
            text=said.turn.text,
            occurred_at=said.at,
            time_zone=self.conversation.head.zone,
            reference=said.turn.turn,
            idempotency_key=f"{self.conversation.name}/{said.turn.turn}",
        )


def _exchanges(session: Session) -> Iterator[list[Spoken]]:
    """A person's message with the answers to it."""
    exchange: list[Spoken] = []
    for said in session.spoken:
        if said.by_person and exchange:
            yield exchange
            exchange = []
        exchange.append(said)
    yield exchange
