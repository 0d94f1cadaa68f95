"""``brain past``: what was said to other assistants, brought along, listed and taken back."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from apps.cli.options import AsJson, TenantOptions, command, time_zones
from apps.cli.output import emit, say, show_table
from apps.cli.runner import load_settings, run
from apps.past.import_past import PastImporter, Tally, remove_past
from apps.past.import_past import Progress as OnProgress
from brain.identity import Identity
from brain.resources import Resources
from brain.settings import Settings
from memory.names import parse_id, require_name
from memory.past_imports import PastImport
from memory.scope import Speaker, scope_of
from memory.zones import require_zone

past = typer.Typer(no_args_is_help=True, help="Bring along what was said to other assistants, and take it back.")


@dataclass(frozen=True, kw_only=True)
class PastOptions(TenantOptions):
    """Whose past."""

    user: Annotated[str, typer.Option(help="The person, by any stable name.")] = "me"
    json: AsJson = False

    def __post_init__(self) -> None:
        """Refuse what cannot be a name."""
        super().__post_init__()
        require_name("user", self.user)


@dataclass(frozen=True, kw_only=True)
class ImportOptions(PastOptions):
    """What to read."""

    file: Annotated[Path, typer.Argument(help="The export: a zip archive, a folder, or a file of it.")]
    time_zone: Annotated[str, typer.Option(help="The person's IANA zone.", autocompletion=time_zones)] = ""


@dataclass(frozen=True, kw_only=True)
class RemoveOptions(PastOptions):
    """Which import."""

    id: Annotated[str, typer.Argument(help="The import's id, as 'brain past list' shows it.")]


@command(past, "import")
def import_(options: ImportOptions) -> None:
    """Read the export of another assistant. Again goes on where it stopped; the same file adds nothing.

    Known by its shape: ChatGPT, Claude, Gemini (Takeout, JSON), mem0, LangGraph's store, Zep, Letta (.af) and the Open
    Knowledge Format. What was said there is evidence of its own date: Brain quotes it and learns nothing from it.
    """
    settings, started = load_settings(), perf_counter()
    tally = run(lambda resources: _import(resources, options), settings)
    _report(tally, perf_counter() - started, options)


@command(past, "list")
def list_(options: PastOptions) -> None:
    """What was brought along, the newest first."""
    found = run(lambda resources: _list(resources, options))
    if options.json:
        emit(found)
    elif found:
        rows = [
            (each.import_id, each.format, _count_of(each), each.state, f"{each.started_at:%Y-%m-%d}", each.file_name)
            for each in found
        ]
        show_table(("id", "format", "messages", "state", "when", "file"), rows)
    else:
        say("Nothing was brought along yet.")


@command(past, "remove")
def remove(options: RemoveOptions) -> None:
    """Take an import back: its messages, and what was made of them. Again goes on where it was cut off."""
    import_id = parse_id(options.id)
    removed = run(lambda resources: remove_past(resources, _owner(options, resources.settings), import_id))
    if options.json:
        emit({"id": str(import_id), "removed": removed})
    else:
        say(f"Taken back: {removed} messages.")


async def _import(resources: Resources, options: ImportOptions) -> Tally:
    zone = require_zone(options.time_zone or resources.settings.time_zone)
    with _bar(options.file.name) as on_progress:
        importer = PastImporter(resources, _owner(options, resources.settings), zone, on_progress)
        return await importer.run(options.file)


async def _list(resources: Resources, options: PastOptions) -> list[PastImport]:
    return list(await resources.memory.past_imports.list_newest(_owner(options, resources.settings).scope))


def _owner(options: PastOptions, settings: Settings) -> Identity:
    scope = scope_of(Speaker(tenant=options.tenant, user=options.user), settings.dm_scope)
    return Identity(scope=scope, tenant=options.tenant, user=options.user)


@contextmanager
def _bar(name: str) -> Generator[OnProgress]:
    """A bar on stderr, by bytes read; nothing when nobody is looking."""
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    count = TextColumn("{task.fields[messages]} messages")
    with Progress(*columns, count, console=screen, disable=not screen.is_terminal) as progress:
        task = progress.add_task("".join(each if each.isprintable() else " " for each in name), total=None, messages=0)

        def on_progress(done: int, total: int, messages: int) -> None:
            progress.update(task, completed=done, total=total, messages=messages)

        yield on_progress


def _report(tally: Tally, seconds: float, options: ImportOptions) -> None:
    if options.json:
        emit(
            {"id": tally.import_id, "format": tally.format, "added": tally.added, "left_out": dict(tally.left_out)}
            | tally.counts
            | {"seconds": round(seconds, 3)}
        )
        return
    say(
        f"{tally.format}: {tally.added} messages added, {tally.known} known before, in {seconds:.1f} s;"
        f" {tally.conversations} conversations, {tally.memories} saved memories."
    )
    if tally.left_out:
        reasons = ", ".join(f"{number} {reason.replace('_', ' ')}" for reason, number in sorted(tally.left_out.items()))
        say(f"Left out: {reasons}.")
    if tally.import_id:
        say(f"'brain past remove {tally.import_id}' takes it back.")


def _count_of(found: PastImport) -> object:
    return found.counts.get("messages", "")
