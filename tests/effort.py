"""What a piece of work costs, whatever else the machine does meanwhile."""

import gc
from collections.abc import Callable
from time import thread_time

ADDITIONS = 1_000_000
REFERENCE_SECONDS = 0.06
"""Processor time of so many additions on the machine whose figures the limits of tests are."""


def processor_seconds(work: Callable[[], object]) -> float:
    """Processor time of this thread: a busy machine makes work take longer, and costs no more of it.

    What other tests left on the heap is not walked meanwhile: after thousands of them that is most of a second.
    """
    gc.collect()
    gc.disable()
    try:
        begun = thread_time()
        work()
        return thread_time() - begun
    finally:
        gc.enable()


def assert_takes_less_than(seconds: float, work: Callable[[], object]) -> None:
    """That the work takes less processor time than that, in one of three tries.

    The first compiles patterns and loads tables; and who shares the processor's caches slows any try.
    """
    tries: list[float] = []
    while len(tries) < 3:
        tries.append(processor_seconds(work))
        if tries[-1] < seconds:
            return
    raise AssertionError(f"It took {', '.join(f'{each:.2f}' for each in tries)} s and not {seconds} s.")


def slowness() -> float:
    """How many times slower than the reference this machine is now; 1 where it is not."""
    return max(1.0, min(processor_seconds(_add) for _ in range(3)) / REFERENCE_SECONDS)


def _add() -> None:
    total = 0
    for number in range(ADDITIONS):
        total += number
