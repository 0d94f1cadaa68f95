"""Long lists in pages."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.errors import bad_request


@dataclass(frozen=True)
class Cursor:
    """The last row of a page: the next page begins behind it, whatever was added or changed meanwhile."""

    at: datetime
    row_id: UUID

    def __post_init__(self) -> None:
        """Refuse what no row can be compared with."""
        if self.at.tzinfo is None:
            raise bad_request("A cursor needs an aware time.")


def cursor_params(after: Cursor | None) -> dict[str, object]:
    """What a statement is asked for the rows behind it; all of them without one."""
    return {"after_at": after.at if after else None, "after_id": after.row_id if after else None}
