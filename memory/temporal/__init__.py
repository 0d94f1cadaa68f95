"""Time in words: where expressions stand in a text, what they mean, and which view of time a question asks for."""

from memory.temporal.find import TimeSpan, find_times, zone_of
from memory.temporal.intent import TemporalIntent, temporal_intent
from memory.temporal.periods import Granularity, Kind

__all__ = [
    "Granularity",
    "Kind",
    "TemporalIntent",
    "TimeSpan",
    "find_times",
    "temporal_intent",
    "zone_of",
]
