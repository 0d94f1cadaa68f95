"""The headings and phrases of documents, in the language of what they say."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from language.detection import language_of
from language.en import headings as english
from language.kinds import TOPICS
from language.zh import headings as chinese

_PLACES = {topic: place for place, topic in enumerate(TOPICS)}


@dataclass(frozen=True)
class Headings:
    """The words of one language. ``quotes`` open and close what somebody said; ``recurring`` takes topic and days."""

    topics: Mapping[str, str]
    sections: Mapping[str, str]
    quotes: tuple[str, str]
    recurring: str

    def topic(self, category: str) -> str:
        """What a category is called; one that is no topic keeps its own name."""
        return self.topics.get(category) or category.replace("_", " ")


_ENGLISH = Headings({**english.TOPICS}, english.SECTIONS, english.QUOTES, english.RECURRING)
_CHINESE = Headings({**chinese.TOPICS}, chinese.SECTIONS, chinese.QUOTES, chinese.RECURRING)


def headings_for(texts: Iterable[str]) -> Headings:
    """In the language of most of the texts."""
    votes = [language_of(text) == "zh" for text in texts]
    return _CHINESE if 2 * sum(votes) > len(votes) else _ENGLISH


def topic_rank(category: str) -> int:
    """Where a category stands among the topics: who somebody is comes first, what is no topic last."""
    return _PLACES.get(category, len(_PLACES))
