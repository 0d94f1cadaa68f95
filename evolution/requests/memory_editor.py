"""Forgetting, correcting and taking such a change back, for the turn in which a person asks for it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from brain.resources import Resources
from evolution.requests.change_targets import ChangeTarget
from language.kinds import Kind
from language.people import SPEAKER
from language.predicates import fold_predicate, is_single_valued, slot_of
from language.remembering import find_asked_clause
from language.secrets import mask_secrets
from language.statements import Statement, read_statements
from language.times.validity import find_validity
from memory.memory_item import ASKED_FOR, Author, Citation, ItemType, MemoryDraft
from memory.scope import Scope
from memory.turns import Event

OFF_RECORD = "off the record"
"""The reason of what is done to words that their person did not want noted."""
SAID = "said"
"""The predicate of a sentence that becomes a memory only to be changed: it competes with no other."""
_TYPES: Mapping[Kind, ItemType] = {"preference": "preference", "constraint": "constraint", "plan": "plan"}


@dataclass(frozen=True)
class ChangedVersion:
    """A memory that was changed, and the version that it had before."""

    memory_id: UUID
    version: int


@dataclass(frozen=True, kw_only=True)
class MemoryEditor:
    """The changes of one turn or tool call, each under a key of its own: doing it again changes nothing."""

    resources: Resources
    scope: Scope
    key: str
    at: datetime
    trace_id: str
    operator: str = "user"

    async def forget(self, mentions: Iterable[ChangeTarget]) -> list[ChangedVersion]:
        """Take what they say out of every reading; what nobody noted is noted first, so that it can come back.

        What was said off the record never does.
        """
        before: list[ChangedVersion] = []
        for mention in mentions:
            why = OFF_RECORD if mention.is_withheld else ASKED_FOR
            before += [await self._forget(memory_id, why) for memory_id in await self._memories(mention, why)]
            before += await self._forget_noted_meanwhile(mention)
        return before

    async def correct(self, mention: ChangeTarget, content: str) -> list[ChangedVersion]:
        """Put what is true in the place of what was said; further memories that say the same are forgotten."""
        first, *rest = await self._memories(mention)
        before = [await self._version_before(first)]
        await self.resources.memory.items.correct(self.scope, first, content, self.author(f"correct:{first}"))
        before += [await self._forget(each) for each in rest]
        return before + await self._forget_noted_meanwhile(mention, keeping=first)

    async def _forget(self, memory_id: UUID, why: str = ASKED_FOR) -> ChangedVersion:
        before = await self._version_before(memory_id)
        await self.resources.memory.items.forget(self.scope, memory_id, self.author(f"forget:{memory_id}", why))
        return before

    async def _forget_noted_meanwhile(self, mention: ChangeTarget, keeping: UUID | None = None) -> list[ChangedVersion]:
        """What the work behind the conversation made of the same words since they were looked at.

        Whatever it makes of them from now on finds them forgotten, and leaves them so.
        """
        words = [_cite(each.event, each.start, each.end) for each in mention.spoken]
        found = await self.resources.memory.items.find_resting_on(self.scope, words) if words else []
        return [await self._forget(memory_id) for memory_id in found if memory_id != keeping]

    async def note(self, spoken: Event, starts: Iterable[int]) -> list[UUID]:
        """Remember sentences of a turn that is logged, by where they start in it."""
        wanted = set(starts)
        stated = [each for each in read_statements(spoken.text) if each.start in wanted]
        drafts = [draft_from_statement(find_asked_clause(each) or each, spoken) for each in stated]
        written = [
            await self.resources.memory.items.write(self.scope, draft, self.author(f"note:{draft.citations[0].start}"))
            for draft in drafts
        ]
        return [each.memory_id for each in written]

    async def _memories(self, mention: ChangeTarget, why: str = ASKED_FOR) -> list[UUID]:
        """The memories that say it, with one for each sentence that had none."""
        ids = list(mention.memory_ids)
        for span in mention.spoken:
            author = self.author(f"said:{span.event.event_id}:{span.start}", why)
            receipt = await self.resources.memory.items.write(
                self.scope, draft_from_words(span.event, span.start, span.end), author
            )
            ids.append(receipt.memory_id)
        return list(dict.fromkeys(ids))

    async def _version_before(self, memory_id: UUID) -> ChangedVersion:
        held = await self.resources.memory.items.get(self.scope, memory_id)
        return ChangedVersion(memory_id, held.version)

    def author(self, what: str, why: str = ASKED_FOR) -> Author:
        """Who makes one change, under a key of its own."""
        return Author(
            operator=self.operator,
            reason=why,
            idempotency_key=f"{self.key}:{what}",
            at=self.at,
            trace_id=self.trace_id,
        )


def draft_from_words(event: Event, start: int, end: int) -> MemoryDraft:
    """The words ``[start, end)`` of an earlier turn that nobody noted, their secrets masked; they end nothing."""
    words, subject = mask_secrets(event.text[start:end]), _subject(event, SPEAKER)
    told = find_validity(words, event.occurred_at, event.time_zone)
    return MemoryDraft(
        item_type="fact",
        subject=subject,
        predicate=SAID,
        object=words,
        content=words,
        category="other",
        slot=slot_of(subject, SAID),
        single_valued=False,
        epistemic_type="fact",
        provenance="confirmed_by_user",
        confidence=0.9,
        certainty=0.9,
        observed_at=event.occurred_at,
        valid_at=told.begins(event.occurred_at),
        invalid_at=told.until,
        session_id=event.session_id,
        speaker=event.speaker,
        citations=(_cite(event, start, end),),
    )


def draft_from_statement(statement: Statement, event: Event) -> MemoryDraft:
    """A sentence that is to be remembered, with its value where it has one."""
    value = statement.value if statement.value and statement.value.predicate != "note" else None
    subject = _subject(event, statement.person or SPEAKER)
    predicate = fold_predicate(value.predicate) if value else statement.topic
    item_type = _TYPES.get(statement.kind, "fact")
    return replace(
        draft_from_words(event, statement.start, statement.end),
        item_type=item_type,
        subject=subject,
        predicate=predicate,
        object=value.text if value else mask_secrets(statement.text),
        content=mask_secrets(statement.text),
        category=statement.topic,
        slot=slot_of(subject, predicate),
        single_valued=is_single_valued(predicate),
        epistemic_type="preference" if item_type == "preference" else "fact",
    )


def _cite(event: Event, start: int, end: int) -> Citation:
    return Citation(event_id=event.event_id, start=start, end=end, sha256=event.sha256)


def _subject(event: Event, person: str) -> str:
    """In a group a speaker goes by their name."""
    return event.speaker if person == SPEAKER and event.speaker != "user" else person
