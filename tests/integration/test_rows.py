"""Rows become frozen values, quickly where a row has every field, as usual where it has not."""

from dataclasses import dataclass, field

from memory.postgres.database import Database
from memory.postgres.sql import SqlStatement


@dataclass(frozen=True)
class Pair:
    number: int
    names: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))


async def test_a_full_row_becomes_the_value_that_its_constructor_would_make(database: Database):
    full = SqlStatement("full", "select 7 as number, array['a', 'b'] as names, array['x'] as notes")

    async with database.anonymous_session() as session:
        assert await session.fetch(full, {}, Pair) == [Pair(7, ("a", "b"), ["x"])]


async def test_fields_that_a_row_lacks_have_their_defaults(database: Database):
    async with database.anonymous_session() as session:
        assert await session.fetch(SqlStatement("part", "select 7 as number"), {}, Pair) == [Pair(7)]
