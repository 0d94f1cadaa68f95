"""The report as a page of one file, as JSON and as lines for a terminal. Wrong acts come first in each."""

from collections.abc import Iterator
from html import escape
from typing import Any

from evals.memory_ci.report import Figure, PartReport, Report

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222; }
h1, h2 { line-height: 1.2; } table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
td, th { text-align: left; padding: .2rem .6rem; border-bottom: 1px solid #ddd; vertical-align: top; }
.PASS { color: #16703a; } .FAIL, .beyond { color: #b3261e; font-weight: 600; }
.NOT { color: #8a5a00; font-weight: 600; }
@media (prefers-color-scheme: dark) { body { background: #161616; color: #ddd; } td, th { border-color: #444; }
.PASS { color: #6fcf97; } .FAIL, .beyond { color: #ff8a80; } .NOT { color: #ffca7a; } }
"""


def as_json(report: Report) -> dict[str, Any]:
    """Everything, for programs."""
    return {
        "passed": report.is_passed,
        "wrong_acts": report.wrong_acts,
        "began_at": report.began_at,
        "quick": report.is_quick,
        "configuration": report.configuration,
        "parts": [_part_fields(each) for each in report.in_order],
    }


def _part_fields(part: PartReport) -> dict[str, Any]:
    findings = part.findings
    return {
        "name": part.name,
        "title": part.title,
        "verdict": part.verdict,
        "reason": part.reason,
        "wrong_acts": part.wrong_acts,
        "seconds": part.seconds,
        "figures": [_figure_fields(each) for each in findings.figures] if findings else [],
        "faults": findings.all_faults if findings else [],
        "notes": list(findings.notes) if findings else [],
    }


def _figure_fields(figure: Figure) -> dict[str, Any]:
    return {
        "name": figure.name,
        "part": figure.part,
        "whole": figure.whole,
        "allowed": figure.limit,
        "held": figure.is_held,
        "wrong_act": figure.is_wrong,
    }


def as_lines(report: Report) -> Iterator[str]:
    """For a terminal: a line for each part, the reasons of those that did not pass below it."""
    for part in report.in_order:
        acts = f", {part.wrong_acts} wrong acts" if part.wrong_acts else ""
        yield f"{part.verdict:8} {part.title}{acts} ({part.seconds:.0f} s)"
        yield from (f"         {each}" for each in _reasons(part))
    verdict = "passed" if report.is_passed else "NOT passed"
    yield f"{verdict}: {report.wrong_acts} wrong acts, {sum(each.seconds for each in report.parts):.0f} s"


def _reasons(part: PartReport) -> list[str]:
    if part.findings is None:
        return [f"could not run: {part.reason}"]
    return [*part.findings.all_faults, *part.findings.notes]


def as_html(report: Report) -> str:
    """One self-contained page: no script, nothing that is loaded."""
    body = "\n".join(_body(report))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Memory CI</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _body(report: Report) -> Iterator[str]:
    verdict, kind = ("Passed", "PASS") if report.is_passed else ("Not passed", "FAIL")
    quick = ", a quick look at a few cases of each part" if report.is_quick else ""
    yield f'<h1>Memory CI: <span class="{kind}">{verdict}</span></h1>'
    yield f"<p>{report.wrong_acts} wrong acts. Begun {escape(report.began_at)}{quick}.</p>"
    yield "<table><tr><th>part</th><th>verdict</th><th>wrong acts</th><th>seconds</th></tr>"
    for part in report.in_order:
        cells = (f'<a href="#{escape(part.name)}">{escape(part.title)}</a>', _verdict(part), part.wrong_acts)
        yield _row(*map(str, cells), f"{part.seconds:.0f}")
    yield "</table>"
    for part in report.in_order:
        yield from _section(part)
    yield "<h2>What was measured</h2><table>"
    yield from (_row(escape(name), escape(value)) for name, value in report.configuration.items())
    yield "</table>"


def _verdict(part: PartReport) -> str:
    return f'<span class="{part.verdict.partition(" ")[0]}">{part.verdict}</span>'


def _row(*cells: str) -> str:
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _section(part: PartReport) -> Iterator[str]:
    yield f'<h2 id="{escape(part.name)}">{escape(part.title)}: {_verdict(part)}</h2>'
    yield from (f"<p>{escape(each)}</p>" for each in _reasons(part))
    figures = part.findings.figures if part.findings else ()
    if figures:
        yield "<table><tr><th>figure</th><th>counted</th><th>allowed</th></tr>"
        for each in sorted(figures, key=lambda figure: (figure.is_held, not figure.is_wrong)):
            told = escape(each.told)
            shown = told if each.is_held else f'<span class="beyond">{told}</span>'
            yield _row(escape(each.name), shown, escape(each.limit))
        yield "</table>"
