"""The Core Safety Contract at run time: seen before every model call, enforced before every tool.

Before a model call nothing is blocked: nobody knows yet whether a dangerous tool will be asked for. Before a tool the
last check decides by the tool's own risk.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Literal

from brain.state import GuardState, MemoryUse
from prompts.registry import PromptError, load

GuardCode = Literal["GUARD_ANCHOR_MISSING", "GUARD_CONSTRAINT_VIOLATED", "GUARD_CONTRACT_UNAVAILABLE", "GUARD_TAINTED"]

_SECTION = re.compile(r"^## (?P<title>Anchors|Constraints)\n(?P<body>.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_POINT = re.compile(r"^- (.+?)(?=^- |\Z)", re.MULTILINE | re.DOTALL)
_BYPASS = re.compile(
    r"\b(?:ignore|disregard|override|bypass|suspend|forget)\b[^.\n]{0,40}\b(?:rules?|safety|contract|constraints?|guardrails?)\b"
    r"|(?:忽略|无视|绕过|忘记|解除)[^。\n]{0,20}(?:规则|安全|约束|限制|守则)",
    re.IGNORECASE,
)
_QUOTED = 24
"""Characters that a tool's argument must share with an untrusted memory to count as copied from it."""


@dataclass(frozen=True)
class Contract:
    """What must stay visible (``anchors``) and what must not happen (``constraints``)."""

    anchors: tuple[str, ...]
    constraints: tuple[str, ...]
    source_hash: str


@dataclass(frozen=True)
class Verdict:
    """Whether a tool may run; ``code`` says why not, ``degraded`` that it runs although the guard failed."""

    allowed: bool
    code: GuardCode | None = None
    degraded: bool = False


def current_contract() -> Contract | None:
    """The contract as its document stands now, parsed anew only when its text changes; None when it cannot be read."""
    try:
        return contract_of(load("safety_contract").body)
    except PromptError:
        return None


@lru_cache(maxsize=4)
def contract_of(document: str) -> Contract | None:
    """The points under "Anchors" and "Constraints"; a document without both is no contract."""
    sections = {found["title"]: found["body"] for found in _SECTION.finditer(document)}
    anchors, constraints = (_points(sections.get(title, "")) for title in ("Anchors", "Constraints"))
    if not anchors or not constraints:
        return None
    return Contract(anchors, constraints, sha256(document.encode()).hexdigest())


def check(contract: Contract | None, system: str, context: str) -> GuardState:
    """Are all anchors visible to the model, and does nothing in the context call for breaking the constraints?"""
    if contract is None:
        return _failed("GUARD_CONTRACT_UNAVAILABLE")
    visible = _folded(system)
    missing = [anchor for anchor in contract.anchors if _folded(anchor) not in visible]
    violations = [found.group(0) for found in _BYPASS.finditer(context)]
    if missing:
        return _failed("GUARD_ANCHOR_MISSING", missing, violations)
    if violations:
        return _failed("GUARD_CONSTRAINT_VIOLATED", missing, violations)
    return GuardState(passed=True, missing_anchors=[], violated_constraints=[], error_code="")


def gate(guard: GuardState | None, risk: str) -> Verdict:
    """High risk runs only past a guard that passed; low risk runs, and says when it should not have been needed."""
    if guard is not None and guard["passed"]:
        return Verdict(allowed=True)
    if risk == "low":
        return Verdict(allowed=True, degraded=True)
    return Verdict(allowed=False, code=_code(guard))


def tainted(argument_text: str, memories: Iterable[MemoryUse], user_text: str) -> bool:
    """Does a tool call repeat what only an untrusted memory said? Such a memory cannot justify a high-risk tool."""
    wanted, said = _folded(argument_text), _folded(user_text)
    sources = (_folded(memory["text"]) for memory in memories if _untrusted(memory))
    return any(piece in wanted and piece not in said for source in sources for piece in _pieces(source))


def _untrusted(memory: MemoryUse) -> bool:
    return memory["role"] in ("tool", "assistant") or memory.get("sanitization") == "sanitized"


def _pieces(text: str) -> Iterable[str]:
    if len(text) <= _QUOTED:
        return [text] if len(text) >= _QUOTED // 2 else []
    return [text[at : at + _QUOTED] for at in range(0, min(len(text), 4_000) - _QUOTED + 1, _QUOTED // 2)]


def _code(guard: GuardState | None) -> GuardCode:
    match guard["error_code"] if guard else "":
        case "GUARD_ANCHOR_MISSING":
            return "GUARD_ANCHOR_MISSING"
        case "GUARD_CONSTRAINT_VIOLATED":
            return "GUARD_CONSTRAINT_VIOLATED"
        case _:
            return "GUARD_CONTRACT_UNAVAILABLE"


def _failed(code: GuardCode, missing: list[str] | None = None, violated: list[str] | None = None) -> GuardState:
    return GuardState(passed=False, missing_anchors=missing or [], violated_constraints=violated or [], error_code=code)


def _points(section: str) -> tuple[str, ...]:
    return tuple(" ".join(point.split()) for point in _POINT.findall(section))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
