"""Asking the questions of a labelled file, with an embedding model that works and with one that does not."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from apps.calibration.dataset import Dataset, read_dataset
from apps.calibration.examination import Examination
from apps.ingestion.ingest import Destination, Ingestion
from brain.embeddings.backfill import embed_pending
from evals.evaluation.retrieval import RetrievalReport, TimedEmbedder, TimedExamination, report
from evals.evaluation.table import lines
from memory.embedding import Vector
from memory.errors import unavailable
from tests.fakes import Leanings, resources_of
from tests.this_test import own_tenant

pytestmark = pytest.mark.usefixtures("memory")


SAID = ("We adopted a puppy", "The invoice is paid", "It rained on the parade", "My sister sings")


@dataclass
class Kennel:
    """An embedding model that knows one thing: what is about dogs. It can be taken away."""

    name: str = "kennel"
    away: bool = False

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        if self.away:
            raise unavailable("The kennel is closed.")
        return [(1.0, 0.0) if "puppy" in text or "dog" in text else (0.0, 1.0) for text in texts]


def a_dataset(folder: Path) -> Dataset:
    """One question whose answer shares no word with it, and one that is not worth asking."""
    turns = [{"turn_id": f"t{n}", "speaker": "ann", "text": text} for n, text in enumerate(SAID)]
    questions: list[dict[str, object]] = [
        {"question_id": "q1", "question": "any dogs?", "category": "paraphrase", "evidence": ["t0"]},
        {"question_id": "q2", "question": "any cats?", "category": "paraphrase", "evidence": []},
    ]
    sessions = [{"session_id": "s1", "occurred_at": "2024-05-01T09:30:00", "turns": turns}]
    talk: dict[str, object] = {"conversation_id": "c", "language": "en", "sessions": sessions, "questions": questions}
    file = folder / "talk.jsonl"
    file.write_text(json.dumps(talk))
    return read_dataset(file)


async def examined(folder: Path, kennel: Kennel | None, *, away: bool = False) -> RetrievalReport:
    """The file's report; the model goes away, if it does, between writing and asking."""
    dataset = a_dataset(folder)
    watch = TimedEmbedder(kennel) if kennel else None
    resources = replace(resources_of(Leanings()), embedder=watch)
    await Ingestion(resources, Destination(tenant=own_tenant())).read(dataset.path, lambda position: None)
    timed = TimedExamination(Examination(resources, own_tenant(), "blend@4"), watch, ks=(1,))
    await embed_pending(resources, timed.examination.scope(dataset.conversations[0]))
    if kennel:
        kennel.away = away
    asked: list[None] = []
    answers = await timed.answers(dataset, lambda: asked.append(None))
    assert len(asked) == 1
    return report(dataset, timed, answers)


async def test_meaning_is_found_by_the_embedding_model_and_its_time_reported(tmp_path: Path):
    told = await examined(tmp_path, Kennel())
    assert told.total.recall == {1: 1.0}
    assert told.embeddings == "kennel"
    assert told.embedding_p50_ms > 0
    assert told.degraded == 0
    assert told.skipped == 1


async def test_without_a_model_words_alone_are_measured(tmp_path: Path):
    told = await examined(tmp_path, None)
    assert told.total.recall == {1: 0.0}
    assert told.embeddings == "none"
    assert told.degraded == 0


async def test_questions_that_went_without_their_embedding_are_counted_and_told(tmp_path: Path):
    told = await examined(tmp_path, Kennel(), away=True)
    assert told.degraded == 1
    assert "Asked without their embedding: 1." in "\n".join(lines(told))


async def test_the_table_has_a_figure_under_every_head(tmp_path: Path):
    _, head, *rows = lines(await examined(tmp_path, None))
    table = [row for row in rows if row.startswith(("paraphrase", "total"))]
    assert len(table) == 2
    assert {len(row) for row in table} == {len(head)}
    assert "R@1" in head
    assert "tok@10" in head
