"""Save the rows of a database: streamed out of one snapshot and encrypted on the way; no word reaches a disk."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from psycopg import Connection
from psycopg.sql import SQL, Composed, Identifier, Literal

from apps.backups.frames import FrameWriter, Place
from apps.backups.row_owners import STUBBED, TableShape, parse_people, read_rows, read_stubs
from apps.backups.threads import run_all, run_in_thread
from brain.person_keys import PersonKey, PersonKeys
from memory.errors import BrainError

ROWS, STUBS = "rows", "stubs"
JOBS = 2
"""Tables that are read at once."""
_FRAME = 1 << 20
"""Bytes of rows after which a frame is full."""
FILE_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
"""What is in front of the first row: signature, flags, and the length of an extension, of which PostgreSQL has none."""
END = b"\xff\xff"
"""What comes after the last row."""
_PEOPLE_KNOWN = 100_000
"""Sets of people whose keys are kept at hand."""


@dataclass(frozen=True)
class RowSealer:
    """Writes the rows of a snapshot into a folder, under the keys of their people."""

    owner: str
    snapshot: str
    backup: str
    folder: Path
    keys: PersonKeys

    async def seal(self, tables: Sequence[TableShape]) -> dict[str, int]:
        """Every row of these tables, largest first; how many each has."""
        waiting, counted = deque(tables), dict[str, int]()
        (self.folder / ROWS).mkdir(mode=0o700)
        await run_all([self._work(waiting, counted) for _ in range(JOBS)])
        return counted

    async def _work(self, waiting: deque[TableShape], counted: dict[str, int]) -> None:
        find_keys = lru_cache(_PEOPLE_KNOWN)(self._find_keys)
        with Connection[Any].connect(self.owner, application_name="brain backup") as connection:
            connection.execute("set transaction isolation level repeatable read, read only")
            connection.execute(SQL("set transaction snapshot {}").format(Literal(self.snapshot)))
            connection.execute("set local work_mem = '64MB'")
            while waiting:
                table = waiting.popleft()
                copy = CopyOut(connection, find_keys)
                place = Place(self.backup, f"{ROWS}/{table.name}")
                counted[table.name] = await run_in_thread(connection, copy.write, read_rows(table), self.folder, place)
                self._require_all(connection, table, counted[table.name])
                if table.name == STUBBED:
                    place = Place(self.backup, f"{ROWS}/{table.name}.{STUBS}")
                    await run_in_thread(connection, copy.write, read_stubs(table), self.folder, place)

    def _require_all(self, connection: Connection[Any], table: TableShape, found: int) -> None:
        """Whoever a row belongs to, it is saved once: a backup with more or fewer could not be restored."""
        query = SQL("select count(*) from {}").format(Identifier(*table.name.split(".")))
        if connection.execute(query).fetchone() != (found,):
            raise BrainError("E_INTERNAL", f"{found} rows of {table.name} would have been saved, which is not all.")

    def _find_keys(self, owner: bytes) -> tuple[PersonKey, ...]:
        return tuple(self.keys.fetch(tenant, person) for tenant, person in parse_people(owner))


@dataclass(frozen=True)
class CopyOut:
    """Encrypts what COPY gives, as it comes."""

    connection: Connection[Any]
    find_keys: Any

    def write(self, query: Composed, folder: Path, place: Place) -> int:
        """Put the rows of a query into a file; how many they were."""
        total = 0
        with (folder / place.file).open("xb") as file, self.connection.cursor() as cursor, cursor.copy(query) as copy:
            frames = FrameWriter(file, place)
            for owner, rows in gather_rows(split_rows(copy)):
                frames.write(self.find_keys(owner), len(rows), b"".join(rows))
                total += len(rows)
        return total


def split_rows(blocks: Iterable[Any]) -> Iterator[tuple[bytes, bytes]]:
    """The people of each row of a binary COPY, which are its first field, and the row without them."""
    count = b""
    for block in blocks:
        row = bytes(block).removeprefix(FILE_HEADER)
        if row == END or not row:
            continue
        if not count:
            count = (int.from_bytes(row[:2], "big") - 1).to_bytes(2, "big")
        end = 6 + int.from_bytes(row[2:6], "big")
        yield row[6:end], count + row[end:]


def gather_rows(rows: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[bytes, list[bytes]]]:
    """Rows of the same people that come one after the other, so many that they fill a frame."""
    gathered, of, size = list[bytes](), b"", 0
    for owner, row in rows:
        if gathered and (owner != of or size >= _FRAME):
            yield of, gathered
            gathered, size = [], 0
        of = owner
        gathered.append(row)
        size += len(row)
    if gathered:
        yield of, gathered
