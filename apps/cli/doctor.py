"""``brain doctor``: a few lines on what is configured, reachable and degraded, and what to do."""

import asyncio
from dataclasses import asdict, dataclass
from typing import Annotated

import typer

from apps.cli.entry_point import FAILED
from apps.cli.options import AsJson, command
from apps.cli.output import emit, say
from apps.cli.runner import load_settings
from apps.doctor.examine import DoctorRequest, examine, is_usable
from apps.doctor.findings import Finding
from brain.settings_cells import HOME
from memory.names import require_name


@dataclass(frozen=True, kw_only=True)
class DoctorOptions:
    """How deep to look, and how to print the report."""

    deep: Annotated[
        bool,
        typer.Option(
            "--deep",
            help="Also examine the fast model: its judgement, and what stays of 20 conversations. (about 100 calls)",
        ),
    ] = False
    repair: Annotated[
        bool,
        typer.Option("--repair", help="Also bring back the tenant's turns that a crash made their threads leave."),
    ] = False
    tenant: Annotated[str, typer.Option(help="The organisation whose tokens and turns are told.")] = "local"
    user: Annotated[str, typer.Option(help="The person whose memories are held against their turns.")] = "me"
    json: AsJson = False

    def __post_init__(self) -> None:
        """Refuse what cannot be a name."""
        require_name("tenant", self.tenant)
        require_name("user", self.user)


def register(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "doctor")
    def doctor(options: DoctorOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Tell what is configured, reachable and degraded, and what to do; exit code 1 when Brain cannot work."""
        asked = DoctorRequest(tenant=options.tenant, user=options.user, deep=options.deep, repair=options.repair)
        findings = asyncio.run(examine(load_settings(), asked))
        if options.json:
            emit({"usable": is_usable(findings), "findings": [asdict(finding) for finding in findings]})
        else:
            for finding in findings:
                say(_line(finding))
        if not is_usable(findings):
            raise typer.Exit(FAILED)


def _line(finding: Finding) -> str:
    advice = f" -> {finding.advice}" if finding.advice else ""
    where = "" if finding.cell == HOME else f"{finding.cell}: "
    return f"{finding.state:<8}  {finding.name:<10}  {where}{finding.what}{advice}"
