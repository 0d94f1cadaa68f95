"""The headings and phrases of documents, in the language of what they say."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from language import tables
from language.detection import DEFAULT, Language, language_of
from language.kinds import TOPICS

_PLACES = {topic: place for place, topic in enumerate(TOPICS)}


@dataclass(frozen=True)
class Headings:
    """The words of one language."""

    language: Language

    def topic(self, category: str) -> str:
        """What a category is called; one that is no topic keeps its own name."""
        return tables.texts("headings.topics", self.language).get(category) or category.replace("_", " ")

    @property
    def sections(self) -> Mapping[str, str]:
        """What each section is called, in their order."""
        return tables.texts("headings.sections", self.language)

    def quote(self, words: str) -> str:
        """What somebody said, between marks."""
        opened, closed = (tables.text(f"headings.{each}", self.language) for each in ("open_quote", "close_quote"))
        return f"{opened}{words}{closed}"

    def recurring(self, topic: str, days: int) -> str:
        """That a topic comes up again and again."""
        return tables.text("headings.recurring", self.language).format(topic=topic, days=days)


def headings_for(texts: Iterable[str]) -> Headings:
    """In the language of most of the texts."""
    votes = Counter(map(language_of, texts))
    most = votes.most_common(1)
    return Headings(most[0][0] if most and 2 * most[0][1] > votes.total() else DEFAULT)


def topic_rank(category: str) -> int:
    """Where a category stands among the topics: who somebody is comes first, what is no topic last."""
    return _PLACES.get(category, len(_PLACES))
