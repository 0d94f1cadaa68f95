"""Time in words: where expressions stand in a text, what they mean, and which view of time a question asks for."""

from language.times.find import TimeSpan, find_times, time_words, zone_of
from language.times.intent import TemporalIntent, mentions_now, temporal_intent
from language.times.periods import Granularity, Kind
from language.times.validity import Validity, find_validity

__all__ = [
    "Granularity",
    "Kind",
    "TemporalIntent",
    "TimeSpan",
    "Validity",
    "find_times",
    "find_validity",
    "mentions_now",
    "temporal_intent",
    "time_words",
    "zone_of",
]
