"""Orders what a request may mean by likeness of words, topic and person, and tells whether one is clearly meant."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from math import log, sqrt

from evolution.requests.change_targets import ChangeTarget
from language.kinds import Topic
from language.matters import aliases, topics_of_term
from language.people import SPEAKER, find_person, is_same_person
from language.requests import Act, Request
from language.terms import terms_of

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
