"""Whether a tenant may add a document to the safety contract: it says something, and nothing against the package's."""

from functools import lru_cache

import numpy as np

from brain.safety.contract import (
    MAX_CHARACTERS,
    MAX_POINTS,
    ContractRefused,
    SafetyContract,
    packaged_contract,
    read_points,
)
from brain.safety.guardrail import check_texts
from brain.safety.sanitizer import sanitize_text
from language.encoder import sentence_encoder
from language.tables import languages, pattern_list, pattern_of_all

ALIKE = 0.62
"""Cosine from which on a point is about the same act as a packaged constraint; its words tell whether it forbids it."""


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
    """Raises ``ContractRefused`` for a point that allows what the package's contract forbids."""
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


@lru_cache(maxsize=1)
def _forbidden_acts() -> tuple[str, ...]:
    """The package's constraints without their "never"."""
    own = packaged_contract()
    return tuple(rule.removeprefix("Never ").strip() for rule in own.constraints) if own else ()
