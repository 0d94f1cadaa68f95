"""Memory as the store of a LangGraph server (``langgraph.json`` names the factory), or of any compiled graph."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from langgraph.runtime import get_runtime

from apps.access.caller import is_server, verified_user
from brain.context import Claim
from brain.identity import owner_of
from brain.langgraph_store import BrainStore
from brain.resources import Resources
from brain.wiring import shared_resources
from memory.errors import BrainError
from memory.scope import Scope


@asynccontextmanager
async def store() -> AsyncGenerator[BrainStore]:
    """The store of this server; its connections are those of memory."""
    yield open_store(shared_resources())


def open_store(resources: Resources) -> BrainStore:
    """A store for ``builder.compile(store=…)``: each person finds their own values in it."""
    return BrainStore(resources, lambda: scope_of_caller(resources))


def scope_of_caller(resources: Resources) -> Scope:
    """Whose store the run, or the request, at hand reads: the verified user's, else whom the run's context names.

    Raises ``E_TENANT_FORBIDDEN`` where sign-in is required and nobody signed in.
    """
    user, claim = verified_user(), _claim_of_run(resources)
    if user is None and resources.settings.has_authentication and is_server():
        raise BrainError("E_TENANT_FORBIDDEN", "This caller was not verified.", "Sign in with a token of the issuer.")
    return owner_of(claim, user).scope


def _claim_of_run(resources: Resources) -> Claim:
    """The context of Brain's own graphs; any other graph claims nothing."""
    try:
        context: object = getattr(get_runtime(), "context", None)
    except RuntimeError:
        context = None
    return context if isinstance(context, Claim) else Claim(resources=resources)
