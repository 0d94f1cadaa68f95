"""Ending on request: what the operating system sends becomes the cancellation of the task at hand."""

import asyncio
import signal
from collections.abc import Generator
from contextlib import contextmanager

_ASKS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def end_on_signals() -> Generator[asyncio.Event]:
    """SIGINT and SIGTERM cancel the task inside, and the block is left as if it had come to its end.

    The event tells an end that was asked for from one that was not. Only the main thread's loop can be asked.
    """
    loop, task, asked = asyncio.get_running_loop(), asyncio.current_task(), asyncio.Event()
    assert task is not None

    def end() -> None:
        asked.set()
        task.cancel()

    for each in _ASKS:
        loop.add_signal_handler(each, end)
    try:
        yield asked
    except asyncio.CancelledError:
        if not asked.is_set():
            raise
        task.uncancel()
    finally:
        for each in _ASKS:
            loop.remove_signal_handler(each)
