"""Time in words: where expressions stand in a text, what they mean, and which view of time a question asks for."""

from memory.temporal.find import TimeSpan, find_times, time_words, zone_of
from memory.temporal.intent import temporal_intent
from memory.temporal.periods import Granularity, Kind

__all__ = [
    "Granularity",
    "Kind",
    "TimeSpan",
    "find_times",
    "temporal_intent",
    "time_words",
    "zone_of",
]
