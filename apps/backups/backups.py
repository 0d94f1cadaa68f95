"""A backup of Brain's database: a folder that is whole or not there, and the way back into an empty database."""

import asyncio
import re
import secrets
import shutil
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from psycopg import AsyncConnection, Connection

from apps.backups.database import (
    list_references,
    list_tables,
    note_backup,
    open_snapshot,
    require_as_new,
    require_empty,
    require_rows,
)
from apps.backups.manifest import DRAFT, DUMP, MANIFEST, Backup, Manifest, SealedRows, check_files, compute_checksums
from apps.backups.restore_rows import Destroyed, open_rows
from apps.backups.seal_rows import RowSealer
from apps.backups.threads import run_in_thread
from brain.file_errors import translate_file_errors
from brain.local_postgres.programs import find_program, read_program, run_program
from brain.local_postgres.server import EmbeddedPostgres
from brain.person_keys import PersonKeys
from brain.secret_file import sync_folder
from brain.settings_cells import HOME
from memory.errors import BrainError
from memory.postgres.failures import translate_errors
from memory.postgres.migrate import MigrationResult, applied_migrations, hold_migrations, migrate
from memory.postgres.migrations import brain_migrations, require_compatible
from memory.postgres.roles import Addresses
from memory.postgres.server import SCHEMAS, require_extensions, require_server

INDEX = ("brain.recall_index", "brain.recall_removals")
"""Tables that are derived from the others, vectors and all."""
_FOR_PSQL = re.compile(r"^\\(?:un)?restrict .*$", re.MULTILINE)
"""Lines of a script that psql alone understands."""
_ANOTHER_FOLDER = "Name another folder."
OnStep = Callable[[str], None]
OpenKeys = Callable[[bool], PersonKeys]
"""Opens the keys of persons, and makes their folder where it is told to and there is none."""


@dataclass(frozen=True)
class Restored:
    """What was done to bring a database up to date, and what could not be brought back."""

    migration: MigrationResult
    destroyed: Destroyed = field(default_factory=Destroyed)


@dataclass(frozen=True)
class Backups:
    """Makes backups of one database and puts them back, with programs of the embedded engine or of the machine."""

    where: Addresses
    engine: EmbeddedPostgres
    on_step: OnStep
    open_keys: OpenKeys
    cell: str = HOME

    async def save(self, parent: Path, *, index: bool = True) -> Backup:
        """A new backup in ``parent``, alone in it; what a killed attempt left there (``.partial``) goes.

        Raises ``E_CONFLICT`` while another process backs up into that folder, ``E_CONFIG`` for a folder that cannot be
        written and an owner who does not see every row, ``E_DEP_UNAVAILABLE`` when the database goes away or a disk is
        full.
        """
        with _hold_folder(parent):
            made = await self._save(parent, () if index else INDEX)
            await note_backup(self.where, made.manifest.made_at)
            return made

    async def _save(self, parent: Path, left_out: Sequence[str]) -> Backup:
        made_at = datetime.now(UTC)
        folder = parent / f"brain-{made_at:%Y%m%dT%H%M%S.%fZ}"
        draft = folder.with_name(folder.name + DRAFT)
        try:
            draft.mkdir(parents=True, mode=0o700)
            with translate_errors(), translate_file_errors(parent, _ANOTHER_FOLDER):
                manifest = await self._save_snapshot(draft, made_at, left_out)
            (draft / MANIFEST).write_text(f"{manifest.model_dump_json(indent=1)}\n", "utf-8")
            await asyncio.to_thread(_sync_tree, draft)
            draft.rename(folder)
            sync_folder(parent)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        return Backup(folder, manifest)

    async def restore(self, backup: Backup) -> Restored:
        """Put a backup into an empty database, all of it or nothing, and bring that to what this Brain needs.

        Rows of people whose keys were destroyed stay away. Raises ``E_BAD_REQUEST`` for a backup whose files were
        changed, ``E_CONFIG`` for one of a newer Brain or server or without its keys, and for a database not empty.
        """
        require_compatible(backup.manifest.migrations, brain_migrations())
        with translate_errors(), translate_file_errors(backup.folder, "Use another backup."):
            self.on_step("checking the backup")
            await asyncio.to_thread(check_files, backup)
            async with hold_migrations(self.where) as connection:
                await require_server(connection)
                require_as_new(connection, backup)
                await require_empty(connection)
                program = find_program(self.engine, "pg_restore", connection.info.server_version // 10_000)
                if backup.manifest.sealed is None:
                    destroyed = await self._restore_plain(connection, program, backup)
                else:
                    destroyed = await self._restore_sealed(connection, program, backup, backup.manifest.sealed)
        return Restored(await self._migrate(), destroyed)

    async def _migrate(self) -> MigrationResult:
        """Bring what was restored up to date. Raises what ``migrate`` does, and says that only this is left to do."""
        self.on_step("bringing the database up to date")
        try:
            return await migrate(self.where)
        except BrainError as error:
            left = "The rows are back: when that is mended, 'brain migrate' does the rest."
            raise BrainError(error.code, error.message, left) from error

    async def _restore_plain(self, connection: AsyncConnection[Any], program: Path, backup: Backup) -> Destroyed:
        """A backup of the first format, which has the rows in the dump."""
        await require_extensions(connection)
        arguments = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--verbose"]
        await run_program(program, self.where.owner, [*arguments, str(backup.folder / DUMP)], self._tell)
        await require_rows(connection, backup)
        return Destroyed()

    async def _restore_sealed(
        self, connection: AsyncConnection[Any], program: Path, backup: Backup, sealed: SealedRows
    ) -> Destroyed:
        """The tables, then their rows, then what needs both, in one transaction."""
        opener, destroyed = await asyncio.to_thread(open_rows, backup, sealed, self.open_keys(False))
        before = await _read_script(program, backup, "pre-data")
        after = await _read_script(program, backup, "data", "post-data")
        await require_extensions(connection)
        with Connection[Any].connect(self.where.owner, application_name="brain restore") as owner:
            await run_in_thread(owner, owner.execute, before)
            for table in sealed.columns:
                self.on_step(f'restoring table "{table}"')
                await run_in_thread(owner, opener.copy_in, owner, table)
            if destroyed.people:
                destroyed = await run_in_thread(owner, opener.remove_dangling, owner, destroyed)
            self.on_step("building indexes")
            await run_in_thread(owner, owner.execute, after)
        return destroyed

    async def _save_snapshot(self, draft: Path, made_at: datetime, left_out: Sequence[str]) -> Manifest:
        keys = self.open_keys(True)
        async with open_snapshot(self.where) as (connection, snapshot):
            tables = [table for table in await list_tables(connection) if table.name not in left_out]
            await self._dump_schema(connection, snapshot, draft)
            self.on_step("encrypting rows")
            backup = secrets.token_hex(16)
            rows = await RowSealer(self.where.owner, snapshot, backup, draft, keys).seal(tables)
            sync_folder(keys.folder)
            migrations = await applied_migrations(connection)
            server = connection.info.server_version
            references = await list_references(connection)
        self.on_step("computing checksums")
        return Manifest(
            brain=version("brain"),
            server=server,
            made_at=made_at,
            migrations=migrations,
            rows=rows,
            left_out=tuple(left_out),
            cell=self.cell,
            files=await asyncio.to_thread(compute_checksums, draft),
            sealed=SealedRows(
                backup=backup, columns={table.name: table.columns for table in tables}, references=references
            ),
        )

    async def _dump_schema(self, connection: AsyncConnection[Any], snapshot: str, draft: Path) -> None:
        """Tables, functions and the numbers of sequences, without a row."""
        program = find_program(self.engine, "pg_dump", connection.info.server_version // 10_000)
        arguments = [
            "--format=directory",
            f"--snapshot={snapshot}",
            "--no-owner",
            "--no-privileges",
            *(f"--schema={schema}" for schema in SCHEMAS),
            "--no-unlogged-table-data",
            *(f"--exclude-table-data={table.name}" for table in await list_tables(connection)),
            f"--file={draft / DUMP}",
        ]
        await run_program(program, self.where.owner, arguments, self._tell)

    def _tell(self, line: str) -> None:
        """What a program does with a table, without its own name."""
        if "table" in line:
            self.on_step(line.split(": ", 1)[-1])


@contextmanager
def _hold_folder(parent: Path) -> Generator[None]:
    with translate_file_errors(parent, _ANOTHER_FOLDER):
        try:
            parent.mkdir(parents=True, exist_ok=True)
            with FileLock(parent / ".lock", timeout=0, mode=0o600):
                for left in parent.glob(f"brain-*{DRAFT}"):
                    shutil.rmtree(left)
                yield
        except Timeout:
            raise BrainError("E_CONFLICT", f"Another process is backing up into {parent}.", "Wait for it.") from None


async def _read_script(program: Path, backup: Backup, *sections: str) -> bytes:
    """What a dump does in these sections, as SQL."""
    wanted = [f"--section={section}" for section in sections]
    arguments = [*wanted, "--no-owner", "--no-privileges", "--file=-", str(backup.folder / DUMP)]
    return _FOR_PSQL.sub("", await read_program(program, arguments)).encode()


def _sync_tree(folder: Path) -> None:
    for path in (*folder.rglob("*"), folder):
        sync_folder(path)
