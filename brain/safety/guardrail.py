"""The Core Safety Contract at run time: seen before every model call, enforced before every tool.

Before a model call nothing is blocked: nobody knows yet whether a dangerous tool will be asked for. Before a tool the
last check decides by the tool's own risk.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from brain.safety.contract import SafetyContract
from brain.safety.fence import strip_fenced_text
from brain.state import GuardState
from language.tables import pattern_of_all, words_of_all
from language.terms import fold, word_terms

GuardCode = Literal["GUARD_ANCHOR_MISSING", "GUARD_CONSTRAINT_VIOLATED", "GUARD_CONTRACT_UNAVAILABLE", "GUARD_TAINTED"]

_SENTENCE = re.compile(r"[^.!?。！？\n]+")
_SHARE = 0.5
_MIN_WORDS = 3


@dataclass(frozen=True)
class GuardVerdict:
    """Whether a tool may run; ``code`` says why not, ``degraded`` that it runs although the guard failed."""

    allowed: bool
    code: GuardCode | None = None
    degraded: bool = False


def check_contract(contract: SafetyContract | None, system: str, context: str) -> GuardState:
    """Are all anchors visible to the model, and does nothing in the context call for breaking the constraints?

    What stands behind a fence is data, whatever it calls for: what follows from it is judged by the words of the call.
    """
    read = check_texts(contract, context)
    if contract is None:
        return read
    visible = _normalize(system)
    missing = [anchor for anchor in contract.anchors if _normalize(anchor) not in visible]
    return _failure_state("GUARD_ANCHOR_MISSING", missing, read["violated_constraints"]) if missing else read


def check_texts(contract: SafetyContract | None, context: str) -> GuardState:
    """Does nothing in the texts of a model call ask to break the constraints? For calls that show no anchors."""
    if contract is None:
        return _failure_state("GUARD_CONTRACT_UNAVAILABLE")
    violations = list(dict.fromkeys(_violations(contract, strip_fenced_text(context))))
    if violations:
        return _failure_state("GUARD_CONSTRAINT_VIOLATED", [], violations)
    return GuardState(passed=True, missing_anchors=[], violated_constraints=[], error_code="")


def decide_tool_call(guard: GuardState | None, risk: str) -> GuardVerdict:
    """High risk runs only past a guard that passed; low risk runs, and says when it should not have been needed."""
    if guard is not None and guard["passed"]:
        return GuardVerdict(allowed=True)
    if risk == "low":
        return GuardVerdict(allowed=True, degraded=True)
    return GuardVerdict(allowed=False, code=_error_code(guard))


def _violations(contract: SafetyContract, context: str) -> Iterator[str]:
    """Calls to drop the rules, and sentences that permit what one constraint forbids, named by that constraint."""
    lowered = context.lower()
    if any(word in lowered for word in words_of_all("guardrail.rules")):
        yield from (found[0] for found in pattern_of_all("guardrail.bypass").finditer(context))
    for sentence in _SENTENCE.findall(context):
        if pattern_of_all("guardrail.permits").search(sentence):
            words = frozenset(word_terms(fold(sentence)))
            yield from (rule for rule in contract.constraints if _is_about(words, rule))


def _is_about(words: frozenset[str], constraint: str) -> bool:
    """Half of the constraint's own words, at least three of them."""
    forbidden = _words_of(constraint)
    return len(words & forbidden) >= max(_MIN_WORDS, len(forbidden) * _SHARE)


@lru_cache(maxsize=64)
def _words_of(constraint: str) -> frozenset[str]:
    return frozenset(word_terms(fold(constraint))) - {"never"}


def _error_code(guard: GuardState | None) -> GuardCode:
    match guard["error_code"] if guard else "":
        case "GUARD_ANCHOR_MISSING":
            return "GUARD_ANCHOR_MISSING"
        case "GUARD_CONSTRAINT_VIOLATED":
            return "GUARD_CONSTRAINT_VIOLATED"
        case _:
            return "GUARD_CONTRACT_UNAVAILABLE"


def _failure_state(code: GuardCode, missing: list[str] | None = None, violated: list[str] | None = None) -> GuardState:
    return GuardState(passed=False, missing_anchors=missing or [], violated_constraints=violated or [], error_code=code)


def _normalize(text: str) -> str:
    return " ".join(text.casefold().split())
