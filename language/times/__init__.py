"""Time in words: where expressions stand in a text, what they mean, and which view of time a question asks for."""

from language.times.find import TimeSpan, find_times, time_words, zone_of
from language.times.intent import TemporalIntent, mentions_now, temporal_intent
from language.times.periods import Granularity, Kind

__all__ = [
    "Granularity",
    "Kind",
    "TemporalIntent",
    "TimeSpan",
    "find_times",
    "mentions_now",
    "temporal_intent",
    "time_words",
    "zone_of",
]
