"""What a piece of work costs, whatever else the machine does meanwhile."""

from collections.abc import Callable
from time import thread_time


def processor_seconds(work: Callable[[], object]) -> float:
    """Processor time of this thread: a busy machine makes work take longer, and costs no more of it."""
    begun = thread_time()
    work()
    return thread_time() - begun
