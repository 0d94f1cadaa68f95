"""Times as people write them on a command line or in a file."""

from datetime import datetime
from zoneinfo import ZoneInfo

from memory.errors import bad_request


def parse_time(text: str, zone: str) -> datetime:
    """An aware time from ISO 8601; a naive one is meant in ``zone`` (IANA). Raises ``E_BAD_REQUEST``."""
    try:
        at = datetime.fromisoformat(text.strip())
        return at if at.tzinfo else at.replace(tzinfo=ZoneInfo(zone))
    except (ValueError, OverflowError):
        raise bad_request(f"{text[:60]!r} is not a time.", "Write ISO 8601, such as 2024-05-01T09:30.") from None
