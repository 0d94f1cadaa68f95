"""A text in fewer words of its own: the sentences that say most, in their order."""

import re
from dataclasses import dataclass

from language.terms import fold, word_terms

_SENTENCE = re.compile(r"[^.!?。！？；\n]+[.!?。！？；]*")


@dataclass(frozen=True)
class ShortText:
    """The kept sentences, and the share of the text's distinct terms that they hold (0 to 1)."""

    text: str
    points: tuple[str, ...]
    quality: float


def shorten_text(text: str, share: float) -> ShortText:
    """At most ``share`` of the characters: again and again the sentence that adds most terms for its length."""
    sentences = [found[0].strip() for found in _SENTENCE.finditer(text) if found[0].strip()]
    terms = [frozenset(word_terms(fold(sentence))) for sentence in sentences]
    everything: frozenset[str] = frozenset(term for each in terms for term in each)
    known: frozenset[str] = frozenset()
    kept: set[int] = set()
    room = share * len(text)
    while fitting := [n for n, each in enumerate(sentences) if len(each) <= room and terms[n] - known]:
        _, _, best = max((len(terms[n] - known) / len(sentences[n]), -n, n) for n in fitting)
        kept.add(best)
        known |= terms[best]
        room -= len(sentences[best])
    points = tuple(sentences[n] for n in sorted(kept))
    between = " " if " " in text else ""
    return ShortText(between.join(points), points, round(len(known) / len(everything), 4) if everything else 1.0)
