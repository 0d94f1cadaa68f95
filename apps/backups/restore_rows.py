"""Bring the rows of a backup back, without those whose keys were destroyed and what would dangle without them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.sql import SQL, Composed, Identifier

from apps.backups.frames import Place, open_frames
from apps.backups.manifest import Backup, Reference, SealedRows
from apps.backups.row_owners import STUBBED
from apps.backups.seal_rows import END, FILE_HEADER, ROWS, STUBS
from brain.person_keys import PersonKey, PersonKeys
from memory.errors import config_error

_COPY = SQL("copy {table} ({columns}) from stdin (format binary)")
_CLEAR = SQL("update {table} c set {emptied} where {given} and not exists (select from {to} p where {same})")
_REMOVE = SQL("delete from {table} c where {given} and not exists (select from {to} p where {same})")
_STUBS = SQL("create temp table stubs (like {table}) on commit drop")
_ADOPT = """
insert into brain.sessions
select s.* from pg_temp.stubs s
where not exists (select from brain.sessions t where t.tenant_id = s.tenant_id and t.session_id = s.session_id)
  and exists (select from brain.conversation_events e
              where e.tenant_id = s.tenant_id and e.session_id = s.session_id)"""
_RENAME = """
update brain.sessions s set user_id = e.user_id
from (select distinct on (tenant_id, session_id) tenant_id, session_id, user_id from brain.conversation_events
      order by tenant_id, session_id, position) e, pg_temp.stubs b
where (e.tenant_id, e.session_id) = (s.tenant_id, s.session_id)
  and (b.tenant_id, b.session_id) = (s.tenant_id, s.session_id)
  and not exists (select from brain.conversation_events o
                  where (o.tenant_id, o.session_id, o.user_id) = (s.tenant_id, s.session_id, s.user_id))"""


@dataclass(frozen=True)
class Destroyed:
    """What a restored database lacks: rows of people whose keys were destroyed, and what would dangle without them.

    ``removed`` are rows of others that referred to them, ``cut`` references to them that others do without,
    ``emptied`` conversations of a group in which nothing is left but what the others said.
    """

    rows: int = 0
    people: int = 0
    removed: int = 0
    cut: int = 0
    emptied: int = 0


@dataclass(frozen=True)
class RowOpener:
    """Reads the rows of a backup with the keys that are left of those it was made under."""

    backup: Backup
    sealed: SealedRows
    keys: Mapping[UUID, PersonKey]

    def count_unreadable(self) -> tuple[int, set[UUID]]:
        """How many rows cannot be read with these keys, and the ids of those that would be needed."""
        rows, missing = 0, set[UUID]()
        for table in self.sealed.columns:
            with open_frames(self.backup.folder, self.place(table)) as file:
                for frame in file.frames():
                    if gone := [key_id for key_id in frame.key_ids if key_id not in self.keys]:
                        missing.update(gone)
                        rows += frame.rows
        return rows, missing

    def copy_in(self, connection: Connection[Any], table: str) -> None:
        """Bring back the rows of a table that can be read. Raises ``E_CONFIG`` where some are missing."""
        columns = SQL(", ").join(map(Identifier, self.sealed.columns[table]))
        query = _COPY.format(table=_name(table), columns=columns)
        found, lost = self._copy(connection, query, self.place(table))
        if found + lost != self.backup.manifest.rows[table]:
            raise config_error(f"Not every row of {table} came back.", "Try again in another empty database.")

    def remove_dangling(self, connection: Connection[Any], destroyed: Destroyed) -> Destroyed:
        """Leave nothing that refers to what is gone; in conversations of a group what the others said stays."""
        emptied = self._adopt_stubs(connection)
        removed = cut = 0
        while True:
            less = sum(connection.execute(_clear(each)).rowcount for each in self.sealed.references if each.optional)
            gone = sum(
                connection.execute(_remove(each)).rowcount for each in self.sealed.references if not each.optional
            )
            cut, removed = cut + less, removed + gone
            if not gone:
                return replace(destroyed, removed=removed, cut=cut, emptied=emptied)

    def _adopt_stubs(self, connection: Connection[Any]) -> int:
        place = self.place(f"{STUBBED}.{STUBS}")
        if not (self.backup.folder / place.file).exists():
            return 0
        connection.execute(_STUBS.format(table=_name(STUBBED)))
        columns = SQL(", ").join(map(Identifier, self.sealed.columns[STUBBED]))
        self._copy(connection, _COPY.format(table=Identifier("pg_temp", "stubs"), columns=columns), place)
        emptied = connection.execute(_ADOPT).rowcount
        connection.execute(_RENAME)
        return emptied

    def _copy(self, connection: Connection[Any], query: Composed, place: Place) -> tuple[int, int]:
        """How many rows were written, and how many could not be read."""
        lost = 0
        with open_frames(self.backup.folder, place) as file, connection.cursor() as cursor:
            with cursor.copy(query) as copy:
                copy.write(FILE_HEADER)
                for frame in file.frames():
                    keys = tuple(self.keys[key_id] for key_id in frame.key_ids if key_id in self.keys)
                    if len(keys) == len(frame.key_ids):
                        copy.write(file.open(frame, keys))
                    else:
                        lost += frame.rows
                copy.write(END)
            return cursor.rowcount, lost

    def place(self, table: str) -> Place:
        return Place(self.sealed.backup, f"{ROWS}/{table}")


def open_rows(backup: Backup, sealed: SealedRows, keys: PersonKeys) -> tuple[RowOpener, Destroyed]:
    """What reads a backup, and what cannot be read any more. Raises ``E_CONFIG`` where keys were lost."""
    opener = RowOpener(backup, sealed, keys.load_all())
    rows, missing = opener.count_unreadable()
    lost = [key_id for key_id in missing if not keys.is_shredded(key_id)]
    if lost:
        raise config_error(
            f"{len(lost)} keys of this backup are not in {keys.folder}, though nobody destroyed them.",
            "Bring back the newest copy of that folder, or name it in BRAIN_KEYS_DIR.",
        )
    return opener, Destroyed(rows=rows, people=len(missing))


def _clear(each: Reference) -> Composed:
    emptied = SQL(", ").join(SQL("{} = null").format(Identifier(column)) for column in each.optional)
    return _fill(_CLEAR, each, emptied)


def _remove(each: Reference) -> Composed:
    return _fill(_REMOVE, each, SQL(""))


def _fill(query: SQL, each: Reference, emptied: Composed | SQL) -> Composed:
    pairs = zip(each.columns, each.to_columns, strict=True)
    return query.format(
        table=_name(each.table),
        to=_name(each.to),
        emptied=emptied,
        given=SQL(" and ").join(SQL("c.{} is not null").format(Identifier(column)) for column in each.columns),
        same=SQL(" and ").join(SQL("p.{} = c.{}").format(Identifier(to), Identifier(of)) for of, to in pairs),
    )


def _name(table: str) -> Identifier:
    return Identifier(*table.split("."))
