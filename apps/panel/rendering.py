"""Templates, and the headers under which a browser shows what they make: its own parts, and nobody else's."""

from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from importlib.resources import files
from types import MappingProxyType
from typing import cast

from jinja2 import DictLoader, Environment, StrictUndefined
from starlette.responses import Response

from apps.panel.zones import show_day, show_moment
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


TAKEN = "image/png,image/jpeg,image/gif,image/webp,audio/*,application/pdf,text/plain"
"""What a file chooser offers first; what is taken, the bytes decide."""
CHAT_PREFIX = "panel "
"""How the names of conversations begin that are held here; the rest is a moment, which tells two apart."""


def _read_folder(name: str) -> Mapping[str, str]:
    folder = files("apps.panel").joinpath(name)
    return MappingProxyType({file.name: file.read_text("utf-8") for file in folder.iterdir()})


STATIC = _read_folder("static")
STAMP = sha256("".join(STATIC.values()).encode()).hexdigest()[:12]
"""Changes with the static files, so that browsers may keep them."""


def _make_environment() -> Environment:
    made = Environment(
        loader=DictLoader(_read_folder("templates")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters, shared = cast("dict[str, object]", made.filters), cast("dict[str, object]", made.globals)
    filters.update(masked=mask_secrets, attached_media=media_of, moment=show_moment, day=show_day)
    shared.update(stamp=STAMP, chat_prefix=CHAT_PREFIX, a_minute=timedelta(minutes=1), taken_types=TAKEN)
    return made


environment = _make_environment()


def add_security_headers(response: Response) -> Response:
    """Set the panel's headers on a response; its own stay."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response
