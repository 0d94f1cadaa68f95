"""What the classifier's judgement of a sentence comes to: its kind, and whether it is worth a memory."""

from collections.abc import Mapping

from language.classifier import Classification, Label, load_classifier
from language.corrections import is_bare_correction
from language.forgetting import asks_to_forget, tells_of_remembering
from language.kinds import KEPT, NEVER, Kind
from language.off_record import speaks_of_notes

KEEP = 0.55
"""How probable it has to be that a sentence is worth a memory."""
DOUBTFUL, CLEAN, SPOILT = 0.4, 0.1, 0.35
"""Where meaning is seen, a less probable one is kept whose share of what must never be kept is at most ``CLEAN``, and
none of a greater share than ``SPOILT``. Of what is told in the first minutes it keeps five more of a hundred, at as
much junk; on everyday talk all stays as it was.
"""
MIN_REQUEST_PROBABILITY = 0.5
"""How probable a request (to forget, to remember, not to note) has to be, to be taken as one."""
UNASKED, LOOKS_ASKED = 0.02, 0.85
"""A share of a request to forget that is not worth another look, and one that is worth a question without its words."""
_NOTHING = 1e-9
REQUESTS: tuple[Kind, ...] = ("forget", "dont_note", "remember")
"""Kinds of sentences that ask for something to be done with memory."""


def drop_unasked(judged: Classification, text: str) -> Classification:
    """Without words that ask for it nothing is a request to forget, to remember or not to note."""
    asks_nothing: list[Kind] = []
    if _is_no_request_to_forget(judged.kinds["forget"], text):
        asks_nothing.append("forget")
    if judged.kinds["remember"] >= UNASKED and tells_of_remembering(text):
        asks_nothing.append("remember")
    if UNASKED <= judged.kinds["dont_note"] < LOOKS_ASKED and not speaks_of_notes(text):
        asks_nothing.append("dont_note")
    others = max(1.0 - sum(judged.kinds[each] for each in REQUESTS), _NOTHING)
    grown = 1.0 + sum(judged.kinds[each] for each in asks_nothing) / others
    kinds: dict[Kind, float] = {k: v if k in REQUESTS else v * grown for k, v in judged.kinds.items()}
    return Classification({**kinds, **dict.fromkeys(asks_nothing, 0.0)}, judged.topics)


def _is_no_request_to_forget(share: float, text: str) -> bool:
    """Whether it has no words for it, unless it looks like nothing else, or only puts another value in a place."""
    if share < UNASKED:
        return False
    return is_bare_correction(text) or asks_to_forget(text) in (("no", "unsaid") if share < LOOKS_ASKED else ("no",))


def likeliest_kind(judged: Classification) -> Kind:
    """A request when it is probable by itself; else the likeliest of the side, kept or not, that is likelier."""
    request = max(REQUESTS, key=lambda each: judged.kinds[each])
    if judged.kinds[request] >= MIN_REQUEST_PROBABILITY:
        return request
    kept = is_worth(judged)
    return most_probable({each: share for each, share in judged.kinds.items() if (each in KEPT) == kept})


def is_worth(judged: Classification) -> bool:
    """Whether a sentence is probable enough to be worth a memory, and not to be what must never be one."""
    keeps, never = kept_share(judged), _share(judged, NEVER)
    if not load_classifier().sees_meaning:
        return keeps >= KEEP
    return never <= SPOILT if keeps >= KEEP else keeps >= DOUBTFUL and never <= CLEAN


def kept_share(judged: Classification) -> float:
    """How probable it is that the sentence is worth a memory."""
    return _share(judged, KEPT)


def _share(judged: Classification, kinds: frozenset[Kind]) -> float:
    return sum(judged.kinds[each] for each in kinds)


def most_probable(shares: Mapping[Label, float]) -> Label:
    """The kind or topic with the greatest share."""
    return max(shares, key=lambda each: shares[each])
