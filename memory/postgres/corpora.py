"""The recall indexes of those who are talking, kept in the process and brought up to date at every question.

Rows come in under row-level security, for the scope that asks, and every question asks the database first what has
changed: without the database nothing is answered, and what was forgotten anywhere is gone with the next question.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from memory.postgres.changes import NEVER, changes
from memory.postgres.database import Database
from memory.ranking.corpus import Corpus
from memory.scope import Scope, Space

IDLE = 1_800.0
"""Seconds after which what nobody asks for is let go."""


@dataclass
class _Held:
    """One scope's corpus, once it has been asked for often enough."""

    used: float = 0.0
    questions: int = 0
    corpus: Corpus | None = None
    since: str = NEVER
    too_large: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def size(self) -> int:
        return self.corpus.size if self.corpus is not None else 0


@dataclass
class Corpora:
    """Least recently used first, all within ``megabytes``; 0 keeps none.

    The statement answers a scope's first questions, and every question of a scope with more than ``most_rows``.
    """

    megabytes: int = 256
    first_questions: int = 1
    most_rows: int = 20_000
    clock: Callable[[], float] = monotonic
    _held: "OrderedDict[Space, _Held]" = field(default_factory=lambda: OrderedDict[Space, _Held]())

    def __len__(self) -> int:
        """How many scopes are kept."""
        return sum(held.corpus is not None for held in self._held.values())

    async def current(self, database: Database, scope: Scope) -> Corpus | None:
        """The scope's rows as they stand now, in one round trip.

        None for who asks for the first time, which may be the last, and for who has too many rows.
        """
        if not self.megabytes:
            return None
        held = self._touch(scope.space)
        if held.questions <= self.first_questions or held.too_large:
            return None
        async with held.lock:
            await self._refresh(held, database, scope)
        self._make_room(held)
        return held.corpus

    def _touch(self, space: Space) -> _Held:
        now = self.clock()
        while self._held and next(iter(self._held.values())).used < now - IDLE:
            self._held.popitem(last=False)
        held = self._held.setdefault(space, _Held())
        held.used, held.questions = now, held.questions + 1
        self._held.move_to_end(space)
        return held

    async def _refresh(self, held: _Held, database: Database, scope: Scope) -> None:
        """One question of a scope at a time, so that no older reading undoes a newer one."""
        found = await changes(database, scope, held.since, self.most_rows + 1)
        if found.anew and held.since != NEVER:
            held.corpus, held.since = None, NEVER
            found = await changes(database, scope, NEVER, self.most_rows + 1)
        corpus = held.corpus or Corpus()
        if len(corpus) + len(found.entries) > self.most_rows:
            held.corpus, held.too_large = None, True
            return
        corpus.update(found.entries)
        held.corpus, held.since = corpus, found.snapshot

    def _make_room(self, held: _Held) -> None:
        """Let go of those who asked longest ago; of this one only when it alone takes more than all may."""
        room = self.megabytes * 1_000_000
        if held.size > room:
            held.corpus, held.too_large = None, True
        total = sum(each.size for each in self._held.values())
        while total > room:
            _, oldest = self._held.popitem(last=False)
            total -= oldest.size
