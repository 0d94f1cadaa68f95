"""For whom this request, run or job reads and writes: the verified user, or the tenant whose job it is."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from uuid import UUID

from memory.scope import name_id

UNVERIFIED = name_id("tenant", "local")
"""The tenant of everybody where nobody signs in."""

_acting: ContextVar[UUID | None] = ContextVar("acting_tenant", default=None)


def verified_user() -> Any:
    """The user whom the server authenticated for this request or run; None outside of a server."""
    found = is_server() and sys.modules["langgraph_api.utils"].get_auth_ctx()
    return found.user if found else None


def is_server() -> bool:
    """Whether this process is a LangGraph server."""
    return "langgraph_api.utils" in sys.modules


def tenant_of_caller() -> UUID:
    """Under whose tenancy checkpoints are read and written."""
    acting = _acting.get()
    return acting if acting is not None else _tenant_of_user(verified_user())


@contextmanager
def act_for(tenant_id: UUID) -> Generator[None]:
    """Read and write checkpoints for a tenant: a job does so for the person whose job it is."""
    token = _acting.set(tenant_id)
    try:
        yield
    finally:
        _acting.reset(token)


def _tenant_of_user(user: Any) -> UUID:
    """A user without a tenant was not verified by us: an open server's own machine."""
    try:
        return name_id("tenant", str(user["tenant"])) if user is not None and user["tenant"] else UNVERIFIED
    except (KeyError, TypeError):
        return UNVERIFIED
