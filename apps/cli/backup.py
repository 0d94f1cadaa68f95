"""``brain backup`` and ``brain restore``: a whole copy of the database, and the way back."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import structlog
import typer

from apps.backups.backups import Backups, Restored
from apps.backups.manifest import Backup, drop_oldest, find_backup
from apps.backups.restore_rows import Destroyed
from apps.cells.cells import owner_urls
from apps.cells.locks import all_in_place
from apps.cells.standing import open_cell
from apps.cli.options import AsJson, command
from apps.cli.output import emit, say
from apps.cli.runner import load_settings
from apps.cli.step_spinner import StepSpinner
from brain.cells import answers_of, ask_each, require_answers, settings_by_cell
from brain.local_postgres.server import EmbeddedPostgres
from brain.local_postgres.startup import resolve_addresses
from brain.person_keys import open_person_keys
from brain.settings import Settings
from brain.settings_cells import HOME
from memory.errors import BrainError, bad_request
from memory.postgres.grants import PRIVILEGES
from memory.postgres.migrate import MigrationResult

log = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True)
class BackupOptions:
    """Where to, and whether with what can be derived again."""

    folder: Annotated[Path, typer.Argument(help="The folder in which a new backup is made.")]
    index: Annotated[bool, typer.Option(help="Also keep the index and its vectors, which can be derived again.")] = True
    every: Annotated[
        float, typer.Option(min=0, help="Go on until SIGTERM or Ctrl-C, a backup every so many minutes; 0: just one.")
    ] = 0
    replica: Annotated[
        bool, typer.Option("--replica", help="Read from the copy in BRAIN_REPLICA_DATABASE_URL, as far as it has come.")
    ] = False
    keep: Annotated[int, typer.Option(min=0, help="Remove all but so many of the newest backups; 0: none.")] = 0
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class RestoreOptions:
    """Where from."""

    folder: Annotated[Path, typer.Argument(help="A backup, or the folder with backups, of which the newest is taken.")]
    json: AsJson = False


def register(app: typer.Typer) -> None:
    """Add the commands."""

    @command(app, "backup")
    def backup(options: BackupOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Copy the whole database into a new folder, while Brain goes on; a folder in .partial is no backup."""
        settings = load_settings()
        begun = time.monotonic()
        _save(settings, options)
        while options.every:
            time.sleep(max(0.0, begun + options.every * 60 - time.monotonic()))
            begun = time.monotonic()
            try:
                _save(settings, options)
            except BrainError as error:
                if not error.is_retryable:
                    raise
                log.warning("backup_failed", code=error.code, why=error.message)

    @command(app, "restore")
    def restore(options: RestoreOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Put a backup into an empty database, all of it or nothing."""
        found = find_backup(options.folder)
        done = asyncio.run(_restore(load_settings(), found))
        manifest = found.manifest
        lost = done.destroyed
        rows = sum(manifest.rows.values()) - lost.rows + lost.emptied - lost.removed
        if options.json:
            told = {"folder": str(found.folder), "rows": rows, "left_out": manifest.left_out}
            emit({**told, "destroyed": asdict(lost)})
            return
        say(f"{rows:,} rows of {manifest.made_at:%Y-%m-%d %H:%M} UTC are back.")
        for each in (*_tell_destroyed(lost), *_sum_up(done.migration)):
            say(f"  {each}")
        if manifest.left_out:
            say(
                "The index was left out: until 'brain rebuild --all-users' (with --tenant for others) nothing is found."
            )


def _save(settings: Settings, options: BackupOptions) -> None:
    """Every database, home in the folder itself and each other in one of its name inside."""
    if options.replica and settings.cell_urls:
        raise bad_request("A copy is of one database, not of cells.", "Leave --replica out.")
    asked = asyncio.run(_save_all(settings, options))
    for cell, made in answers_of(asked).items():
        gone = drop_oldest(made.folder.parent, options.keep) if options.keep else []
        rows = sum(made.manifest.rows.values())
        if options.json:
            told = {"folder": str(made.folder), "cell": cell, "rows": rows, "left_out": made.manifest.left_out}
            emit({**told, "removed": [str(each) for each in gone]})
        else:
            say(f"{rows:,} rows in {made.folder}." + (f" {len(gone)} older ones removed." if gone else ""))
    require_answers(asked)


async def _save_all(settings: Settings, options: BackupOptions) -> dict[str, Backup | BrainError]:
    """No tenant changes its cell meanwhile, so that it is in one of the backups whole."""
    cells = settings_by_cell(settings)

    async def save(cell: str) -> Backup:
        folder = options.folder if cell == HOME else options.folder / cell
        async with _open_backups(cells[cell], cell, of_replica=options.replica) as backups:
            return await backups.save(folder, index=options.index)

    async with AsyncExitStack() as stack:
        if len(cells) > 1:
            home = await stack.enter_async_context(open_cell(HOME, (await owner_urls(settings))[HOME]))
            await stack.enter_async_context(all_in_place(home))
        return await ask_each({name: name for name in cells}, save, one_by_one=True)


def _tell_destroyed(lost: Destroyed) -> Iterator[str]:
    """What stayed away because keys were destroyed, and what that did to the others."""
    if not lost.people:
        return
    yield f"left out {lost.rows:,} rows of {lost.people:,} people whose keys were destroyed"
    if lost.removed or lost.cut:
        yield f"removed {lost.removed:,} rows of others that refer to them, and {lost.cut:,} references"
    if lost.emptied:
        yield f"kept {lost.emptied:,} conversations of groups for what the others said in them"


def _sum_up(done: MigrationResult) -> Iterator[str]:
    """What had to be done beside: hundreds of privileges as one."""
    granted = sum(each.startswith(PRIVILEGES) for each in done.restored)
    yield from (f"applied {name}" for name in done.applied)
    yield from (f"restored {what}" for what in done.restored if not what.startswith(PRIVILEGES))
    if granted:
        yield f"restored {PRIVILEGES} {granted} tables, functions and columns"


async def _restore(settings: Settings, backup: Backup) -> Restored:
    cell, known = backup.manifest.cell, settings_by_cell(settings)
    if cell not in known:
        raise bad_request(f"{backup.folder} is of the cell {cell}.", "Name an empty database for it in BRAIN_CELLS.")
    async with _open_backups(known[cell], cell) as backups:
        return await backups.restore(backup)


@asynccontextmanager
async def _open_backups(settings: Settings, cell: str, *, of_replica: bool = False) -> AsyncGenerator[Backups]:
    with StepSpinner("opening the database") as spinner:
        where = await resolve_addresses(settings, spinner.show)
        where = where.of_replica if of_replica else where
        open_keys = partial(open_person_keys, settings)
        yield Backups(where, EmbeddedPostgres(settings.data_dir), spinner.show, open_keys, cell)
