"""A skill as an MCP server over stdio: counts and adds days, weeks, months and working days.

Run Brain with it, from this folder's parent: see ``docs/skills.md``. By itself: ``python plan_dates.py``.
"""

from calendar import monthrange
from datetime import date, timedelta
from typing import Annotated, Literal

from mcp.server.mcpserver import MCPServer
from pydantic import Field

Unit = Literal["days", "working_days", "weeks", "months", "years"]
Day = Annotated[str, Field(description="A date as YYYY-MM-DD.")]
SATURDAY = 5
MAX_AMOUNT = 100_000

server = MCPServer("plan_dates", version="1")


@server.tool(description="Count the days, working days (Monday to Friday) and weeks between two dates.")
def count_between(start: Day, end: Day) -> str:
    """What lies between two dates, the first one not counted."""
    first, last = date.fromisoformat(start), date.fromisoformat(end)
    days = (last - first).days
    return f"{days} days, {working_days(first, last)} working days, {days / 7:.1f} weeks; {end} is a {last:%A}."


@server.tool(description="Add an amount of days, working days, weeks, months or years to a date; negative goes back.")
def add_to(start: Day, amount: Annotated[int, Field(ge=-MAX_AMOUNT, le=MAX_AMOUNT)], unit: Unit) -> str:
    """The date that comes of it, with its weekday."""
    found = add(date.fromisoformat(start), amount, unit)
    return f"{found.isoformat()}, a {found:%A}."


def working_days(first: date, last: date) -> int:
    """Days from Monday to Friday after the first date up to the last; negative where the last is earlier."""
    if last < first:
        return -working_days(last, first)
    weeks, rest = divmod((last - first).days, 7)
    return weeks * 5 + sum((first + timedelta(n)).weekday() < SATURDAY for n in range(1, rest + 1))


def add(start: date, amount: int, unit: Unit) -> date:
    """The date so far away."""
    match unit:
        case "days":
            return start + timedelta(days=amount)
        case "weeks":
            return start + timedelta(weeks=amount)
        case "working_days":
            return add_working_days(start, amount)
        case "months":
            return add_months(start, amount)
        case "years":
            return add_months(start, 12 * amount)


def add_months(start: date, months: int) -> date:
    """The same day of another month, or its last day where it is shorter."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def add_working_days(start: date, amount: int) -> date:
    """Whole weeks at once, then day by day; a weekend counts as the working day on its far side."""
    step = 1 if amount >= 0 else -1
    found = start
    while amount and found.weekday() >= SATURDAY:
        found -= timedelta(days=step)
    found += step * timedelta(weeks=abs(amount) // 5)
    left = abs(amount) % 5
    while left:
        found += timedelta(days=step)
        left -= found.weekday() < SATURDAY
    return found


if __name__ == "__main__":
    server.run("stdio")
