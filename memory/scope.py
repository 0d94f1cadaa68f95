"""Who a row belongs to. External names become UUIDs here, once."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal
from uuid import NAMESPACE_URL, UUID, uuid5

from memory.names import require_name

DmScope = Literal["main", "per-peer", "per-channel-peer", "per-account-channel-peer"]
Space = tuple[UUID, str, UUID | None]
"""The compartment a scope may see: a person's own, or everybody's in a group."""

_NAMESPACE = uuid5(NAMESPACE_URL, "brain:names")
_GROUP = "group:"


@dataclass(frozen=True, kw_only=True)
class Scope:
    """The rows one run may see: a tenant, a person, and a compartment of that person's memory.

    ``key`` is ``main``, one of the narrower direct-message compartments, or ``group:<channel>``.
    """

    tenant_id: UUID
    user_id: UUID
    key: str = "main"

    @property
    def is_group(self) -> bool:
        """In a group every speaker's statements are visible to the group, and nothing else is."""
        return self.key.startswith(_GROUP)

    @property
    def owner(self) -> str:
        """Who owns what a scope has only once: the person, or everyone in a group."""
        return "everyone" if self.is_group else str(self.user_id)

    @property
    def space(self) -> Space:
        """Whose rows these are: all who may see them have the same."""
        return (self.tenant_id, self.key, None if self.is_group else self.user_id)


@dataclass(frozen=True, kw_only=True)
class Speaker:
    """Who is speaking and where, as the channel names them; a ``channel`` makes it a group conversation."""

    tenant: str
    user: str
    channel_type: str = "dm"
    channel: str | None = None
    account: str | None = None


@lru_cache(maxsize=8_192)
def name_id(kind: str, *names: str) -> UUID:
    """UUIDv5 of an external name: the same text gives the same id everywhere, e-mail addresses included."""
    for name in names:
        require_name(kind, name)
    return uuid5(_NAMESPACE, "\x1f".join((kind, *names)))


def scope_of(speaker: Speaker, dm_scope: DmScope = "main") -> Scope:
    """Resolve once per request; nothing downstream derives a scope again."""
    return Scope(
        tenant_id=name_id("tenant", speaker.tenant),
        user_id=name_id("user", speaker.tenant, speaker.user),
        key=_key(speaker, dm_scope),
    )


def session_id_of(scope: Scope, name: str) -> UUID:
    """The id of a conversation: the same name in another tenant, scope or person's mouth is another conversation."""
    return name_id("session", str(scope.tenant_id), scope.key, scope.owner, name)


def _key(speaker: Speaker, dm_scope: DmScope) -> str:
    if speaker.channel is not None:
        return _GROUP + require_name("channel", speaker.channel)
    match dm_scope:
        case "main":
            return "main"
        case "per-peer":
            return f"peer:{speaker.user}"
        case "per-channel-peer":
            return f"dm:{speaker.channel_type}:peer:{speaker.user}"
        case "per-account-channel-peer":
            return f"dm:{require_name('account', speaker.account)}:{speaker.channel_type}:peer:{speaker.user}"
