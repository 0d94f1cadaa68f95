"""Whether a question is about now, about how things came to be, or about a stretch of time."""

from typing import Literal

from language import tables
from language.tables import pattern_of_all
from language.times.find import time_words

TemporalIntent = Literal["current_state", "history_trace", "time_slice"]

_READ = 2_000


def temporal_intent(text: str, *, names_a_time: bool = True) -> TemporalIntent:
    """Which view of time a query asks for; questions of change win over «now», a named period over neither.

    Only the first 2,000 characters are read: a longer text is no query. ``names_a_time`` is False where the caller has
    looked for times already, and found none.
    """
    query = text[:_READ]
    for language in tables.languages():
        query = tables.pattern("intent.ago", language).sub(tables.text("intent.ago", language), query)
    if pattern_of_all("intent.history").search(query):
        return "history_trace"
    if pattern_of_all("intent.now").search(query):
        return "current_state"
    return "time_slice" if names_a_time and _mentions_period(query) else "current_state"


def mentions_now(text: str) -> bool:
    """Whether a text speaks of how things are by now."""
    return bool(pattern_of_all("intent.now").search(text))


def _mentions_period(query: str) -> bool:
    """A period other than today."""
    return bool(time_words(pattern_of_all("intent.today").sub(" ", query)))
