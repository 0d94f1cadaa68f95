"""The scope of a queued job: its arguments name the person by ids."""

from collections.abc import Mapping
from uuid import UUID

from memory.scope import Scope


def job_scope(job: Mapping[str, str]) -> Scope:
    """The person behind a job."""
    return Scope(tenant_id=UUID(job["tenant_id"]), user_id=UUID(job["user_id"]), key=job["scope"])


def person_arguments(job: Mapping[str, str]) -> dict[str, str]:
    """The arguments that name this person, for another job."""
    return {name: job[name] for name in ("tenant_id", "scope", "user_id")}
