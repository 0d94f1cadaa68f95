"""Which day it was for the person who spoke."""

from datetime import date, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo


@lru_cache(maxsize=256)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def local_day(at: datetime, zone: str) -> date:
    """The calendar day of an aware time in an IANA zone."""
    return at.astimezone(_zone(zone)).date()
