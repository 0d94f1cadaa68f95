"""What changes between two texts of SOUL, line by line."""

from difflib import unified_diff


def soul_diff(before: str, after: str) -> str:
    """Lines that go begin with ``-``, lines that come with ``+``; empty where nothing changes."""
    lines = unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1)
    return "\n".join(list(lines)[2:])
