"""What roles of an organisation may do (S1 section 42): a token names roles, a role opens scopes.

``tenant_admin`` runs the tenant: erases for others, places legal holds, makes promises, and reads what is somebody
else's with a reason that the person sees. ``agent_runtime`` is a program that speaks for the people who talk to it.
``auditor`` sees what was done, to whom and when, and no words. ``ops`` sees that it runs.
"""

from collections.abc import Iterable, Mapping

from memory.api_keys import KeyScope

PERSON_SCOPES: frozenset[KeyScope] = frozenset({"chat", "memory:read", "memory:write"})
"""What a person who signed in may do: everything that concerns nobody else."""
ROLE_SCOPES: Mapping[str, frozenset[KeyScope]] = {
    "tenant_admin": frozenset({"admin", "audit", "ops"}),
    "agent_runtime": frozenset({"on_behalf"}),
    "auditor": frozenset({"audit"}),
    "ops": frozenset({"ops"}),
}
_IMPLIED: Mapping[KeyScope, frozenset[KeyScope]] = {"admin": frozenset({"audit", "ops"})}
"""Scopes that come with another one."""


def scopes_of_roles(roles: Iterable[str]) -> frozenset[KeyScope]:
    """What somebody with these roles may do; names that are no roles of Brain's open nothing."""
    return PERSON_SCOPES.union(*(ROLE_SCOPES.get(role, frozenset[KeyScope]()) for role in roles))


def with_implied(scopes: Iterable[KeyScope]) -> frozenset[KeyScope]:
    """The scopes of a key, with those that come with them."""
    own = frozenset(scopes)
    return own.union(*(_IMPLIED.get(each, frozenset[KeyScope]()) for each in own))
