"""Which rows a query may see: the WHERE of the recall statement, over columns."""

import numpy as np

from memory.recall.cache.columns import Columns, Flags, seconds, session_key
from memory.recall.query import ANYTHING, Filters, RecallQuery


def visibility_mask(rows: Columns, query: RecallQuery) -> Flags:
    """Believed at the asked moment, true in the asked time, let through by every filter; not the question itself."""
    if is_about_now(query):  # two comparisons a row; every other question reads on
        seen = rows["active"] & _holds_mask(rows, query)
    else:
        seen = _belief_mask(rows, query) & _validity_mask(rows, query) & _slice_mask(rows, query)
    seen[rows.same_question(query.text)] = False
    return seen if query.filters == ANYTHING else seen & _filter_mask(rows, query.filters)


def can_see_history(query: RecallQuery) -> bool:
    """Whether what has ended may be seen: asking how things came to be, or about a time when they still held."""
    return query.temporal_intent == "history_trace" or (
        query.temporal_intent == "time_slice" and query.window is not None
    )


def is_about_now(query: RecallQuery) -> bool:
    """Whether the question is about what is believed and true now, which most are."""
    return query.as_of is None and query.temporal_intent == "current_state"


def _belief_mask(rows: Columns, query: RecallQuery) -> Flags:
    if query.as_of is None:
        return rows["active"] | can_see_history(query)
    then = seconds(query.as_of)
    return (rows["recorded"] <= then) & (rows["retired"] > then)


def _validity_mask(rows: Columns, query: RecallQuery) -> Flags:
    """An end of validity that was only learned after ``as_of`` was not known then."""
    holds = _holds_mask(rows, query) | can_see_history(query)
    return holds if query.as_of is None else holds | np.isfinite(rows["retired"])


def _holds_mask(rows: Columns, query: RecallQuery) -> Flags:
    """What was over by its own words when it was said is no less true now."""
    return (rows["ends"] > seconds(query.at)) | (rows["fact"] & (rows["ends"] <= rows["observed"]))


def _slice_mask(rows: Columns, query: RecallQuery) -> Flags:
    if query.temporal_intent != "time_slice" or query.window is None:
        return np.ones(len(rows), np.bool_)
    start, end = seconds(query.window.start), seconds(query.window.end)
    return ~rows["fact"] | ((rows["begins"] < end) & (rows["ends"] > start))


def _filter_mask(rows: Columns, filters: Filters) -> Flags:
    passing = (rows["confidence"] >= filters.confidence_min) & (rows["verified"] | (not filters.verified_only))
    names = {
        "lane": filters.lanes,
        "category": filters.categories,
        "speaker": filters.speakers,
        "session": tuple(map(session_key, filters.session_ids)),
    }
    for column, wanted in names.items():
        if wanted:
            passing &= rows.name_mask(column, wanted)
    if filters.observed is not None:
        start, end = seconds(filters.observed.start), seconds(filters.observed.end)
        passing &= (rows["observed"] >= start) & (rows["observed"] < end)
    return passing
