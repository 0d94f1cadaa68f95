"""Who the person is whose private memory a command works on; apart from the options, which load nothing heavy."""

from apps.cli.options import OwnerOptions
from brain.identity import Identity
from memory.scope import DmScope, Speaker, scope_of


def owner_from(options: OwnerOptions, dm_scope: DmScope) -> Identity:
    """The person whose private memory it is."""
    scope = scope_of(Speaker(tenant=options.tenant, user=options.user), dm_scope)
    return Identity(scope=scope, tenant=options.tenant, user=options.user)
