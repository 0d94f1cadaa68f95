"""Which rows a query may see: the WHERE of the recall statement, in Python."""

from memory.index_rows import Searchable
from memory.recall_query import Filters, RecallQuery


def visible(row: Searchable, query: RecallQuery) -> bool:
    """Believed at the asked moment, true in the asked time, and let through by every filter."""
    return (
        not _same_question(row, query)
        and _believed(row, query)
        and _valid(row, query)
        and _in_slice(row, query)
        and _passes(row, query.filters)
    )


def _same_question(row: Searchable, query: RecallQuery) -> bool:
    """A question that was asked before in the very same words answers nothing."""
    return row.lane == "turn" and row.text == query.text and ("?" in row.text or "？" in row.text)


def keeps_history(query: RecallQuery) -> bool:
    """Whether what has ended may be seen: asking how things came to be, or about a time when they still held."""
    return query.temporal_intent == "history_trace" or (
        query.temporal_intent == "time_slice" and query.window is not None
    )


def is_plain(query: RecallQuery) -> bool:
    """Whether the question is about what is believed and true now, which most are."""
    return query.as_of is None and query.temporal_intent == "current_state"


def _believed(row: Searchable, query: RecallQuery) -> bool:
    if query.as_of is None:
        return row.active or keeps_history(query)
    return row.recorded_at <= query.as_of and (row.retired_at is None or row.retired_at > query.as_of)


def _valid(row: Searchable, query: RecallQuery) -> bool:
    """An end of validity that was only learned after ``as_of`` was not known then."""
    if keeps_history(query) or row.invalid_at is None or row.invalid_at > query.at:
        return True
    return query.as_of is not None and row.retired_at is not None


def _in_slice(row: Searchable, query: RecallQuery) -> bool:
    if query.temporal_intent != "time_slice" or query.window is None or row.lane != "fact":
        return True
    return row.valid_at < query.window.end and (row.invalid_at is None or row.invalid_at > query.window.start)


def _passes(row: Searchable, filters: Filters) -> bool:
    return (
        (not filters.lanes or row.lane in filters.lanes)
        and (not filters.categories or row.category in filters.categories)
        and (not filters.speakers or row.speaker in filters.speakers)
        and (not filters.session_ids or row.session_id in filters.session_ids)
        and (filters.observed is None or filters.observed.start <= row.observed_at < filters.observed.end)
        and row.confidence >= filters.confidence_min
        and (row.verified or not filters.verified_only)
    )
