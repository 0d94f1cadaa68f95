"""Finds what a request to forget or correct means: candidates by recall, judged by words, topic and person.

Beside memories there are sentences of turns that nobody has made a memory of yet; both can be meant.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import get_close_matches
from math import log, sqrt
from uuid import UUID

from brain.recall import RecallRequest, query_of, recall
from brain.resources import Resources
from language.clauses import strip_lead
from language.kinds import Kind, Topic
from language.people import SPEAKER, find_person, is_same_person
from language.requests import Act, Request, aliases, terms_of, topics_of_term
from language.sentences import split_sentences
from language.statements import MAX_SENTENCES, Statement, read_statements
from memory.memory_item import ItemUse, MemoryItem
from memory.provenance import events_of
from memory.recall.query import Filters
from memory.scope import Scope
from memory.turns import Event

MAX_NEWEST = 300
"""Memories among which the one that is meant is looked for; older ones only where recall finds them."""
RECALLED = 20
MAX_TURNS = 500
CLEAR_SCORE = 0.45
"""From which likeness on one match is taken for the one meant; checked on ``evals/data/requests.dev.jsonl``."""
GAP = 0.08
"""How far it has to stand above the next."""
LIKELY = 0.3
"""From which likeness on a match is worth asking about."""
MAX_ASKED = 5
_WORDS, _TOPIC, _PERSON = 0.7, 0.3, 0.25
"""Weights of the share of the asked words found, of the likeness of topics, and of being about somebody else."""
_UNHEARD_SCORE: Mapping[Act, float] = {"forget": 0.6, "correct": 0.2}
"""What a word counts that nothing in memory holds, against the rarest one held: what is put right brings new words."""
_PIECE = 0.25
"""What an unheard pair of Chinese characters counts, of which each word makes several."""
_ALIAS = 0.7
"""What a word counts that memory says in another word for the same matter."""
_APART = 0.25
"""How far one that is less alike has to stand above the next."""
_UNSAID_FACTOR = 0.5
"""What the topic alone counts where memory says it in none of the asked words."""
_LITTLE_COVERAGE = 0.15
"""Share of the asked words below which the topic is all that is alike: worth asking about, never clear."""
SURE_TOPIC_SHARE = 0.5
"""How probable the topic of a request has to be, to ask by it alone what is meant: nothing is forgotten for a topic."""
_ON_TOPIC = 0.15
"""How probable it has to be that something is on that topic, to be meant as well."""
_NEAR_SHARE = 0.8
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
    is how a person set the use of a memory that is listed.
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


def rank_targets(request: Request, among: Sequence[ChangeTarget]) -> list[ChangeTarget]:
    """The mentions by likeness to what a request is about, best first."""
    asked = terms_of(request.about)
    if not asked or request.sentence is None:
        return []
    held = [terms_of(each.text, alone=True) for each in among]
    rarity = _rarity(held)
    spelt = {term: _closest_spelling(term, rarity) for term in asked}
    person, topics = find_person(request.about), request.sentence.topics
    unheard = _UNHEARD_SCORE.get(request.act, 0.6) * max(rarity.values(), default=1.0)
    weights = {term: _weight(found, rarity, unheard) for term, found in spelt.items()}
    scored: list[ChangeTarget] = []
    for each, terms in zip(among, held, strict=True):
        share = _matching_share(spelt, (terms, each.topics), weights)
        score = _likeness(share, _is_about_person(person, each, terms), topics, each)
        scored.append(replace(each, share=share, score=score))
    return sorted(scored, key=lambda each: -each.score)


def pick_clear_target(best_first: Sequence[ChangeTarget], about: str = "") -> ChangeTarget | None:
    """The one that is meant, when there is no doubt: it stands out the more, the less it is alike.

    What is asked about by the name of a matter alone ("my job") has to stand out as far. Of two that say as much of
    the asked words, what they are about does not tell which.
    """
    if not best_first or best_first[0].score < LIKELY or best_first[0].share < _LITTLE_COVERAGE:
        return None
    if any(each.share >= best_first[0].share for each in best_first[1:]):
        return None
    second = best_first[1].score if len(best_first) > 1 and best_first[1].score >= LIKELY - GAP else 0.0
    named = bool(about) and all(topics_of_term(term) for term in terms_of(about))
    sure = best_first[0].score >= CLEAR_SCORE and not named
    return best_first[0] if best_first[0].score - second >= (GAP if sure else _APART) else None


def targets_on_topic(request: Request, among: Sequence[ChangeTarget]) -> list[ChangeTarget]:
    """Those on the topic of a request and about its person, the surest first, where memory holds none of its words."""
    topics: Mapping[Topic, float] = request.sentence.topics if request.sentence else {}
    topic: Topic = max(topics, key=lambda each: topics[each]) if topics else "other"
    if topic == "other" or topics[topic] < SURE_TOPIC_SHARE or any(each.share >= _LITTLE_COVERAGE for each in among):
        return []
    person = find_person(request.about)
    mine = [each for each in among if _is_about_person(person, each, terms_of(each.text))]
    found = [each for each in mine if each.topics.get(topic, 0.0) >= _ON_TOPIC]
    return sorted(found, key=lambda each: -each.topics[topic])


def likely_targets(best_first: Sequence[ChangeTarget]) -> list[ChangeTarget]:
    """Those worth asking about."""
    least = max(LIKELY, best_first[0].score - 2 * GAP) if best_first else 0.0
    return [each for each in best_first if each.score >= least][:MAX_ASKED]


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
        kept[place] = replace(one, memory_ids=ids, turns=one.turns | each.turns, spoken=spoken, moments=moments)
    return kept


def _find_duplicate(
    terms: frozenset[str], kept: Sequence[ChangeTarget], places: Mapping[str, Sequence[int]]
) -> int | None:
    """The first place that shares ``_SAME`` of all terms of both."""
    shared = Counter(place for term in terms for place in places.get(term, ()))
    alike = (place for place, count in shared.items() if count >= _SAME * len(terms | terms_of(kept[place].text)))
    return min(alike, default=None)


def _rarity(held: Sequence[frozenset[str]]) -> dict[str, float]:
    seen = Counter(term for terms in held for term in terms)
    return {term: log(1 + len(held) / count) for term, count in seen.items()}


def _closest_spelling(term: str, known: Mapping[str, float]) -> str:
    """The term as memory spells it, where it holds one much like it."""
    if term in known or len(term) < 5:
        return term
    return next(iter(get_close_matches(term, known, n=1, cutoff=_NEAR_SHARE)), term)


def _weight(term: str, rarity: Mapping[str, float], unheard: float) -> float:
    known = [rarity[each] for each in (term, *aliases(term)) if each in rarity]
    return max(known) if known else unheard if term.isascii() else unheard * _PIECE


def _matching_share(
    asked: Mapping[str, str], said: tuple[frozenset[str], Mapping[Topic, float]], weights: Mapping[str, float]
) -> float:
    """The share of the asked terms that a text holds, by their rarity."""
    terms, topics = said
    heard = (weights[term] * _term_match(spelt, terms, topics) for term, spelt in asked.items())
    return sum(heard) / sum(weights.values())


def _term_match(term: str, terms: frozenset[str], topics: Mapping[Topic, float]) -> float:
    if term in terms:
        return 1.0
    if terms & aliases(term):
        return _ALIAS
    return _ALIAS * max((topics.get(each, 0.0) for each in topics_of_term(term)), default=0.0)


def _likeness(share: float, of: bool, topics: Mapping[Topic, float], mention: ChangeTarget) -> float:
    alike = _cosine(topics, mention.topics)
    said = _WORDS * share + _TOPIC * alike
    return max(said, _UNSAID_FACTOR * alike if share < _LITTLE_COVERAGE else 0.0) - (0.0 if of else _PERSON)


def _is_about_person(person: str, mention: ChangeTarget, terms: frozenset[str]) -> bool:
    """Whether a mention may be of the person who is asked about; one's own matters often name others."""
    named = person not in ("", SPEAKER)
    return not named or is_same_person(person, mention.person or SPEAKER) or bool(terms_of(person) & terms)


def _cosine(one: Mapping[Topic, float], other: Mapping[Topic, float]) -> float:
    if not one or not other:
        return 0.0
    size = sqrt(sum(each**2 for each in one.values()) * sum(each**2 for each in other.values()))
    return sum(share * other.get(topic, 0.0) for topic, share in one.items()) / size
