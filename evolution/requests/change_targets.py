"""Finds what a request to forget or correct may mean: a person's newest memories, and what recall brings.

Beside memories there are sentences of turns that nobody has made a memory of yet; both can be meant.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from brain.recall import RecallRequest, query_of, recall
from brain.resources import Resources
from language.clauses import strip_lead
from language.kinds import Kind, Topic
from language.people import SPEAKER
from language.sentences import split_sentences
from language.statements import MAX_SENTENCES, Statement, read_statements
from language.terms import terms_of
from memory.memory_item import ItemUse, MemoryItem
from memory.provenance import events_of
from memory.recall.query import Filters
from memory.scope import Scope
from memory.turns import Event

MAX_NEWEST = 300
"""Memories among which the one that is meant is looked for; older ones only where recall finds them."""
RECALLED = 20
MAX_TURNS = 500
_SURE_SHARE = 0.6
_NOT_MEANT: frozenset[Kind] = frozenset({"question", "forget", "dont_note", "courtesy", "task"})
_SAME = 0.75
"""Share of common words from which on two sentences say one thing."""


@dataclass(frozen=True)
class TurnSpan:
    """The characters ``[start, end)`` of a logged turn."""

    event: Event
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class ChangeTarget:
    """One thing that memory holds: memories that say it, and sentences of turns that nobody made a memory of.

    ``turns`` are the ids of the turns that it was said in. ``share`` is how much of the asked words it says,
    ``score`` how like it is to what was asked in all, ``moments`` are when it was said. ``use``
    is how a person set the use of a memory that is listed, ``is_withheld`` that it was said off the record.
    """

    text: str
    person: str
    topics: Mapping[Topic, float]
    memory_ids: tuple[UUID, ...] = ()
    turns: frozenset[str] = frozenset()
    spoken: tuple[TurnSpan, ...] = ()
    share: float = 0.0
    score: float = 0.0
    moments: tuple[datetime, ...] = ()
    use: ItemUse = "auto"
    is_withheld: bool = False

    def is_said_in(self, start: datetime, end: datetime) -> bool:
        """Whether it was said at some time from ``start`` on, and before ``end``."""
        return any(start <= each < end for each in self.moments)


@dataclass(frozen=True, kw_only=True)
class TargetQuery:
    """Where a request came from: whose memory, what was said before in this session, and the question to recall."""

    scope: Scope
    speaker: str
    window: tuple[Event, ...]
    ask: RecallRequest


async def find_targets(resources: Resources, heard: TargetQuery) -> list[ChangeTarget]:
    """All that may be meant: living memories, then sentences of turns that no memory was made of."""
    memory = resources.memory
    items = await _find_memories(resources, heard)
    found = await recall(resources, heard.scope, replace(heard.ask, filters=Filters(lanes=("turn",)), limit=RECALLED))
    said = [each.candidate.turn_id for each in found.ranked if each.candidate.role == "user"]
    cited = [UUID(event) for item in items for event in events_of(item)]
    known = await memory.log.events(heard.scope, list(dict.fromkeys((*said, *cited)))[:MAX_TURNS])
    events = {each.event_id: each for each in (*heard.window, *known)}
    spoken = [each for each in events.values() if each.role == "user" and each.speaker == heard.speaker]
    return await asyncio.to_thread(_read_targets, spoken, items)


async def _find_memories(resources: Resources, heard: TargetQuery) -> list[MemoryItem]:
    """The person's newest memories, and those that the question recalls, however old they are."""
    memory = resources.memory.items
    newest = await memory.list_newest(heard.scope, limit=MAX_NEWEST)
    about = replace(heard.ask, filters=Filters(lanes=("fact",)), limit=RECALLED)
    found = await resources.memory.index.candidates(heard.scope, query_of(about))
    known = {item.memory_id for item in newest}
    older = [each.source_id for each in found.candidates if each.source_id not in known]
    return [each for each in (*newest, *await memory.get_many(heard.scope, older)) if _is_own(each, heard)]


def _read_targets(spoken: Sequence[Event], items: Sequence[MemoryItem]) -> list[ChangeTarget]:
    sentences = list(_targets_in_turns(spoken, items))
    told = {memory_id for each in sentences for memory_id in each.memory_ids}
    return _group_duplicates([*sentences, *(_target_of_memory(item) for item in items if item.memory_id not in told)])


def targets_in_last_turn(heard: TargetQuery, among: Sequence[ChangeTarget]) -> list[ChangeTarget]:
    """What the person's last turn of this session said, for somebody who only points at it."""
    last = next((each for each in reversed(heard.window) if each.role == "user"), None)
    return [each for each in among if last is not None and str(last.event_id) in each.turns]


def _is_own(item: MemoryItem, heard: TargetQuery) -> bool:
    return item.user_id == heard.scope.user_id and not item.is_withheld


def _target_of_memory(item: MemoryItem) -> ChangeTarget:
    person = SPEAKER if item.subject in (SPEAKER, "") else item.subject
    judged = read_statements(item.content)
    topics: Mapping[Topic, float] = judged[0].topics if judged else {}
    return ChangeTarget(
        text=item.content,
        person=person,
        topics=topics,
        memory_ids=(item.memory_id,),
        turns=frozenset(events_of(item)),
        moments=(item.observed_at,),
    )


def _targets_in_turns(events: Iterable[Event], items: Sequence[MemoryItem]) -> Iterator[ChangeTarget]:
    """What was said, in the person's own words, each with the memories that were taken from it."""
    for event in events:
        cited = [item for item in items if str(event.event_id) in events_of(item)]
        judged = {each.start: each for each in read_statements(event.text)}
        for said in split_sentences(event.text)[:MAX_SENTENCES]:
            found = [item for item in cited if strip_lead(item.object).lower() in said.text.lower()]
            if len(found) > 1:
                yield from map(_target_of_memory, found)
                continue
            noted = tuple(item.memory_id for item in found)
            statement = judged.get(said.start)
            if not noted and statement is not None and _states_nothing(statement):
                continue
            yield ChangeTarget(
                text=said.text,
                person=(statement.person if statement else "") or SPEAKER,
                topics=statement.topics if statement else {},
                memory_ids=noted,
                turns=frozenset({str(event.event_id)}),
                spoken=() if noted else (TurnSpan(event, said.start, said.end),),
                moments=(event.occurred_at,),
                is_withheld=bool(event.withheld) and not noted,
            )


def _states_nothing(statement: Statement) -> bool:
    return sum(statement.kinds[each] for each in _NOT_MEANT) >= _SURE_SHARE


def _group_duplicates(found: Iterable[ChangeTarget]) -> list[ChangeTarget]:
    """What says one thing stands once; only what shares a term is compared."""
    kept: list[ChangeTarget] = []
    places: dict[str, list[int]] = defaultdict(list)
    for each in found:
        place = _find_duplicate(terms := terms_of(each.text), kept, places)
        if place is None:
            for term in terms:
                places[term].append(len(kept))
            kept.append(each)
            continue
        one = kept[place]
        ids = tuple(dict.fromkeys((*one.memory_ids, *each.memory_ids)))
        spoken, moments = one.spoken + each.spoken, one.moments + each.moments
        both = one.is_withheld and each.is_withheld
        kept[place] = replace(
            one, memory_ids=ids, turns=one.turns | each.turns, spoken=spoken, moments=moments, is_withheld=both
        )
    return kept


def _find_duplicate(
    terms: frozenset[str], kept: Sequence[ChangeTarget], places: Mapping[str, Sequence[int]]
) -> int | None:
    """The first place that shares ``_SAME`` of all terms of both."""
    shared = Counter(place for term in terms for place in places.get(term, ()))
    alike = (place for place, count in shared.items() if count >= _SAME * len(terms | terms_of(kept[place].text)))
    return min(alike, default=None)
