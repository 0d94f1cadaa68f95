"""In which time zone the reader is: the browser says it in a cookie, which a small script sets."""

from datetime import datetime
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from starlette.requests import Request

from memory.errors import BrainError
from memory.zones import require_zone

ZONE_COOKIE = "brain_panel_zone"
_MAX_CHARACTERS = 60


def browser_zone(request: Request) -> str:
    """The IANA zone that the browser named; empty where it named none, or one that is not known here."""
    named = unquote(request.cookies.get(ZONE_COOKIE, "")[: 3 * _MAX_CHARACTERS])
    try:
        return require_zone(named[:_MAX_CHARACTERS]) if named else ""
    except BrainError:
        return ""


def show_moment(at: datetime | str, zone: str) -> str:
    """A moment as the reader's clock shows it."""
    return f"{_local(at, zone):%Y-%m-%d %H:%M}"


def show_day(at: datetime | str, zone: str) -> str:
    """The day that it was for the reader."""
    return f"{_local(at, zone):%Y-%m-%d}"


def _local(at: datetime | str, zone: str) -> datetime:
    moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    return moment.astimezone(ZoneInfo(zone))
