"""When a step is tried again."""

from langgraph.types import RetryPolicy

from memory.errors import BrainError


def is_retryable(error: Exception) -> bool:
    """Only what may pass by itself: a dependency that was away or slow."""
    return isinstance(error, BrainError) and error.is_retryable


storage = RetryPolicy(max_attempts=3, initial_interval=0.2, backoff_factor=2.0, retry_on=is_retryable)
"""For steps that read and write memory. Each of their writes has a key of its own, so that doing it twice is once."""
