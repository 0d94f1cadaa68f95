"""Whether a tenant may add a document to the safety contract: it says something, and nothing against the package's."""

import re
from functools import lru_cache

import numpy as np

from brain.safety.contract import ContractRefused, SafetyContract, packaged_contract, read_points
from brain.safety.guardrail import check_texts
from brain.safety.sanitizer import sanitize_text
from language.detection import language_of
from language.encoder import sentence_encoder
from language.tables import is_spaced, languages, pattern_list, pattern_of_all

MIN_WORDS, MIN_CHARACTERS = 3, 6
"""What a point has at least, in a language with spaces between its words and in one without."""
MAX_POINT_CHARACTERS, MAX_POINTS, MAX_CHARACTERS = 400, 40, 6_000
ALIKE = 0.62
"""Cosine from which on a point is about the same act as a packaged constraint; its words tell whether it forbids it."""
_HTML = re.compile(r"<\s*[/!?]?\s*[a-zA-Z]|&(?:#\d+|#x[0-9a-f]+|lt|gt);|\]\(\s*(?:data|javascript):", re.IGNORECASE)


def review_document(text: str) -> SafetyContract:
    """The points of a document that may be added. Raises ``ContractRefused``."""
    if len(text) > MAX_CHARACTERS:
        raise ContractRefused("contract_too_many_points", f"A document has at most {MAX_CHARACTERS:,} characters.")
    found = read_points(text)
    if not found.points:
        raise ContractRefused("contract_empty", 'It has no points under "## Anchors" or "## Constraints".')
    if len(found.points) > MAX_POINTS:
        raise ContractRefused("contract_too_many_points", f"A document has at most {MAX_POINTS} points.")
    if sanitize_text(text).verdict != "pass":
        raise ContractRefused("contract_steers", "It reads like an attack on a model, not like a rule.")
    for point in found.points:
        review_point(point)
    return found


def review_point(point: str) -> None:
    """Raises ``ContractRefused`` for a point that says nothing, or allows what the package's contract forbids."""
    _check_form(point)
    if sanitize_text(point).verdict != "pass":
        raise ContractRefused("contract_steers", "A point reads like an attack on a model, not like a rule.", point)
    if not check_texts(packaged_contract(), point)["passed"] or _asks_forbidden(point) or _resembles_forbidden(point):
        raise ContractRefused("contract_contradicts", "A point allows what the rules of the package forbid.", point)


def _asks_forbidden(point: str) -> bool:
    """Whether it asks for something forbidden, or forbids it with exceptions."""
    for language in languages():
        acts = (each.search(point) for each in pattern_list("guardrail.forbidden", language))
        liftings = (each.search(point) for each in pattern_list("guardrail.lifting", language))
        if any(found and not _forbids(point[: found.end()], point) for found in acts):
            return True
        if any(found and not _forbids(point[: found.start()], point) for found in liftings):
            return True
    return False


def _forbids(before: str, point: str) -> bool:
    excepted = pattern_of_all("guardrail.excepts").search(point)
    return bool(pattern_of_all("guardrail.prohibits").search(before)) and not excepted


def _resembles_forbidden(point: str) -> bool:
    """The same in other words, as far as the encoder is there to hear it."""
    encoder = sentence_encoder()
    if not encoder.is_loaded or _forbids(point, point):
        return False
    near = encoder.encode(_forbidden_acts()) @ encoder.encode([point])[0]
    return bool(np.max(near) >= ALIKE)


def _check_form(point: str) -> None:
    if _HTML.search(point):
        raise ContractRefused("contract_html", "A point is plain text, without HTML.", point)
    if len(point) > MAX_POINT_CHARACTERS:
        raise ContractRefused(
            "contract_point_too_long", f"A point has {MAX_POINT_CHARACTERS} characters at most.", point
        )
    spaced = is_spaced(language_of(point))
    if (len(point.split()) < MIN_WORDS) if spaced else (sum(map(str.isalnum, point)) < MIN_CHARACTERS):
        raise ContractRefused("contract_point_too_short", "A point says something in at least three words.", point)


@lru_cache(maxsize=1)
def _forbidden_acts() -> tuple[str, ...]:
    """The package's constraints without their "never"."""
    own = packaged_contract()
    return tuple(rule.removeprefix("Never ").strip() for rule in own.constraints) if own else ()
