"""What a check found."""

from dataclasses import dataclass
from typing import Literal

from brain.settings_cells import HOME

Health = Literal["ok", "degraded", "broken"]


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One line of the doctor's report. ``advice`` says what to do when not all is well; ``cell``: in which database."""

    name: str
    state: Health = "ok"
    what: str
    advice: str = ""
    cell: str = HOME


def ok_finding(name: str, what: str) -> Finding:
    """All is well."""
    return Finding(name=name, what=what)


def degraded_finding(name: str, what: str, advice: str) -> Finding:
    """It works, with less than everything."""
    return Finding(name=name, state="degraded", what=what, advice=advice)


def broken_finding(name: str, what: str, advice: str) -> Finding:
    """Nothing works until somebody acts."""
    return Finding(name=name, state="broken", what=what, advice=advice)
