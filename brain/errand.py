"""Work behind the conversation: for whom it is done, and what it leans on."""

from dataclasses import dataclass

from brain.resources import Resources
from memory.scope import Scope


@dataclass(frozen=True, kw_only=True)
class Errand:
    """One person's memories grow, or are tidied: the context of both graphs."""

    scope: Scope
    resources: Resources
