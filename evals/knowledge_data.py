"""The questions about what an organisation knows: who wrote them had not seen the code (``evals/data/knowledge``)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import NAMESPACE_URL, UUID, uuid5

import numpy as np

from brain.embeddings.encoder import encoder_embedder
from brain.knowledge_question import VECTOR_WEIGHT
from knowledge.corpus import CorpusRow, KnowledgeCorpus
from knowledge.entries import KnowledgeDraft
from knowledge.port import KnowledgeQuestion, QuestionVector
from memory.embedding import Vector

FOLDER = Path(__file__).parent / "data" / "knowledge"
TENANT = uuid5(NAMESPACE_URL, "brain:evals:knowledge")
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Asked:
    """A question, the entries that answer it (none where nothing does), and what kind of question it is."""

    id: str
    language: str
    text: str
    kind: str
    answers: frozenset[str]
    vector: Vector

    @property
    def is_seen(self) -> bool:
        """Whether constants were fitted on it: those with odd numbers."""
        return int(self.id[1:]) % 2 == 1


@dataclass(frozen=True)
class Handbook:
    """The entries, ready to be asked; ``languages`` and ``names`` by entry."""

    corpus: KnowledgeCorpus
    names: dict[UUID, str]
    languages: dict[str, str]
    rows: Sequence[CorpusRow]

    def question(self, asked: Asked) -> tuple[KnowledgeQuestion, QuestionVector]:
        """As a turn puts it."""
        vector = QuestionVector(encoder_embedder().name, asked.vector, VECTOR_WEIGHT, is_fitted=True)
        return KnowledgeQuestion(tenant_id=TENANT, text=asked.text, at=NOW), vector


async def read_handbook() -> Handbook:
    """All entries in one corpus."""
    entries = _read("entries")
    vectors = await encoder_embedder().embed([str(each["text"]) for each in entries])
    rows = [_row(each, vector) for each, vector in zip(entries, vectors, strict=True)]
    corpus = KnowledgeCorpus()
    corpus.update(rows)
    names = {row.entry_id: str(each["id"]) for row, each in zip(rows, entries, strict=True)}
    return Handbook(corpus, names, {str(each["id"]): str(each["language"]) for each in entries}, rows)


async def read_questions() -> list[Asked]:
    """The answerable ones, then those that nothing answers and mere talk."""
    read = [*_read("questions"), *_read("unanswerable")]
    vectors = await encoder_embedder().embed([str(each["question"]) for each in read])
    return [_asked(each, vector) for each, vector in zip(read, vectors, strict=True)]


def _read(name: str) -> list[dict[str, object]]:
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _asked(each: dict[str, object], vector: Vector) -> Asked:
    answers = each.get("answers")
    return Asked(
        id=str(each["id"]),
        language=str(each["language"]),
        text=str(each["question"]),
        kind=str(each.get("kind", "answerable")),
        answers=frozenset(map(str, answers)) if isinstance(answers, list) else frozenset(),  # pyright: ignore[reportUnknownArgumentType]
        vector=vector,
    )


def _row(each: dict[str, object], vector: Vector) -> CorpusRow:
    told = {name: str(each[name]) for name in ("text", "topic", "org_tier", "brand", "platform")}
    terms = KnowledgeDraft(text=told["text"], topic=told["topic"], brand=told["brand"]).terms
    return CorpusRow(
        entry_id=uuid5(TENANT, str(each["id"])),
        kind="fact",
        role="",
        source="handbook",
        valid_from=None,
        valid_until=None,
        words=np.array(terms.words, np.int32),
        grams=np.array(terms.grams, np.int32),
        length=terms.length,
        model=encoder_embedder().name,
        vector=np.array(vector, np.float32),
        **told,
    )
