"""Rows of the recall index as statement parameters."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from memory.index_rows import OVERTAKEN_CONFIDENCE, IndexRow


def int_array(values: Iterable[int]) -> str:
    """PostgreSQL's own spelling of an integer array: rows of different length travel in one parameter."""
    return "{" + ",".join(map(str, values)) + "}"


def terms_params(rows: Sequence[IndexRow]) -> dict[str, object]:
    """By what several rows are found, and how far those are believed that are overtaken; the log tells the rest."""
    return {
        "overtaken_confidence": OVERTAKEN_CONFIDENCE,
        "source_ids": [row.source_id for row in rows],
        "words": [int_array(row.terms.words) for row in rows],
        "grams": [int_array(row.terms.grams) for row in rows],
        "lengths": [row.terms.length for row in rows],
    }


def row_params(row: IndexRow) -> dict[str, object]:
    """All of one row."""
    terms = {"words": int_array(row.terms.words), "grams": int_array(row.terms.grams), "length": row.terms.length}
    return {**asdict(row), **terms, "derived_from": list(row.derived_from)}
