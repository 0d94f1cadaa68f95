"""``brain keys``: by what programs prove for whom they speak."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

import typer

from apps.access.key_text import hash_key, make_key_text
from apps.cli.memory_ids import parse_uuid
from apps.cli.options import AsJson, TenantOptions, choices, command
from apps.cli.output import emit, say, show_table
from apps.cli.runner import load_settings, run
from brain.resources import Resources
from memory.api_keys import KEY_SCOPES, ApiKey, KeyScope
from memory.errors import BrainError, bad_request
from memory.names import require_name
from memory.scope import name_id

COLUMNS = ("key", "user", "label", "may", "until", "state")
MAX_LABEL_CHARACTERS = 200

keys = typer.Typer(no_args_is_help=True, help="Keys by which programs prove for whom they speak.")


@dataclass(frozen=True, kw_only=True)
class KeyOptions(TenantOptions):
    """Whose keys."""

    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class CreateOptions(KeyOptions):
    """For whom a key speaks, and what it may do."""

    user: Annotated[str, typer.Option(help="The person for whom the key speaks.")] = "me"
    label: Annotated[str, typer.Option(help="What the key is for, to tell it from others.")] = ""
    may: Annotated[
        list[str],
        typer.Option(
            "--scope",
            help=f"What it may do; may be repeated. One of {', '.join(KEY_SCOPES)}.",
            autocompletion=choices(KEY_SCOPES),
        ),
    ] = field(default_factory=lambda: ["chat", "memory:read", "memory:write"])
    days: Annotated[int, typer.Option(min=0, max=36_500, help="Days until it expires; 0 for never.")] = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be a name, a label or a scope."""
        super().__post_init__()
        require_name("user", self.user)
        if self.label:
            require_name("label", self.label[: MAX_LABEL_CHARACTERS + 1])
        if len(self.label) > MAX_LABEL_CHARACTERS:
            raise bad_request(f"The label is longer than {MAX_LABEL_CHARACTERS} characters.")
        self.scopes()

    def scopes(self) -> tuple[KeyScope, ...]:
        """The scopes in their own order. Raises ``E_BAD_REQUEST`` for one that does not exist."""
        strange = [each for each in self.may if each not in KEY_SCOPES]
        if strange:
            raise bad_request(f"There is no scope {strange[0][:60]!r}.", f"There are {', '.join(KEY_SCOPES)}.")
        return tuple(each for each in KEY_SCOPES if each in self.may)


@dataclass(frozen=True, kw_only=True)
class RevokeOptions(KeyOptions):
    """Which key to end."""

    key: Annotated[str, typer.Argument(help="The key's id, as 'brain keys list' shows it.")]


@dataclass(frozen=True, kw_only=True)
class RenewOptions(RevokeOptions):
    """Which key to replace, and how long both work."""

    hours: Annotated[int, typer.Option(min=0, max=8_760, help="Hours for which the former key goes on working.")] = 24


@dataclass(frozen=True, kw_only=True)
class RotateOptions:
    """How to tell what was done."""

    json: AsJson = False


@command(keys, "create")
def create(options: CreateOptions) -> None:
    """Make a key. Its text is shown this once; Brain keeps only its hash."""
    key, text = run(lambda resources: _create(resources, options), load_settings())
    if options.json:
        emit({"key_id": key.key_id, "key": text, "scopes": list(key.scopes), "expires_at": key.expires_at})
        return
    say(text)
    say(f"Key {key.key_id} for {key.user_name} may {', '.join(key.scopes)}. Keep it now: it is not shown again.")


@command(keys, "list")
def list_keys(options: KeyOptions) -> None:
    """List the keys of a tenant, newest first."""
    found, now = run(lambda resources: _list(resources, options), load_settings())
    if options.json:
        emit([_row_json(key, now) for key in found])
    elif found:
        show_table(COLUMNS, [_row(key, now) for key in found])
    else:
        say("There are no keys.")


@command(keys, "renew")
def renew(options: RenewOptions) -> None:
    """Make a key that may what another one may; the other one goes on working for a while, then ends."""
    key, text, ends_at = run(lambda resources: _renew(resources, options), load_settings())
    if options.json:
        emit({"key_id": key.key_id, "key": text, "scopes": list(key.scopes), "former_ends_at": ends_at})
        return
    say(text)
    say(f"Key {key.key_id} takes the place of {options.key}, which ends at {ends_at:%Y-%m-%d %H:%M} UTC. Keep it now.")


@command(keys, "rotate-master")
def rotate_master_secret(options: RotateOptions) -> None:
    """Replace the master secret behind signatures and the keys of backups; finishes what was interrupted."""
    from brain.master_rotation import rotate_master  # leads to the database, which no help needs

    done = rotate_master(load_settings())
    if options.json:
        emit(asdict(done))
    elif done.waits_for_setting:
        say("Give BRAIN_AUDIT_KEY a new secret ('openssl rand -base64 32') for every process, then do this again.")
    else:
        say(f"The master secret is new. {done.keys:,} keys and {done.lists} lists of erasures are locked anew.")
        say("Copy keys, audit.key, audit.former and erasures of BRAIN_HOME again; copies of before open what they did.")


@command(keys, "revoke")
def revoke(options: RevokeOptions) -> None:
    """End a key: the next request that shows it is refused."""
    key = run(lambda resources: _revoke(resources, options), load_settings())
    if options.json:
        emit({"key_id": key.key_id, "revoked_at": key.revoked_at})
    else:
        say(f"Key {key.key_id} is revoked.")


async def create_key(resources: Resources, key: ApiKey) -> tuple[ApiKey, str]:
    """Keep a key of these properties under a new text; both."""
    text = make_key_text(key.tenant_id)
    kept = replace(key, sha256=hash_key(text))
    await resources.memory.api_keys.add(kept)
    return kept, text


async def _create(resources: Resources, options: CreateOptions) -> tuple[ApiKey, str]:
    now = resources.clock()
    key = ApiKey(
        tenant_id=name_id("tenant", options.tenant),
        key_id=resources.new_id(),
        sha256="",
        tenant_name=options.tenant,
        user_name=options.user,
        label=options.label,
        scopes=options.scopes(),
        created_at=now,
        expires_at=now + timedelta(days=options.days) if options.days else None,
    )
    return await create_key(resources, key)


async def _list(resources: Resources, options: KeyOptions) -> tuple[list[ApiKey], datetime]:
    found = await resources.memory.api_keys.list_keys(name_id("tenant", options.tenant))
    return list(found), resources.clock()


async def _revoke(resources: Resources, options: RevokeOptions) -> ApiKey:
    tenant = name_id("tenant", options.tenant)
    key = await resources.memory.api_keys.revoke(tenant, parse_uuid(options.key), resources.clock())
    if key is None:
        raise BrainError("E_NOT_FOUND", "This tenant has no such key.", "'brain keys list' shows those there are.")
    return key


async def _renew(resources: Resources, options: RenewOptions) -> tuple[ApiKey, str, datetime]:
    """The new key is there before the former one gets its end."""
    tenant, now = name_id("tenant", options.tenant), resources.clock()
    former = await _find(resources, tenant, parse_uuid(options.key))
    if not former.is_valid(now):
        raise BrainError("E_CONFLICT", "This key has ended.", "'brain keys create' makes another one.")
    lifetime = former.expires_at - former.created_at if former.expires_at else None
    renewed = replace(
        former, key_id=resources.new_id(), created_at=now, expires_at=now + lifetime if lifetime else None
    )
    key, text = await create_key(resources, renewed)
    ending = await resources.memory.api_keys.expire(tenant, former.key_id, now + timedelta(hours=options.hours))
    return key, text, (ending and ending.expires_at) or now


async def _find(resources: Resources, tenant: UUID, key_id: UUID) -> ApiKey:
    for each in await resources.memory.api_keys.list_keys(tenant):
        if each.key_id == key_id:
            return each
    raise BrainError("E_NOT_FOUND", "This tenant has no such key.", "'brain keys list' shows those there are.")


def _state(key: ApiKey, now: datetime) -> str:
    if key.revoked_at:
        return "revoked"
    return "valid" if key.is_valid(now) else "expired"


def _row(key: ApiKey, now: datetime) -> tuple[object, ...]:
    until = f"{key.expires_at:%Y-%m-%d}" if key.expires_at else "-"
    return (key.key_id, key.user_name, key.label or "-", " ".join(key.scopes), until, _state(key, now))


def _row_json(key: ApiKey, now: datetime) -> Mapping[str, object]:
    hidden = {"tenant_id", "sha256"}
    return {name: value for name, value in vars(key).items() if name not in hidden} | {"state": _state(key, now)}
