"""Which rows of the English tables a clause matches, and what they find there."""

import re
from collections.abc import Iterator
from dataclasses import replace

from memory.rules.english_openings import ENDED
from memory.rules.objects import contrast, english_object, exception, favoured, items, shown, trimmed
from memory.rules.rows import Finding, Row, Subject

_GO_ON = frozenset({"works_at", "job", "studies", "has_family", "has_pet", "birthday", "birthplace"})


def _agrees(subject: Subject, words: str) -> bool:
    """«Sounds like fun» is nobody's taste: one person likes, only several like."""
    return (
        subject.relation.endswith(("s", "children")) or bool(_AUXILIARY.search(words)) or not _PLURAL_VERB.search(words)
    )


_PLURAL_VERB = re.compile(
    r"\s(?:like|love|enjoy|adore|prefer|hate|dislike|live|work|eat|drink|own|drive|study|speak|want|plan|intend|come)\s",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(r"\b(?:does|do|did|doesn|don|can|cannot|will|never|used|to)\b", re.IGNORECASE)


def first_match(said: str, span: tuple[int, int], subject: Subject, rows: tuple[Row, ...]) -> list[Finding]:
    """What the first row that fits says, and what the rows that may stand beside it add."""
    findings: list[Finding] = []
    for row in rows:
        if findings and row.predicate not in _GO_ON:
            continue
        found = row.pattern.match(said, *span)
        if found and (subject.is_speaker or _agrees(subject, found[0])):
            findings += findings_of(said, found, (row, subject), span)
    return findings


def findings_of(said: str, found: re.Match[str], what: tuple[Row, Subject], span: tuple[int, int]) -> Iterator[Finding]:
    """What one matched row says, item by item."""
    row, subject = what
    groups = found.groupdict()
    negated = bool(groups.get("not"))
    if not row.allows(negated=negated):
        return
    place, other = exception(said, found.span("object"))
    place, old = contrast(said, place)
    if not old and not other:
        old = contrast(said, (found.start("object"), span[1]))[1] or _group(found, "old")
    if not row.keeps_time and "prefer" in found[0][: found.start("object") - found.start()]:
        place = favoured(said, place)
    if not row.exact:
        place = english_object(said, place, keeps_time=row.keeps_time)
    finding = Finding(
        row=row,
        subject=subject,
        place=place,
        clause=span,
        negated=negated != row.inverted,
        ended=bool(ENDED.search(said, *span)) and negated != row.inverted,
        verb=(groups.get("verb") or "").lower(),
        about=(groups.get("about") or "").strip().lower(),
        denied=old and trimmed(said, old, keeps_time=True),
    )
    for part in items(said, place, chinese=False) if row.lists else [place]:
        if row.fits(shown(said, part)):
            yield replace(finding, place=part)
    if other and row.lists and row.fits(shown(said, other)):
        yield replace(finding, place=other, negated=not finding.negated)


def _group(found: re.Match[str], name: str) -> tuple[int, int] | None:
    return found.span(name) if found.groupdict().get(name) else None
