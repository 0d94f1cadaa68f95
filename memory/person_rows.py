"""All rows of one person, to be carried away and brought into another Brain without losing a field."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from memory.scope import Scope

DERIVED = ("recall_index", "recall_removals")
"""Made of the other tables; derived again where the rows arrive."""
OF_THE_INSTALLATION = ("tombstones", "legal_holds", "promotion_sources", "promotion_objections", "soul_acts")
"""About a person, and none of theirs: the installation's and its organisation's, who also keep what these refer to."""


@dataclass(frozen=True, kw_only=True)
class PersonTable:
    """A table with rows of people: the columns that are carried, its key, the tables that it refers to.

    ``has_bytes``: a row of it may be as large as a file.
    """

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...] = ()
    refers_to: tuple[str, ...] = ()
    has_bytes: bool = False

    def __post_init__(self) -> None:
        """Arrays arrive from the database as lists; a frozen value holds tuples."""
        for part in ("columns", "key", "refers_to"):
            object.__setattr__(self, part, tuple(getattr(self, part)))


Take = Callable[[PersonTable, Sequence[str]], None]
"""Given some rows of a table in the order of its key, each a line of JSON without the ids of tenant and person."""
Give = Callable[[PersonTable], Iterator[str]]
"""Gives the lines of a table again."""


class PersonRows(Protocol):
    """The rows of one person in one compartment."""

    async def list_tables(self) -> Sequence[PersonTable]:
        """Every table with rows of people, those that others refer to first."""
        ...

    async def read(self, scope: Scope, take: Take) -> None:
        """Hand out every row of the person. What refers to a row is never read without it."""
        ...

    async def is_empty(self, scope: Scope) -> bool:
        """Whether the person has no row at all."""
        ...

    async def write(self, scope: Scope, names: tuple[str, str], tables: Sequence[PersonTable], give: Give) -> None:
        """Enter rows of a person who has none, all of them or nothing, and take up the work that waits.

        ``names``: how the tenant and the person are called.
        """
        ...


def sort_by_reference(tables: Sequence[PersonTable]) -> list[PersonTable]:
    """The same tables, each behind those that it refers to."""
    waiting, order = list(tables), list[PersonTable]()
    names = {each.name for each in tables}
    while waiting:
        done = {each.name for each in order}
        free = [each for each in waiting if (set(each.refers_to) & names) - {each.name} <= done]
        order += free or waiting
        waiting = [each for each in waiting if each not in order]
    return order
