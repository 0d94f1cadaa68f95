"""The baseline of recall: BM25 over the very same rows, with the date and the speaker in the text."""

from collections import Counter
from collections.abc import Sequence
from math import log

from language.terms import fold, word_terms
from memory.index_rows import IndexRow

K1 = 1.2
B = 0.75
"""The usual constants."""


class PlainBM25:
    """Okapi BM25 with the usual constants, over the words that Brain's analyser finds."""

    def __init__(self, rows: Sequence[IndexRow]) -> None:
        self._rows = rows
        self._counts = [Counter(word_terms(fold(_text(row)))) for row in rows]
        self._lengths = [sum(counts.values()) for counts in self._counts]
        self._mean = sum(self._lengths) / max(1, len(rows))
        self._frequency = Counter(term for counts in self._counts for term in counts)

    def rank(self, question: str) -> list[IndexRow]:
        """The rows that share a word with the question, best first."""
        asked = set(word_terms(fold(question)))
        scored = [(self._score(number, asked), number) for number in range(len(self._rows))]
        return [self._rows[number] for score, number in sorted(scored, key=lambda each: (-each[0], each[1])) if score]

    def _score(self, number: int, asked: set[str]) -> float:
        counts = self._counts[number]
        norm = K1 * (1 - B + B * self._lengths[number] / self._mean)
        return sum(
            self._rarity(term) * counts[term] * (K1 + 1) / (counts[term] + norm) for term in asked if term in counts
        )

    def _rarity(self, term: str) -> float:
        seen = self._frequency[term]
        return log(1 + (len(self._rows) - seen + 0.5) / (seen + 0.5))


def _text(row: IndexRow) -> str:
    return f"{row.observed_at:%d %B %Y} {row.speaker}: {row.about} {row.text}"
