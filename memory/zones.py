"""Which day it was for the person who spoke."""

from datetime import date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from memory.errors import bad_request

YEARS = range(1000, 3000)
"""Years in which something can have been said: at the ends of the calendar a local day may not exist."""

_FIRST_YEAR, _LAST_YEAR = 2, 9998
"""Years whose every moment has a name in every time zone."""


def is_storable_moment(moment: datetime) -> bool:
    """Whether it can be read again in every time zone: one near the ends of the calendar breaks its whole page."""
    return _FIRST_YEAR <= moment.year <= _LAST_YEAR


@lru_cache(maxsize=256)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def local_day(at: datetime, zone: str) -> date:
    """The calendar day of an aware time in an IANA zone."""
    return at.astimezone(_zone(zone)).date()


def require_zone(zone: str) -> str:
    """The name of an IANA time zone. Raises ``E_BAD_REQUEST`` for another."""
    try:
        return _zone(zone).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise bad_request(f"{zone[:60]!r} is not a time zone.", "Use an IANA name such as Europe/Paris.") from None


def require_moment(at: datetime, zone: str) -> None:
    """Raises ``E_BAD_REQUEST`` for a time that nobody can place: without a zone of its own, or beyond all calendars."""
    require_zone(zone)
    if at.tzinfo is None or at.year not in YEARS:
        raise bad_request(f"{at.isoformat()} is no time at which something was said.", "Send one with its zone.")
