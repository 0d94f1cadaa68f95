"""``brain past``: what was said to other assistants, brought along, listed and taken back."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from rich.progress import TextColumn

from apps.cli.byte_bar import byte_bar
from apps.cli.options import AsJson, OwnerOptions, command, time_zones
from apps.cli.output import emit, say, show_table
from apps.cli.owner import owner_from
from apps.cli.runner import load_settings, run
from apps.past.import_past import PastImporter, Tally, remove_past
from apps.past.import_past import Progress as OnProgress
from brain.resources import Resources
from memory.names import parse_id
from memory.past_imports import PastImport
from memory.zones import require_zone

past = typer.Typer(no_args_is_help=True, help="Bring along what was said to other assistants, and take it back.")


@dataclass(frozen=True, kw_only=True)
class PastOptions(OwnerOptions):
    """Whose past."""

    json: AsJson = False


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
    removed = run(lambda resources: remove_past(resources, owner_from(options, resources.settings.dm_scope), import_id))
    if options.json:
        emit({"id": str(import_id), "removed": removed})
    else:
        say(f"Taken back: {removed} messages.")


async def _import(resources: Resources, options: ImportOptions) -> Tally:
    zone = require_zone(options.time_zone or resources.settings.time_zone)
    with _bar(options.file.name) as on_progress:
        importer = PastImporter(resources, owner_from(options, resources.settings.dm_scope), zone, on_progress)
        return await importer.run(options.file)


async def _list(resources: Resources, options: PastOptions) -> list[PastImport]:
    return list(await resources.memory.past_imports.list_newest(owner_from(options, resources.settings.dm_scope).scope))


@contextmanager
def _bar(name: str) -> Generator[OnProgress]:
    """By bytes read, with the number of messages."""
    count = TextColumn("{task.fields[messages]} messages")
    with byte_bar(count) as progress:
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
