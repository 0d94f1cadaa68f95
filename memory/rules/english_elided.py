"""English statements without their subject: «Moved to Cork last week», «Allergic to nuts» are about the speaker."""

import re
from dataclasses import replace

from memory.rules.english_matching import first_match
from memory.rules.english_tables import ROWS, WITHOUT_BE
from memory.rules.rows import Finding, Subject

_OPENS = re.compile(
    r"(?:(?:just|finally|already|recently|also|still|now|currently|officially)\s+)*"
    r"(?:moved|relocated|started|quit|left|joined|switched|changed|stopped|gave\s+up|given\s+up|bought|adopted|got"
    r"|became|been|went|gone|signed|registered|enrol+ed|booked|reserved|graduated|retired|turned|deferred|postponed"
    r"|allergic|vegan|vegetarian|pescatarian|married|engaged|divorced|pregnant|born|based|training|studying|learning"
    r"|working|living|planning|moving|can['’]?t\s+(?:stand|bear|eat|drink)|never\s+(?:eat|drink|touch)|used\s+to"
    r"|hate|loathe|prefer|broke|sprained|fell|grew|tore)\b(?!\s+(?:me|you|it|that|this|them|him|her)\b)",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(r"[^.!?\n]*(?:\b(?:you|your)\b|\?)", re.IGNORECASE)
_GERUND_SUBJECT = re.compile(
    r"\w+ing\b[^.!?\n]*\b(?:is|was|has|have|are|were|can|will|helps?|makes?|made|gives?|keeps?|feels?|takes?|took)\b",
    re.IGNORECASE,
)
"""«Learning Greek is hard» says nothing of who learns it."""


def elided(said: str, span: tuple[int, int], speaker: Subject) -> list[Finding]:
    """What a clause that begins with its verb says of the speaker; nothing for one that is addressed to somebody."""
    start, end = span
    if not _OPENS.match(said, start, end) or _ADDRESSED.match(said, start) or _GERUND_SUBJECT.match(said, start):
        return []
    if start and not said[start - 1].isspace():
        return []
    padded = f" {said}"
    found = first_match(padded, (start, end + 1), speaker, ROWS) or first_match(
        padded, (start, end + 1), speaker, WITHOUT_BE
    )
    return [_moved_back(each) for each in found]


def _moved_back(finding: Finding) -> Finding:
    """Rows expect a gap before the verb; where a text begins with it, one is put there."""
    return replace(
        finding,
        place=_earlier(finding.place),
        clause=_earlier(finding.clause),
        denied=_earlier(finding.denied) if finding.denied else None,
    )


def _earlier(place: tuple[int, int]) -> tuple[int, int]:
    return place[0] - 1, place[1] - 1
