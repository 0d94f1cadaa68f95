"""The recall indexes of those who are talking, kept in the process and brought up to date at every question.

Rows come in under row-level security, for the scope that asks, and every question asks the database first what has
changed: without the database nothing is answered, and what was forgotten anywhere is gone with the next question.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from memory.postgres.database import Database
from memory.postgres.recall_changes import PAGE, ReadPosition, read_changes
from memory.recall.cache.corpus import Corpus
from memory.scope import Scope, Space

IDLE = 1_800.0
"""Seconds after which what nobody asks for is let go."""


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
        return held.corpus if held.reading.is_complete and not turns_pages else None

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
