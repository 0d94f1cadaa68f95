"""How much of what is read is done, for a person at the terminal."""

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn


def byte_bar(*more: ProgressColumn) -> Progress:
    """A bar on stderr, with more columns behind it; nothing when nobody is looking."""
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, *more, console=screen, disable=not screen.is_terminal)
