"""A backup of Brain's database: a folder that is whole or not there, and the way back into an empty database."""

import asyncio
import hashlib
import os
import shutil
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout
from psycopg import AsyncConnection
from psycopg.sql import SQL, Identifier
from pydantic import BaseModel, ConfigDict, ValidationError

from brain.local_postgres.programs import find_program, run_program
from brain.local_postgres.server import EmbeddedPostgres
from memory.errors import BrainError, bad_request, config_error
from memory.postgres.failures import translate_errors
from memory.postgres.migrate import MigrationResult, applied_migrations, hold_migrations, migrate
from memory.postgres.migrations import brain_migrations, require_compatible
from memory.postgres.roles import Addresses
from memory.postgres.server import SCHEMAS, require_extensions, require_server

MANIFEST, DUMP, DRAFT = "manifest.json", "dump", ".partial"
INDEX = ("brain.recall_index", "brain.recall_removals")
"""Tables that are derived from the others, vectors and all."""
JOBS = 2
"""Tables that are read at once."""
_CHUNK = 1 << 20
_TABLES = """
select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = any(%s) and c.relkind = 'r' order by 1"""
_SEES_ALL = "select rolsuper or rolbypassrls from pg_roles where rolname = current_user"
OnStep = Callable[[str], None]


class Manifest(BaseModel):
    """What a backup holds: written last, so that only a whole one has it.

    ``rows`` are counted in the very snapshot that was dumped, ``files`` are SHA-256 by path, ``migrations`` by name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    brain: str
    server: int
    made_at: datetime
    migrations: dict[str, str]
    rows: dict[str, int]
    left_out: tuple[str, ...]
    files: dict[str, str]


@dataclass(frozen=True)
class Backup:
    """A whole backup, and where it is."""

    folder: Path
    manifest: Manifest


@dataclass(frozen=True)
class Backups:
    """Makes backups of one database and puts them back, with programs of the embedded engine or of the machine."""

    where: Addresses
    engine: EmbeddedPostgres
    on_step: OnStep

    async def save(self, parent: Path, *, index: bool = True) -> Backup:
        """A new backup in ``parent``, alone in it; what a killed attempt left there (``.partial``) goes.

        Raises ``E_CONFLICT`` while another process backs up into that folder, ``E_CONFIG`` for a folder that cannot be
        written and an owner who does not see every row, ``E_DEP_UNAVAILABLE`` when the database goes away.
        """
        with _hold_folder(parent):
            return await self._save(parent, () if index else INDEX)

    async def _save(self, parent: Path, left_out: Sequence[str]) -> Backup:
        made_at = datetime.now(UTC)
        folder = parent / f"brain-{made_at:%Y%m%dT%H%M%S.%fZ}"
        draft = folder.with_name(folder.name + DRAFT)
        try:
            draft.mkdir(parents=True, mode=0o700)
            with translate_errors():
                manifest = await self._dump(draft, made_at, left_out)
            (draft / MANIFEST).write_text(f"{manifest.model_dump_json(indent=1)}\n", "utf-8")
            await asyncio.to_thread(_sync_tree, draft)
            draft.rename(folder)
            _sync(parent)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        return Backup(folder, manifest)

    async def restore(self, backup: Backup) -> MigrationResult:
        """Put a backup into an empty database, all of it or nothing, and bring that to what this Brain needs.

        Raises ``E_BAD_REQUEST`` for a backup whose files were changed, ``E_CONFIG`` for one of a newer Brain or server,
        and for a database that is not empty.
        """
        require_compatible(backup.manifest.migrations, brain_migrations())
        self.on_step("checking the backup")
        await asyncio.to_thread(_check_files, backup)
        with translate_errors():
            async with hold_migrations(self.where) as connection:
                await require_server(connection)
                _require_as_new(connection, backup)
                await _require_empty(connection)
                await require_extensions(connection)
                program = find_program(self.engine, "pg_restore", connection.info.server_version // 10_000)
                arguments = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges", "--verbose"]
                await run_program(program, self.where.owner, [*arguments, str(backup.folder / DUMP)], self._tell)
                await _require_rows(connection, backup)
        self.on_step("bringing the database up to date")
        return await migrate(self.where)

    async def _dump(self, draft: Path, made_at: datetime, left_out: Sequence[str]) -> Manifest:
        async with _snapshot(self.where) as (connection, snapshot):
            program = find_program(self.engine, "pg_dump", connection.info.server_version // 10_000)
            arguments = [
                "--format=directory",
                f"--jobs={JOBS}",
                f"--snapshot={snapshot}",
                "--no-owner",
                "--no-privileges",
                "--compress=gzip:1",
                "--verbose",
                *(f"--schema={schema}" for schema in SCHEMAS),
                *(f"--exclude-table-data={table}" for table in left_out),
                f"--file={draft / DUMP}",
            ]
            await run_program(program, self.where.owner, arguments, self._tell)
            self.on_step("counting rows")
            rows = await _count_rows(connection)
            migrations = await applied_migrations(connection)
            server = connection.info.server_version
        self.on_step("computing checksums")
        return Manifest(
            brain=version("brain"),
            server=server,
            made_at=made_at,
            migrations=migrations,
            rows={table: count for table, count in rows.items() if table not in left_out},
            left_out=tuple(left_out),
            files=await asyncio.to_thread(_checksums, draft),
        )

    def _tell(self, line: str) -> None:
        """What a program does with a table, without its own name."""
        if "table" in line:
            self.on_step(line.split(": ", 1)[-1])


def drop_oldest(parent: Path, keep: int) -> list[Path]:
    """Remove all but the newest backups of a folder; which ones went."""
    whole = sorted(path for path in parent.glob("brain-*") if (path / MANIFEST).is_file())
    gone = whole[: max(0, len(whole) - keep)]
    for each in gone:
        (each / MANIFEST).unlink()  # from here on it is none
        shutil.rmtree(each)
    return gone


@contextmanager
def _hold_folder(parent: Path) -> Generator[None]:
    try:
        parent.mkdir(parents=True, exist_ok=True)
        with FileLock(parent / ".lock", timeout=0, mode=0o600):
            for left in parent.glob(f"brain-*{DRAFT}"):
                shutil.rmtree(left)
            yield
    except Timeout:
        raise BrainError("E_CONFLICT", f"Another process is backing up into {parent}.", "Wait for it.") from None
    except OSError as error:
        raise config_error(f"{parent} cannot be written: {error.strerror}.", "Name another folder.") from None


def find_backup(folder: Path) -> Backup:
    """The backup in a folder, or the newest of those in it. Raises ``E_BAD_REQUEST`` where there is none."""
    whole = [folder, *sorted(folder.glob("brain-*"), reverse=True)] if folder.is_dir() else []
    for each in whole:
        if (each / MANIFEST).is_file() and not each.name.endswith(DRAFT):
            try:
                return Backup(each, Manifest.model_validate_json((each / MANIFEST).read_bytes()))
            except ValidationError:
                raise bad_request(f"{each / MANIFEST} is none of Brain's.", "Name another backup.") from None
    raise bad_request(f"There is no backup in {folder}.", "Name the folder that 'brain backup' wrote to.")


@asynccontextmanager
async def _snapshot(where: Addresses) -> AsyncGenerator[tuple[AsyncConnection[Any], str]]:
    """A transaction whose view of the database others may share. Raises ``E_CONFIG`` for an owner who sees not all."""
    async with await AsyncConnection.connect(where.owner, application_name="brain backup") as connection:
        await connection.execute("set transaction isolation level repeatable read, read only")
        if await _value(connection, _SEES_ALL) is not True:
            raise config_error(
                "The database's owner does not see past row-level security, so a backup would lack rows.",
                "Give the role in BRAIN_DATABASE_URL the attribute BYPASSRLS, or dump as a superuser.",
            )
        if not await _count_tables(connection):
            raise config_error("There is nothing of Brain's in this database.", "Run 'brain migrate' first.")
        yield connection, str(await _value(connection, "select pg_export_snapshot()"))


async def _value(connection: AsyncConnection[Any], query: str) -> object:
    row = await (await connection.execute(query.encode())).fetchone()
    return row[0] if row else None


async def _tables(connection: AsyncConnection[Any]) -> list[str]:
    found = await connection.execute(_TABLES, (list(SCHEMAS),))
    return [str(name) for (name,) in await found.fetchall()]


async def _count_tables(connection: AsyncConnection[Any]) -> int:
    return len(await _tables(connection))


async def _count_rows(connection: AsyncConnection[Any]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for table in await _tables(connection):
        query = SQL("select count(*) from {}").format(Identifier(*table.split(".")))
        row = await (await connection.execute(query)).fetchone()
        counted[table] = int(row[0]) if row else 0
    return counted


def _require_as_new(connection: AsyncConnection[Any], backup: Backup) -> None:
    here, there = connection.info.server_version // 10_000, backup.manifest.server // 10_000
    if here < there:
        raise config_error(f"This server is PostgreSQL {here}, the backup is of {there}.", "Restore into a newer one.")


async def _require_empty(connection: AsyncConnection[Any]) -> None:
    if await _count_tables(connection):
        raise config_error(
            "This database is not empty, and a backup replaces nothing.",
            "Name an empty database in BRAIN_DATABASE_URL, or a new folder in BRAIN_HOME.",
        )


async def _require_rows(connection: AsyncConnection[Any], backup: Backup) -> None:
    found = await _count_rows(connection)
    missing = {table: count for table, count in backup.manifest.rows.items() if found.get(table) != count}
    if missing:
        raise config_error(f"Not every row came back: {', '.join(missing)}.", "Try again in another empty database.")


def _checksums(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): _digest(path) for path in sorted(folder.rglob("*")) if path.is_file()}


def _check_files(backup: Backup) -> None:
    kept: Mapping[str, str] = backup.manifest.files
    for name, digest in kept.items():
        path = backup.folder / name
        if not path.is_file() or _digest(path) != digest:
            raise bad_request(f"{path} is missing or was changed since the backup was made.", "Use another backup.")


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _sync_tree(folder: Path) -> None:
    for path in (*folder.rglob("*"), folder):
        _sync(path)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
