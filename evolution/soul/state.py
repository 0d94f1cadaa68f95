"""What flows through one run of the SOUL graph: a version's number and plain values."""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field as Described

from brain.approval import ApprovalRequest

Outcome = Literal["", "applied", "refused", "vetoed", "waiting", "overtaken"]


@dataclass(kw_only=True)
class SoulRequest:
    """All that a caller may put in: a new text, what it is for, and what speaks for it."""

    text: Annotated[str, Described(description="The whole new SOUL, with its six sections.")] = ""
    intent: Annotated[str, Described(description="What the change is for.")] = ""
    evidence: Annotated[str, Described(description="What was seen that speaks for it.")] = ""


@dataclass(kw_only=True)
class SoulState(SoulRequest):
    """From a proposal to what became of it. The row of the version is the truth: a thread is one way of seeing it."""

    version: int | None = None
    verdict: str = ""
    found: list[str] = field(default_factory=list[str])
    request: ApprovalRequest | None = None
    decision: str = ""
    complaint: str = ""
    """Why the last decision did not count."""
    outcome: Outcome = ""
    active: int | None = None


Update = dict[str, Any]
