"""How long a backup and its restoring take, with the index and without: ``python -m evals.backup_speed [--turns N]``.

A database of made-up talk, logged and indexed with random vectors, on an embedded server as Brain ships it.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter

import psycopg
from psycopg import conninfo
from psycopg.sql import SQL, Identifier
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from apps.backups.backups import Backups
from apps.calibration.measurement import a_database
from brain.local_postgres.server import EmbeddedPostgres
from brain.person_keys import open_person_keys
from brain.settings import Settings
from evals.evaluation.scratch import a_server
from evals.filling import fill, population
from evals.log_filling import fill_whole_log
from memory.postgres.roles import Addresses, addresses

DIMENSIONS = 512
"""Of the encoder that is the default."""


async def measure(folder: Path, turns: int, url: str | None) -> list[tuple[str, float, float, float]]:
    """For each way: its name, megabytes, seconds to save and seconds to restore."""
    engine = EmbeddedPostgres(folder)
    keys = partial(open_person_keys, Settings(data_dir=folder / "home"))
    found: list[tuple[str, float, float, float]] = []
    with a_server(url) as server:
        async with a_database(server) as where:
            with Progress(transient=True) as progress:
                fill(where.owner, population([], turns, DIMENSIONS), progress)
            fill_whole_log(where.owner)
            for index in (True, False):
                begun = perf_counter()
                made = await Backups(where, engine, lambda step: None, keys).save(folder / "backups", index=index)
                saved = perf_counter()
                with _an_empty_database(server) as other:
                    await Backups(other, engine, lambda step: None, keys).restore(made)
                    restored = perf_counter()
                size = sum(path.stat().st_size for path in made.folder.rglob("*") if path.is_file())
                found.append(("whole" if index else "without the index", size / 1e6, saved - begun, restored - saved))
    return found


@contextmanager
def _an_empty_database(server: str) -> Generator[Addresses]:
    where = addresses(conninfo.make_conninfo(server, dbname="brain_restored"))
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("create database brain_restored")
        try:
            yield where
        finally:
            connection.execute("drop database brain_restored with (force)")
            for role in (where.app_role, where.knowledge_role):
                connection.execute(SQL("drop role if exists {}").format(Identifier(role)))


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(prog="python -m evals.backup_speed", description=__doc__)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--url", help="a superuser's URL of a server to use; else an embedded one is started")
    told = parser.parse_args()
    table = Table(title=f"{told.turns:,} turns")
    for column in ("backup", "MB", "save, s", "restore, s"):
        table.add_column(column, justify="right")
    with tempfile.TemporaryDirectory(prefix="brain-backup-") as folder:
        Path(folder).chmod(0o711)  # the engine runs as another user when this process is root
        figures_of = asyncio.run(measure(Path(folder), told.turns, told.url))
    for name, *figures in figures_of:
        table.add_row(name, *(f"{figure:,.1f}" for figure in figures))
    Console().print(table)


if __name__ == "__main__":
    main()
