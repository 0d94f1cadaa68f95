"""Templates, and the headers under which a browser shows what they make: its own parts, and nobody else's."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType
from typing import cast
from zoneinfo import ZoneInfo

from jinja2 import DictLoader, Environment, StrictUndefined
from starlette.responses import Response

from brain.media.intake import media_of
from language.secrets import mask_secrets

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""``same-origin`` and no stricter: without a referrer browsers send ``Origin: null`` with forms."""


CHAT_PREFIX = "panel "
"""How the names of conversations begin that are held here; the rest is a moment, which tells two apart."""


def _read_folder(name: str) -> Mapping[str, str]:
    folder = files("apps.panel").joinpath(name)
    return MappingProxyType({file.name: file.read_text("utf-8") for file in folder.iterdir()})


STATIC = _read_folder("static")
STAMP = sha256("".join(STATIC.values()).encode()).hexdigest()[:12]
"""Changes with the static files, so that browsers may keep them."""


def _local(at: datetime, zone: str) -> datetime:
    return at.astimezone(ZoneInfo(zone))


def _show_moment(at: datetime, zone: str) -> str:
    return f"{_local(at, zone):%Y-%m-%d %H:%M}"


def _show_day(at: datetime, zone: str) -> str:
    return f"{_local(at, zone):%Y-%m-%d}"


def _make_environment() -> Environment:
    made = Environment(
        loader=DictLoader(_read_folder("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters, shared = cast("dict[str, object]", made.filters), cast("dict[str, object]", made.globals)
    filters.update(masked=mask_secrets, attached_media=media_of, moment=_show_moment, day=_show_day)
    shared.update(stamp=STAMP, chat_prefix=CHAT_PREFIX, a_minute=timedelta(minutes=1))
    return made


environment = _make_environment()


def add_security_headers(response: Response) -> Response:
    """Set the panel's headers on a response; its own stay."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
