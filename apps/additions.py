"""What another package adds to Brain, by an entry point."""

from importlib.metadata import entry_points
from typing import Any

from memory.errors import bad_request


def load_addition(group: str, name: str) -> Any:
    """The object behind this entry point. Raises ``E_BAD_REQUEST`` where no package that has it is installed."""
    for entry in entry_points(group=group, name=name):
        return entry.load()
    raise bad_request(
        "The measurements of Brain are not part of the installed package.",
        "In a copy of the source 'pip install -e evals' adds them.",
    )
