"""Which of the entries that come nearest are worth a place in a prompt: none for talk that needs nothing of them.

Wrong entries are worse than missing ones: an organisation's rule where nobody asked for it steers the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.corpus import Found

CONSIDERED = 20
"""How many of the nearest entries are looked at."""
MAX_ENTRIES = 5
"""How many entries go into a prompt at most."""


@dataclass(frozen=True, kw_only=True)
class Cut:
    """What an entry has to reach: ``cosine`` with some of the question's words, or ``clear`` without them.

    ``share`` is what the others have to reach of the best one's score; ``words`` is the coverage that counts where
    there are no vectors.
    """

    cosine: float
    clear: float
    covered: float
    share: float
    words: float


CUT = Cut(cosine=0.45, clear=0.6, covered=0.25, share=0.7, words=0.5)


def choose_entries(text: str, found: Sequence[Found], cut: Cut = CUT) -> list[Found]:
    """The entries that bear on the question, best first."""
    able = [each for each in found if _bears_on(each, cut)]
    best = max((each.own for each in able), default=0.0)
    return [each for each in able if each.own >= cut.share * best][:MAX_ENTRIES]


def _bears_on(each: Found, cut: Cut) -> bool:
    if each.cosine is None:
        return each.coverage >= cut.words
    return each.cosine >= cut.clear or (each.cosine >= cut.cosine and each.coverage >= cut.covered)
