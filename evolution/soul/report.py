"""What the checks of a proposal found, as plain JSON."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypedDict, cast

Verdict = Literal["clean", "ask", "refused"]
"""``ask``: a person has to look at what was found, whatever the policy says."""
CheckName = Literal["well_formed", "size", "proportion", "anchors", "people", "steering", "conduct", "change", "judge"]


class Finding(TypedDict):
    """One thing that was found: ``code`` names it in every language. ``place`` is a section, or empty."""

    code: str
    place: str


class SoulCheck(TypedDict):
    """One check. ``refused`` and ``ask`` are what it found; nothing in either means that it passed."""

    name: CheckName
    refused: list[Finding]
    ask: list[Finding]


class SoulReport(TypedDict):
    """All checks of a proposal, and what they come to. ``changed`` is the share of it that is new or gone."""

    verdict: Verdict
    checks: list[SoulCheck]
    changed: float
    cases: list[str]
    """Conversations of the regression set that would go otherwise."""


def make_check(name: CheckName, refused: Iterable[Finding] = (), ask: Iterable[Finding] = ()) -> SoulCheck:
    """A check with everything found once."""
    return SoulCheck(name=name, refused=_unique(refused), ask=_unique(ask))


def found(code: str, place: str = "") -> Finding:
    """One thing that was found."""
    return Finding(code=code, place=place)


def verdict_of(checks: Iterable[SoulCheck]) -> Verdict:
    """The worst that any check found."""
    all_checks = list(checks)
    if any(check["refused"] for check in all_checks):
        return "refused"
    return "ask" if any(check["ask"] for check in all_checks) else "clean"


def report_of(evaluation: Mapping[str, Any] | None) -> SoulReport | None:
    """The report that stands with a version, None where it was not evaluated."""
    return cast("SoulReport | None", evaluation)


def codes_of(report: SoulReport) -> frozenset[str]:
    """The names of all that was found."""
    return frozenset(each["code"] for check in report["checks"] for each in (*check["refused"], *check["ask"]))


def _unique(findings: Iterable[Finding]) -> list[Finding]:
    return [found(code, place) for code, place in dict.fromkeys((each["code"], each["place"]) for each in findings)]
