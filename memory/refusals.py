"""Attempts to reach what belongs to somebody else: refused elsewhere, kept in the audit and counted here."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from memory.scope import Scope

TENANT_KEY = "group:"
"""The scope of a tenant as a whole, which everybody in it shares: no channel has an empty name."""
ACTION = "access_refused"


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """Who was refused what, and when. ``what`` names the thing as it was asked for."""

    what: str
    operator: str
    at: datetime
    trace_id: str


class Refusals(Protocol):
    """A tenant's refusals. ``scope`` is the caller's; the tenant's is taken from it."""

    async def record(self, scope: Scope, refusal: Refusal) -> None:
        """Append it to the audit of the tenant that asked."""
        ...

    async def count(self, scope: Scope, since: datetime) -> int:
        """How many of the tenant's own attempts were refused from a moment on."""
        ...


def tenant_scope(scope: Scope) -> Scope:
    """The scope of the whole tenant."""
    return replace(scope, key=TENANT_KEY)
