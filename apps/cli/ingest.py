"""``brain ingest``: recorded conversations into memory, with a progress bar."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from apps.cli.entry_point import FAILED
from apps.cli.options import AsJson, command, time_zones
from apps.cli.output import emit, printable, say
from apps.cli.runner import load_settings, run
from apps.ingestion.ingest import Destination, Ingestion, Tally
from brain.resources import Resources
from brain.settings import Settings


@dataclass(frozen=True, kw_only=True)
class IngestOptions:
    """What to read, and whose memory it becomes."""

    files: Annotated[list[Path], typer.Argument(help="Files with one conversation (JSON) per line.")]
    tenant: Annotated[str, typer.Option(help="The organisation whose data this is.")] = "local"
    user: Annotated[
        str, typer.Option(help="Whose memory it becomes; without it each conversation is a person of its own name.")
    ] = ""
    time_zone: Annotated[str, typer.Option(help="IANA zone of times without an offset.", autocompletion=time_zones)] = (
        ""
    )
    batch: Annotated[int, typer.Option(min=1, max=1000, help="Turns of a session that are written together.")] = 200
    json: AsJson = False


def register(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "ingest")
    def ingest(options: IngestOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Read recorded conversations into memory. Running it again adds only what is missing.

        Each line of a file is one conversation, a JSON object:

        \b
        conversation_id  its name, and the person's where --user is not given
        sessions         a list of
          session_id     the session's name, one of its kind in the conversation
          occurred_at    when it began (ISO 8601, such as 2026-03-02T09:30)
          turns          a list, in the order in which they were said, of
            turn_id        the turn's name, one of its kind in the session
            speaker        who said it; assistant, bot or ai for Brain's side
            text           the words
            image_caption  what a shared picture shows; may be missing

        Other fields are ignored. A line that does not fit is told by its number and left out; the others go in.
        A run that begins with five such lines, or a file that does, is taken for a mistake and ends there.

        Example, on one line:

        \b
        {"conversation_id": "ann", "sessions": [{"session_id": "monday",
        "occurred_at": "2026-03-02T09:30", "turns": [{"turn_id": "1",
        "speaker": "Ann", "text": "I live in Ghent."}]}]}
        """
        settings, started = load_settings(), perf_counter()
        ingestion = run(lambda resources: _ingest(resources, options), settings)
        _report(ingestion.tally, perf_counter() - started, options)
        if ingestion.tally.refused:
            raise typer.Exit(FAILED)


async def _ingest(resources: Resources, options: IngestOptions) -> Ingestion:
    ingestion = Ingestion(resources, _destination(options, resources.settings))
    with _bars(options.files, ingestion.tally) as bar_of:
        for file in options.files:
            await ingestion.read(file, bar_of(file))
    return ingestion


def _destination(options: IngestOptions, settings: Settings) -> Destination:
    zone = options.time_zone or settings.time_zone
    return Destination(tenant=options.tenant, user=options.user or None, time_zone=zone, batch=options.batch)


@contextmanager
def _bars(files: list[Path], tally: Tally) -> Generator[Callable[[Path], Callable[[int], None]]]:
    """A bar per file on stderr, by bytes read; nothing when nobody is looking."""
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    pace = TextColumn("{task.fields[turns]} turns, {task.fields[pace]:.0f}/s")
    with Progress(*columns, pace, console=screen, disable=not screen.is_terminal) as progress:

        def bar_of(file: Path) -> Callable[[int], None]:
            size, before, started = _size(file), tally.turns, perf_counter()
            task = progress.add_task(printable(file.name), total=size, turns=0, pace=0.0)

            def advance_bar(size: int) -> None:
                turns = tally.turns - before
                pace = turns / max(perf_counter() - started, 1e-6)
                progress.update(task, advance=size, turns=turns, pace=pace)

            return advance_bar

        yield bar_of


def _size(file: Path) -> int | None:
    return file.stat().st_size if file.is_file() else None


def _report(tally: Tally, seconds: float, options: IngestOptions) -> None:
    for refusal in tally.refused:
        print(printable(str(refusal)), file=sys.stderr)
    pace = round(tally.turns / max(seconds, 1e-6), 1)
    if options.json:
        emit(asdict(tally) | {"turns": tally.turns, "seconds": round(seconds, 3), "turns_per_second": pace})
        return
    say(
        f"{_count_phrase(tally.added, 'turn')} added, {tally.known} known before, {tally.blank} blank,"
        f" {_count_phrase(len(tally.refused), 'line')} refused; {_count_phrase(tally.conversations, 'conversation')},"
        f" {_count_phrase(tally.sessions, 'session')} in {seconds:.1f} s ({pace:.0f} turns/s)."
    )
    if tally.refused:
        say("'brain ingest --help' shows what a line looks like.")


def _count_phrase(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
