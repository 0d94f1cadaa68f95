"""``brain report``: how well memory does for a tenant, as a table, as JSON or as a page; and a gate for releases."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from apps.cli.options import AsJson, TenantOptions, command
from apps.cli.output import emit, say, show_table
from apps.cli.runner import load_settings, run
from apps.memory_api.levels import LevelFigure, LevelsView, report_release, view_report
from brain.levels.figures import Unit
from brain.levels.report import LevelReporter
from brain.resources import Resources
from language.detection import DEFAULT, Language
from language.tables import languages
from memory.errors import BrainError, bad_request
from memory.scope import Speaker, scope_of

FAILED = 1
"""The exit code of the gate."""


@dataclass(frozen=True, kw_only=True)
class ReportOptions(TenantOptions):
    """What is reported, and where to."""

    json: AsJson = False
    html: Annotated[Path | None, typer.Option(help="Write a page with plots into this file.")] = None
    language: Annotated[str, typer.Option(help="The language of the page: en or zh.")] = DEFAULT
    release: Annotated[
        str, typer.Option(help="Keep the verdicts under the name of a release; three of OBSERVE in a row are a FAIL.")
    ] = ""
    gate: Annotated[bool, typer.Option("--gate", help="Exit code 1 when a figure fails.")] = False

    def __post_init__(self) -> None:
        """Refuse what cannot be reported, before anything is measured."""
        super().__post_init__()
        if self.language not in languages():
            raise bad_request(f"There is no language {self.language[:20]!r}.", "Choose en or zh.")
        if self.release:
            report_release.read({"release": self.release})


def register(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "report")
    def report(options: ReportOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Measure a tenant's service levels: PASS, FAIL or OBSERVE for each figure."""
        found = run(lambda resources: _measure(options, resources), load_settings())
        if options.html:
            _write_page(options.html, found, options)
        if options.json:
            emit(found.model_dump(mode="json"))
        elif not options.html:
            _show(found)
        if options.gate and found.state == "FAIL":
            raise typer.Exit(FAILED)


async def _measure(options: ReportOptions, resources: Resources) -> LevelsView:
    reporter = LevelReporter(resources.memory.levels, resources.settings.level_thresholds)
    tenant_id, at = scope_of(Speaker(tenant=options.tenant, user="me")).tenant_id, resources.clock()
    if options.release:
        return view_report(await reporter.measure_release(tenant_id, at, options.release))
    return view_report(await reporter.measure(tenant_id, at))


def _write_page(file: Path, found: LevelsView, options: ReportOptions) -> None:
    from apps.panel.levels import render_report  # templates take long to read, which the table need not wait for

    language: Language = options.language  # type: ignore[assignment]
    try:
        file.write_text(render_report(found, options.tenant, language), "utf-8")
    except OSError as error:
        raise BrainError(
            "E_BAD_REQUEST", f"{file} cannot be written: {error.strerror}.", "Name another file."
        ) from None
    if not options.json:
        say(f"{found.state}: {file}")


def _show(found: LevelsView) -> None:
    show_table(("", "figure", "state", "value", "pass / fail at", "cases"), (_row(each) for each in found.figures))
    few = [each for each in found.figures if each.too_few]
    if few:
        say(f"Too few cases to judge: {', '.join(each.name for each in few)}.")
    for each in found.figures:
        if each.state != each.measured:
            say(f"! {each.name} could not be judged in {each.observed} releases in a row, which is a FAIL.")
    say(f"{found.state}{f' for {found.release}' if found.release else ''}.")


def _row(each: LevelFigure) -> tuple[str, ...]:
    bounds = f"{_tell(each.pass_at, each.unit)} / {_tell(each.fail_at, each.unit)}"
    return str(each.number or ""), each.name, each.state, _tell(each.value, each.unit), bounds, f"{each.samples:,}"


def _tell(value: float | None, unit: Unit) -> str:
    if value is None:
        return "-"
    match unit:
        case "ms":
            return f"{value:.4g} ms"
        case "per_minute":
            return f"{value:.4g}/min"
        case "share" | "of_limit":
            return f"{value * 100:.4g}%"
