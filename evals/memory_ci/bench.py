"""Where the parts of memory CI run: the user's own configuration on databases made for them, and the time they have."""

import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from brain.resources import Resources
from brain.settings import Settings
from evals.evaluation.scratch import scratch_resources

T = TypeVar("T")
_OUTSIDE: Mapping[str, Any] = {
    "database_url": None,
    "app_database_url": None,
    "keys_dir": None,
    "erasures_folder": None,
    "erasure_webhook": None,
    "daily_tokens": None,
    "otel": False,
    "mcp_servers": "",
    "skills": "",
}
"""Settings that reach what is the user's own: data, keys, other programs. No measurement touches them."""


def isolate(settings: Settings, folder: Path) -> Settings:
    """The configuration with a folder of its own and without anything that belongs to the user's installation."""
    return settings.model_copy(update={**_OUTSIDE, "data_dir": folder})


@dataclass(frozen=True, kw_only=True)
class Bench:
    """``server`` is a superuser's address; where it ``is_own``, nobody else's data are in its files.

    A part has about ``seconds``: it stops behind the case at hand. ``is_quick`` runs a few cases of each.
    """

    settings: Settings
    server: str
    is_own: bool = False
    is_quick: bool = False
    seconds: float = 120.0
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)

    @asynccontextmanager
    async def open(self, **changed: object) -> AsyncGenerator[Resources]:
        """The configuration, some of it ``changed``, on a database of its own that is dropped at the end."""
        async with scratch_resources(self.settings.model_copy(update=changed), self.server) as resources:
            await resources.load()
            yield resources

    @property
    def has_model(self) -> bool:
        """Whether a model is configured; otherwise rules decide."""
        return bool(self.settings.openai_api_key or self.settings.base_url)

    def sample(self, cases: Sequence[T], quick: int) -> list[T]:
        """All cases in an order of no meaning, the same each time; a few where it has to be ``quick``."""
        mixed = Random(1).sample(list(cases), len(cases))
        return mixed[:quick] if self.is_quick else mixed

    def in_time(self, cases: Sequence[T], share: float = 1.0) -> Iterator[T]:
        """The cases one after the other, as long as this share of the part's time lasts; the first one always."""
        ends = self.clock() + share * self.seconds
        for number, case in enumerate(cases):
            if number and self.clock() > ends:
                return
            yield case


def told_of_time(what: str, done: int, planned: int) -> list[str]:
    """A note where the time was too short for all."""
    return [] if done >= planned else [f"{done} of {planned} {what}: the time was over."]
