"""What work costs the thread of the event loop in one go: until then nobody else is served."""

import asyncio
import gc
from asyncio import events
from collections.abc import Awaitable, Generator
from contextlib import contextmanager
from time import thread_time
from typing import Any


class LongestStep:
    """The most processor time of the loop's thread between two awaits of any task, in seconds, and whose it was."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.name = ""

    def note(self, handle: Any, seconds: float) -> None:
        """One callback of the loop ran for so long."""
        if seconds > self.seconds:
            self.seconds, self.name = seconds, repr(handle)[:300]


@contextmanager
def watch_loop() -> Generator[LongestStep]:
    """Time every callback of the running loop; collection of garbage is nobody's work and waits until the end."""
    longest, run = LongestStep(), events.Handle._run  # pyright: ignore[reportPrivateUsage]

    def timed(handle: events.Handle) -> None:
        begun = thread_time()
        try:
            run(handle)
        finally:
            longest.note(handle, thread_time() - begun)

    events.Handle._run = timed  # type: ignore[method-assign]
    gc.disable()
    try:
        yield longest
    finally:
        gc.enable()
        events.Handle._run = run  # type: ignore[method-assign]


async def longest_step(work: Awaitable[object]) -> LongestStep:
    """The longest step while ``work`` is awaited."""
    with watch_loop() as longest:
        await work
        await asyncio.sleep(0)
    return longest
