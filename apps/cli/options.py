"""A command takes one frozen dataclass: its fields are the command's options and arguments."""

from collections.abc import Callable, Iterable
from dataclasses import MISSING, Field, dataclass, fields
from functools import update_wrapper
from inspect import Parameter, Signature
from typing import Annotated, Any, TypeVar, get_type_hints
from zoneinfo import available_timezones

import typer

from memory.names import require_name
from memory.scope import DmScope, Scope, Speaker, scope_of

T = TypeVar("T")


def choices(names: Iterable[str]) -> Callable[[str], list[str]]:
    """What the shell offers for an option that takes one of these names."""
    return lambda incomplete: sorted(name for name in names if name.startswith(incomplete))


def time_zones(incomplete: str) -> list[str]:
    """What the shell offers for a zone."""
    return choices(available_timezones())(incomplete)


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


@dataclass(frozen=True, kw_only=True)
class TenantOptions:
    """Whose data a command works on."""

    tenant: Annotated[str, typer.Option(help="The organisation whose data this is.")] = "local"

    def __post_init__(self) -> None:
        """Refuse what cannot be a name; a shell hands on whatever bytes it was given."""
        require_name("tenant", self.tenant)


@dataclass(frozen=True, kw_only=True)
class OwnerOptions(TenantOptions):
    """Whose private memory a command works on."""

    user: Annotated[str, typer.Option(help="The person, by any stable name.")] = "me"

    def __post_init__(self) -> None:
        """Refuse what cannot be a name."""
        super().__post_init__()
        require_name("user", self.user)


@dataclass(frozen=True, kw_only=True)
class PersonOptions(OwnerOptions):
    """Whose memory a command works on."""

    channel: Annotated[str, typer.Option(help="A group channel, instead of the private memory.")] = ""

    def __post_init__(self) -> None:
        """Refuse what cannot be a name."""
        super().__post_init__()
        if self.channel:
            require_name("channel", self.channel)


@dataclass(frozen=True, kw_only=True)
class NoOptions:
    """A command without options."""


def command(app: typer.Typer, name: str) -> Callable[[Callable[[T], None]], Callable[[T], None]]:
    """Register a function of one dataclass as a command of that name; its docstring is the help."""

    def register(function: Callable[[T], None]) -> Callable[[T], None]:
        options: type[Any] = next(hint for key, hint in get_type_hints(function).items() if key != "return")

        def call(**values: Any) -> None:
            function(options(**values))

        app.command(name)(_add_signature(call, function, options))
        return function

    return register


def scope_from(person: PersonOptions, dm_scope: DmScope) -> Scope:
    """The rows of that person."""
    return scope_of(Speaker(tenant=person.tenant, user=person.user, channel=person.channel or None), dm_scope)


def _add_signature(call: Callable[..., None], function: Callable[..., None], options: type[Any]) -> Callable[..., None]:
    """``call`` with the signature that the dataclass describes, as typer reads it."""
    hints = get_type_hints(options, include_extras=True)
    update_wrapper(call, function)
    del call.__wrapped__  # pyright: ignore[reportFunctionMemberAccess]
    call.__annotations__ = hints
    call.__signature__ = Signature(  # pyright: ignore[reportFunctionMemberAccess]
        [_parameter(field, hints[field.name]) for field in fields(options)]
    )
    return call


def _parameter(field: Field[Any], annotation: Any) -> Parameter:
    default = field.default if field.default is not MISSING else Parameter.empty
    if field.default_factory is not MISSING:
        default = field.default_factory()
    return Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
