"""The words of one time expression, and what each of its groups says."""

from dataclasses import dataclass
from datetime import date, datetime
from re import Match

from language import tables
from language.tables import Language
from language.times import periods
from language.times.numerals import parse_number
from language.times.periods import Period


@dataclass(frozen=True)
class TimeWords:
    """The words of one time expression, said at ``now`` (naive local)."""

    found: Match[str]
    now: datetime
    language: Language

    @property
    def today(self) -> date:
        """The day on which it was said."""
        return self.now.date()

    def word(self, group: str) -> str:
        """The words of a group, plain; empty where it is none."""
        said = self.found.groupdict().get(group) or ""
        return " ".join(said.lower().replace("’", "'").replace("i\u0307", "i").split())

    def number(self, group: str) -> int:
        """What a group counts. ValueError where it is no number."""
        value = parse_number(self.word(group))
        if value is None:
            raise ValueError("not a number")
        return value

    def meaning(self, table: str, group: str) -> int:
        """What a group stands for in a table of numbers. KeyError where it stands for none."""
        return tables.numbers(f"times.{table}", self.language)[self.word(group)]

    def side(self) -> int:
        """How many units away it is, 0 where it does not say."""
        return self.meaning("sides", "side") if self.word("side") else 0

    def name(self, table: str, group: str) -> str:
        """What a group is called in all languages. KeyError where it has no such name."""
        return tables.names(f"times.{table}", self.language)[self.word(group)]

    def unit(self) -> str:
        """The unit that is counted."""
        return self.name("units", "unit" if self.word("unit") else "long_unit")

    def count(self) -> int:
        """How many units. ValueError where only about as many are meant (七八), or more than anybody counts."""
        count = self.number("count")
        limit = tables.numbers("times.limits", self.language)["count"]
        if count > limit or tables.pattern("times.about", self.language).fullmatch(self.word("count")):
            raise ValueError("no exact distance in time")
        return count

    def month(self, group: str = "month") -> int:
        """1 to 12."""
        named = tables.numbers("times.months", self.language).get(self.word(group)[:3])
        return named or self.number(group)

    def year(self) -> int | None:
        """The year that is said, in its number or by how far away it is."""
        if self.word("near_year"):
            return self.now.year + self.meaning("years", "near_year")
        return self.number("year") if self.word("year") else None

    def weekday(self) -> int:
        """From Monday, 0, to Sunday, 6."""
        return tables.numbers("times.weekdays", self.language)[self.word("weekday")[:3]]

    def within(self, when: date) -> Period:
        """A day, or the part or the hour of it that is named beside it."""
        part = self.name("parts", "part") if self.word("part") else ""
        if not self.word("hour"):
            return periods.part_of(when, part) if part else periods.day(when)
        hour, half = self.number("hour"), self.word("half_day")
        minute = 30 if self.word("half_past") else self.number("minute") if self.word("minute") else 0
        if half:
            hour = hour % 12 + (12 if half == "p" else 0)
        elif part in ("afternoon", "evening", "night") and hour < 12:
            hour += 12
        return periods.clock(when, hour, minute)
