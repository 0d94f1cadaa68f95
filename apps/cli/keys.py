"""``brain keys``: by what programs prove for whom they speak."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Annotated

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
