"""The context of background jobs: whose memories they work on, and with which resources."""

from dataclasses import dataclass

from langgraph.runtime import Runtime

from brain.context import Claim
from brain.identity import owner_of
from brain.resources import Resources
from memory.scope import Scope


@dataclass(frozen=True, kw_only=True)
class JobContext:
    """One person's memories grow, or are tidied: what the nodes of those graphs lean on.

    A worker hands it in as the context of a run. No client can: what comes over HTTP is a ``Claim``.
    """

    scope: Scope
    resources: Resources


def job_context_of(runtime: Runtime[JobContext] | Runtime[Claim]) -> JobContext:
    """The worker's context as it is; from a server's form, the context of the person who was authenticated."""
    asked = runtime.context
    if isinstance(asked, JobContext):
        return asked
    user = runtime.server_info.user if runtime.server_info else None
    return JobContext(scope=owner_of(asked, user).scope, resources=asked.resources)
