"""``brain soul``: how Brain is in an organisation, proposals, decisions, and what came before."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.options import AsJson, PersonOptions, command, scope_from
from apps.cli.output import emit, say, show_table
from apps.cli.runner import load_settings, run
from apps.memory_api import soul as table
from apps.memory_api.endpoint import AnyEndpoint, ApiCall
from brain.identity import Identity
from brain.resources import Resources
from evolution.soul.report import codes_of, report_of
from language.tables import texts
from memory.errors import bad_request

soul = typer.Typer(no_args_is_help=True, help="How Brain is here: its SOUL, proposals, decisions and versions.")
MAX_FILE_BYTES = 100_000


@dataclass(frozen=True, kw_only=True)
class FileOptions(PersonOptions):
    """Where the document is."""

    file: Annotated[Path, typer.Argument(help="A Markdown file with the six sections.")]
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class ProposeOptions(FileOptions):
    """What a change is for, and what speaks for it."""

    intent: Annotated[str, typer.Option(help="What the change is for.")]
    evidence: Annotated[str, typer.Option(help="What was seen that speaks for it.")]
    key: Annotated[str, typer.Option(help="Idempotency key: the same key never writes twice.")] = ""


@command(soul, "propose")
def propose(options: ProposeOptions) -> None:
    """Propose the text of a file; somebody else has to approve it."""
    values = {"text": _read(options.file), "intent": options.intent, "evidence": options.evidence}
    _show_answer(table.propose_soul, options, values, options.key)


@command(soul, "import")
def import_file(options: FileOptions) -> None:
    """Put the organisation's own first document in force, once, before anything was changed."""
    _show_answer(table.import_soul, options, {"text": _read(options.file)})


def _show_answer(endpoint: AnyEndpoint, options: FileOptions, values: dict[str, str], key: str = "") -> None:
    async def ask(resources: Resources) -> table.SoulView:
        scope = scope_from(options, resources.settings.dm_scope)
        call = ApiCall(
            identity=Identity(scope=scope, tenant=options.tenant, user=options.user),
            resources=resources,
            trace_id=f"cli:{resources.new_id()}",
            idempotency_key=key,
            door="cli",
        )
        return (await endpoint(endpoint.read(values), call)).data

    found = run(ask, load_settings())
    if options.json:
        emit(found.model_dump(mode="json"))
    else:
        _show_version(found)


def _read(file: Path) -> str:
    try:
        if file.stat().st_size > MAX_FILE_BYTES:
            raise bad_request(f"{file} is too large for a SOUL.")
        return file.read_text("utf-8").replace("\r\n", "\n")
    except OSError as error:
        raise bad_request(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise bad_request(f"{file} is not UTF-8 text.") from None


def _show_status(found: table.SoulStatusView) -> None:
    paused = f", changes are paused since {found.paused_at:%Y-%m-%d %H:%M}" if found.paused_at else ""
    waiting = ", ".join(map(str, found.pending)) or "none"
    say(f"Version {found.version} is active{paused}. Proposals that wait: {waiting}. Approval: {found.approval}.")
    say(f"{found.corrected} of {found.replies} replies under it were corrected.\n")
    say(found.text)


def _show_list(found: table.SoulList) -> None:
    rows = [
        (
            each.version,
            each.status,
            each.reason or each.origin,
            each.verdict,
            f"{each.created_at:%Y-%m-%d %H:%M}",
            each.proposed_by or "",
            each.decided_by or "",
        )
        for each in found.versions
    ]
    if rows:
        show_table(("version", "status", "why", "verdict", "made", "proposed by", "decided by"), rows)
    else:
        say("SOUL is as Brain brought it; nobody has changed anything.")


def _show_version(found: table.SoulView) -> None:
    say(f"Version {found.version} is {found.status}{f' ({found.reason})' if found.reason else ''}.")
    if found.intent:
        say(f"For: {found.intent}")
    if found.evidence:
        say(f"Because: {found.evidence}")
    if report := report_of(found.evaluation):
        words = texts("soul.found", "en")
        told = "; ".join(words[code] for code in sorted(codes_of(report)))
        say(f"Evaluation: {report['verdict']}{f': {told}' if told else ''}.")
    say(f"\n{found.diff or found.text}")
    if found.status == "proposed":
        say(f"\nSomebody else decides: brain soul approve {found.version} --user NAME (or veto).")


def _show_diff(found: table.SoulDiff) -> None:
    say(found.diff or "Nothing is different.")


add_endpoint(soul, table.get_soul, _show_status)
add_endpoint(soul, table.list_soul_versions, _show_list)
add_endpoint(soul, table.get_soul_version, _show_version)
add_endpoint(soul, table.compare_soul_versions, _show_diff)
add_endpoint(
    soul, table.decide_soul, _show_version, "approve", "Put a proposal of somebody else in force.", decision="approve"
)
add_endpoint(soul, table.decide_soul, _show_version, "veto", "Refuse a proposal, or end a version.", decision="veto")
add_endpoint(soul, table.roll_soul_back, _show_version)
add_endpoint(soul, table.pause_soul, _show_status)
add_endpoint(soul, table.resume_soul, _show_status)
