"""Who is asking, for certain: a verified identity where there is one, the caller's own word only where none is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from langgraph.runtime import Runtime

from brain.context import Claim, Context
from memory.errors import BrainError
from memory.scope import DmScope, Scope, Speaker, name_id, scope_of


@dataclass(frozen=True, kw_only=True)
class Identity:
    """The person behind a run, and the rows that follow from it."""

    scope: Scope
    tenant: str
    user: str
    roles: frozenset[str] = frozenset()
    org_tier: str = ""
    role: str = ""
    verified: bool = False

    def for_person(self, user: str) -> Scope:
        """The same compartment of somebody else of the tenant."""
        return replace(self.scope, user_id=name_id("user", self.tenant, user))


def identity_of(runtime: Runtime[Context]) -> Identity:
    """The identity of this run. A verified token overrides whatever the context claims."""
    return identity_of_user(runtime.context, runtime.server_info.user if runtime.server_info else None)


def identity_of_user(context: Context, authenticated: Any) -> Identity:
    """The same from the user that a server authenticated, if it did."""
    found = owner_of(context, authenticated)
    return found if found.verified else replace(found, org_tier=context.org_tier, role=context.role)


def owner_of(claim: Claim, authenticated: Any) -> Identity:
    """Whose memory it is. Raises ``E_TENANT_FORBIDDEN`` for a caller who had to be verified and was not."""
    user, dm_scope = _verified_user(authenticated), claim.resources.settings.dm_scope
    if user is not None:
        return _identity_of_token(claim, user, dm_scope)
    if authenticated is not None and claim.resources.settings.has_authentication:
        raise BrainError("E_TENANT_FORBIDDEN", "This caller was not verified.", "Sign in with a token of the issuer.")
    return _identity_of_claim(claim, dm_scope)


def _verified_user(user: Any) -> Mapping[str, Any] | None:
    """A user without a tenant was not verified by us: an open server's own machine."""
    try:
        return user if user is not None and user["tenant"] else None
    except (KeyError, TypeError):
        return None


def _identity_of_claim(claim: Claim, dm_scope: DmScope) -> Identity:
    scope = scope_of(_speaker(claim, claim.tenant, claim.user), dm_scope)
    return Identity(scope=scope, tenant=claim.tenant, user=claim.user)


def _identity_of_token(claim: Claim, user: Mapping[str, Any], dm_scope: DmScope) -> Identity:
    tenant, name = str(user["tenant"]), str(user["user"])
    if claim.channel and claim.channel not in user["channels"]:
        raise BrainError(
            "E_TENANT_FORBIDDEN", "This identity is not a member of that channel.", "Ask for access to it."
        )
    return Identity(
        scope=scope_of(_speaker(claim, tenant, name), dm_scope),
        tenant=tenant,
        user=name,
        roles=frozenset(str(role) for role in user["roles"]),
        org_tier=str(user["org_tier"] or ""),
        role=str(user["role"] or ""),
        verified=True,
    )


def _speaker(claim: Claim, tenant: str, user: str) -> Speaker:
    return Speaker(
        tenant=tenant,
        user=user,
        channel_type=claim.channel_type,
        channel=claim.channel or None,
        account=claim.account or None,
    )
