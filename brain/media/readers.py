"""Parts that read words out of what is attached: installed beside Brain under the entry point ``brain.readers``."""

import asyncio
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.metadata import entry_points
from typing import Protocol

import structlog

from brain.media.recognition import TEXT
from memory.media import StoredMedia

log = structlog.get_logger(__name__)

GROUP = "brain.readers"
MAX_CHARACTERS = 100_000
"""Of what a reader found; more is not looked at."""


class Reader(Protocol):
    """Recognises words in a picture, writes down what is spoken, or takes the text out of a document."""

    media_types: Collection[str]
    """What it reads, such as ``image/png``."""

    def read(self, data: bytes, media_type: str) -> str:
        """The words, empty for none. It runs in a thread and has to end by itself."""
        ...


@cache
def installed_readers() -> tuple[Reader, ...]:
    """Every reader there is, in the order of their names; one that cannot be loaded is left out."""
    found = list[Reader]()
    for entry in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            made = entry.load()
            found.append(made() if isinstance(made, type) else made)
        except Exception:  # whatever a part of somebody else's does, turns go on without it
            log.exception("reader_not_loaded", reader=entry.name)
    return tuple(found)


async def read_words(stored: StoredMedia, seconds: float) -> str:
    """The words in it by the first reader that finds any; empty where none does in time."""
    if stored.media_type == TEXT.name:
        return stored.bytes.decode("utf-8", "replace")[:MAX_CHARACTERS]
    readers = [each for each in installed_readers() if stored.media_type in each.media_types]
    for reader in readers:
        try:
            async with asyncio.timeout(seconds):
                loop = asyncio.get_running_loop()
                found = await loop.run_in_executor(_threads(), reader.read, stored.bytes, stored.media_type)
        except Exception as error:  # including that it takes too long
            log.warning("reader_failed", reader=type(reader).__name__, error=type(error).__name__)
            continue
        if isinstance(found, str) and found.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
            return found.replace("\x00", "")[:MAX_CHARACTERS]
    return ""


@cache
def _threads() -> ThreadPoolExecutor:
    """Of their own: a reader that does not end takes no thread of anybody else."""
    return ThreadPoolExecutor(max_workers=2, thread_name_prefix="reader")
