"""A cache of recall indexes: those of the people who are talking, brought up to date at every question.

Rows come in under row-level security, for the scope that asks, and every question asks the database first what has
changed: without the database nothing is answered, and what was forgotten anywhere is gone with the next question.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from time import monotonic
from uuid import UUID

from memory.frozen_dataclass import build_frozen
from memory.index_rows import Searchable
from memory.postgres.database import Database
from memory.recall.cache.corpus import Corpus, CorpusEntry
from memory.recall.statement import owner_range_params
from memory.scope import Scope, Space
from retrieval.wire import decode_halves, decode_ints

PAGE = 300
"""Rows that are read at a time: some ten milliseconds of this process."""
NEVER_LOADED = "1:1:"
"""The snapshot that has seen nothing."""

_LOWEST_ID = UUID(int=0)
_SHOWN_FIELDS = tuple(field.name for field in fields(Searchable))
IDLE = 1_800.0
"""Seconds after which what nobody asks for is let go."""


@dataclass(frozen=True)
class Bookmark:
    """The last row of a page: who wrote it, and its id."""

    writer: str = "0"
    source: UUID = _LOWEST_ID


@dataclass(frozen=True)
class ReadPosition:
    """How far a scope's rows have been read.

    All that snapshot ``since`` sees has been. ``begun``, if not None, is the snapshot at which the reading of what came
    after it began, and ``after`` is how far that one got. Snapshots are those of a ``timeline``: a server that takes
    over gives their numbers to other transactions.
    """

    since: str = NEVER_LOADED
    begun: str | None = None
    after: Bookmark = Bookmark()
    timeline: int | None = None

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to be read but what was written in the meantime."""
        return self.begun is None and self.since != NEVER_LOADED


@dataclass(frozen=True, kw_only=True)
class _ChangedRow(Searchable):
    """A row of the ``recall_changes`` statement with its arrays as the server sends them.

    The first row tells of the reading (``snapshot``, ``earlier``, ``removed``), the others are the rows. What a row
    does not tell is None, whatever its type says.
    """

    snapshot: str
    earlier: bool
    removed: list[UUID]
    timeline: int
    written_by: str
    words: bytes
    grams: bytes
    length: int
    embedding_model: str
    embedding: bytes | None


@dataclass(frozen=True)
class IndexChanges:
    """What was taken away, the next page of rows, and how far the reading is after it.

    ``anew``: so much has changed that all must be read again.
    """

    reading: ReadPosition
    removed: Sequence[UUID] = ()
    entries: Sequence[CorpusEntry] = ()
    anew: bool = False


@dataclass
class _CachedCorpus:
    """One scope's corpus, as far as it has been read; ``size`` in bytes."""

    used: float = 0.0
    questions: int = 0
    corpus: Corpus | None = None
    size: int = 0
    reading: ReadPosition = field(default_factory=ReadPosition)
    too_large: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def rows(self) -> Corpus:
        if self.corpus is None:
            self.corpus = Corpus()
        return self.corpus

    def reset(self) -> None:
        self.corpus, self.reading = None, ReadPosition()


@dataclass
class CorpusCache:
    """Least recently used first, all within ``megabytes``; 0 keeps none.

    Each question of a scope reads on by a ``page``, so that none waits long; the statement answers meanwhile, and
    always where there are more than ``most_turns`` (memories and sections count as well) or all would not fit.
    """

    megabytes: int = 256
    first_questions: int = 1
    most_turns: int = 20_000
    page: int = PAGE
    clock: Callable[[], float] = monotonic
    _held: "OrderedDict[Space, _CachedCorpus]" = field(default_factory=lambda: OrderedDict[Space, _CachedCorpus]())
    _size: int = 0

    def __len__(self) -> int:
        """How many scopes are kept."""
        return sum(held.reading.is_complete for held in self._held.values())

    async def get_current(self, database: Database, scope: Scope) -> Corpus | None:
        """The scope's rows as they stand now, in one round trip.

        None for who asks for the first time, which may be the last, and while there is more to be read than a page:
        what changes while several are turned is known only when the next question has asked for it.
        """
        if not self.megabytes:
            return None
        held = self._touch(scope.space)
        if held.questions <= self.first_questions:
            return None
        async with held.lock:
            if held.too_large:
                return None
            turns_pages = held.reading.begun is not None
            await self._read_changes(held, database, scope)
        self._make_room(scope.space, held)
        if self._held.get(scope.space) is not held:  # the tenant moved meanwhile: transactions were numbered elsewhere
            return None
        return held.corpus if held.reading.is_complete and not turns_pages else None

    def forget(self, tenant_id: UUID) -> None:
        """Let go of all that was read of a tenant's: it lives in another database now."""
        for space in [each for each in self._held if each[0] == tenant_id]:
            self._size -= self._held.pop(space).size

    def _touch(self, space: Space) -> _CachedCorpus:
        now = self.clock()
        while self._held and next(iter(self._held.values())).used < now - IDLE:
            self._drop_oldest()
        held = self._held.setdefault(space, _CachedCorpus())
        held.used, held.questions = now, held.questions + 1
        self._held.move_to_end(space)
        return held

    async def _read_changes(self, held: _CachedCorpus, database: Database, scope: Scope) -> None:
        """One question of a scope at a time, so that no older reading undoes a newer one."""
        found = await read_changes(database, scope, held.reading, self.page)
        if found.anew or held.rows.is_mostly_gaps:
            held.reset()
            found = await read_changes(database, scope, held.reading, self.page)
        held.rows.remove(found.removed)
        held.rows.update(found.entries)
        held.reading = found.reading

    def _make_room(self, space: Space, held: _CachedCorpus) -> None:
        """Let go of those who asked longest ago; of this one only when it alone is too large."""
        room = self.megabytes * 1_000_000
        if held.rows.turns > self.most_turns or held.rows.size > room:
            held.too_large = True
            held.reset()
        if self._held.get(space) is held:
            self._size += held.rows.size - held.size
            held.size = held.rows.size
        while self._size > room:
            self._drop_oldest()

    def _drop_oldest(self) -> None:
        _, oldest = self._held.popitem(last=False)
        self._size -= oldest.size


async def read_changes(database: Database, scope: Scope, reading: ReadPosition, page: int = PAGE) -> IndexChanges:
    """Read on: up to a ``page`` of rows that were not seen as they are now. One round trip.

    The snapshot is taken before the rows are read: what is written in between is read twice, never missed.
    """
    seen = reading.begun or reading.since
    how_far = {"since": reading.since, "seen": seen, "page": page}
    after = {"after_writer": reading.after.writer, "after_source": reading.after.source}
    params = owner_range_params(scope) | {"user_id": scope.user_id} | how_far | after
    async with database.anonymous_session(scope.tenant_id) as session:
        now, *rows = await session.fetch("recall_changes", params, _ChangedRow)
    removed = now.removed if seen != NEVER_LOADED else []
    moved = reading.timeline not in {None, now.timeline}
    if now.earlier or moved or len(removed) == page:
        return IndexChanges(ReadPosition(), anew=True)
    begun = reading.begun or now.snapshot
    last = Bookmark(rows[-1].written_by, rows[-1].source_id) if len(rows) == page else None
    until = ReadPosition(begun) if last is None else ReadPosition(reading.since, begun, last)
    then = replace(until, timeline=now.timeline)
    return IndexChanges(then, removed, [_entry(row) for row in rows])


def _entry(row: _ChangedRow) -> CorpusEntry:
    values = vars(row)
    return CorpusEntry(
        row=build_frozen(Searchable, {name: values[name] for name in _SHOWN_FIELDS}),
        words=decode_ints(row.words),
        grams=decode_ints(row.grams),
        length=row.length,
        model=row.embedding_model,
        vector=None if row.embedding is None else decode_halves(row.embedding),
    )
