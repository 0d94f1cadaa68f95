"""Rows, queries and candidates for the ranking tests; only what a test is about is spelt out."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

from language.questions import analyse_question
from language.terms import analyse
from memory.index_rows import IndexRow
from memory.recall.query import CandidateRow, RecallPass, RecallQuery

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ANN = UUID(int=7)


def id_of(name: str) -> UUID:
    return uuid5(ANN, name)


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def a_row(text: str, **more: object) -> IndexRow:
    """A turn of Ann's, a day old, outside any session unless told otherwise; its id is made of its text."""
    said = ago(1)
    row = IndexRow(
        source_id=id_of(text),
        lane="turn",
        user_id=ANN,
        session_id=None,
        role="user",
        speaker="Ann",
        category="",
        text=text,
        terms=analyse(text),
        observed_at=said,
        valid_at=said,
        recorded_at=said,
    )
    return replace(row, **more)  # type: ignore[arg-type]


def a_talk(*lines: str) -> list[IndexRow]:
    """One session, one row per ``Speaker: text``."""
    split = [line.split(": ", 1) for line in lines]
    return [
        a_row(text, speaker=speaker, session_id=id_of("talk"), position=position)
        for position, (speaker, text) in enumerate(split)
    ]


def a_query(text: str, **more: object) -> RecallQuery:
    return replace(RecallQuery(text=text, question=analyse_question(text), at=NOW), **more)  # type: ignore[arg-type]


def a_candidate(text: str, **more: object) -> CandidateRow:
    candidate = CandidateRow(
        source_id=id_of(text),
        lane="turn",
        text=text,
        session_id=None,
        position=None,
        role="user",
        speaker="Ann",
        category="",
        observed_at=ago(1),
        valid_at=ago(1),
        recorded_at=ago(1),
        invalid_at=None,
        active=True,
        confidence=1.0,
        provenance="observation",
        epistemic_type=None,
        last_validated_at=None,
        injected_count=0,
        positive_count=0,
        derived_from=(),
    )
    return replace(candidate, **more)  # type: ignore[arg-type]


def a_pass(*candidates: CandidateRow, text: str = "?", **more: object) -> RecallPass:
    return RecallPass(query=a_query(text, **more), candidates=candidates)
