"""What a question was rewritten to lately: asking a model the same thing again is wasted."""

from collections import OrderedDict
from collections.abc import Hashable

CAPACITY = 512


class RewriteCache:
    """The newest rewritings, by a key that includes whose question it was."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._kept: OrderedDict[Hashable, tuple[str, ...]] = OrderedDict()

    def get(self, key: Hashable) -> tuple[str, ...] | None:
        """The rewriting, or None."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: Hashable, queries: tuple[str, ...]) -> None:
        """Keep it, and let the oldest go."""
        self._kept[key] = queries
        self._kept.move_to_end(key)
        while len(self._kept) > self._capacity:
            self._kept.popitem(last=False)
