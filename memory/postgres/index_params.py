"""Rows of the recall index as statement parameters."""

from collections.abc import Sequence
from dataclasses import asdict

from memory.index_rows import STANDING_CONFIDENCE, IndexRow
from retrieval.wire import int_array


def terms_params(rows: Sequence[IndexRow]) -> dict[str, object]:
    """By what several turns are found, and how far they are believed by their standing; the log tells the rest.

    The text is as it may be shown: the log alone keeps secrets.
    """
    return {
        **standing_params(),
        "source_ids": [row.source_id for row in rows],
        "event_ids": [row.turn_id for row in rows],
        "span_starts": [row.span_start for row in rows],
        "span_ends": [row.span_end for row in rows],
        "texts": [row.text for row in rows],
        "abouts": [row.about for row in rows],
        "words": [int_array(row.terms.words) for row in rows],
        "grams": [int_array(row.terms.grams) for row in rows],
        "lengths": [row.terms.length for row in rows],
    }


def standing_params() -> dict[str, object]:
    """How far a turn is believed of which some, or all, is over."""
    return {f"{standing}_confidence": STANDING_CONFIDENCE[standing] for standing in ("partly", "over")}


def row_params(row: IndexRow) -> dict[str, object]:
    """All of one row."""
    terms = {"words": int_array(row.terms.words), "grams": int_array(row.terms.grams), "length": row.terms.length}
    return {**asdict(row), **terms, "derived_from": list(row.derived_from)}
