"""Recorded conversations as rows of the recall index, and recall over them without a database."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from functools import cached_property
from pathlib import Path
from uuid import UUID, uuid5

from apps.calibration.dataset import LabelledConversation, LabelledQuestion, read_dataset
from apps.ingestion.conversation_file import RecordedConversation as Recording
from apps.ingestion.conversation_file import RecordedSession, read_lines
from apps.iso_times import parse_time
from brain.embeddings.encoder import EncoderEmbedder, encoder_embedder
from brain.recall import RecallRequest, query_of
from memory.embedding import Vector
from memory.errors import BrainError
from memory.index_rows import IndexRow, UnembeddedRow, embedding_text, rows_of_utterance
from memory.recall.cache.corpus import Corpus, corpus_entry
from memory.recall.query import MAX_LIMIT, RecallPass, RecallQuery
from memory.scope import Scope, Speaker, scope_of, session_id_of
from memory.turns import Role, Utterance

FIRST = 8
"""Memories that a prompt carries at most."""
_PACE = timedelta(seconds=1)


@dataclass(frozen=True)
class Remembered:
    """A conversation as rows of the recall index. ``turn_of`` names the recorded turn of every row.

    ``encoder`` gave the rows their vectors, and gives questions theirs; without one words have to do.
    """

    conversation: LabelledConversation
    rows: Sequence[IndexRow]
    turn_of: Mapping[UUID, str]
    encoder: EncoderEmbedder | None = None

    @cached_property
    def corpus(self) -> Corpus:
        """The rows, held ready."""
        return Corpus(corpus_entry(row) for row in self.rows)

    def query(self, question: LabelledQuestion) -> RecallQuery:
        """The question's own words, put when the question says; without a vector."""
        at = self.conversation.question_time(question)
        return query_of(RecallRequest(text=question.question, at=at, limit=MAX_LIMIT))

    def search(self, question: LabelledQuestion) -> RecallPass:
        """One pass with the question's own words."""
        query = self.query(question)
        if self.encoder is not None:
            (vector,) = self.encoder.embed_now([query.text])
            query = replace(query, embedding=vector, embedding_model=self.encoder.name)
        return self.corpus.candidates(query)


def remember_file(path: Path, encoder: EncoderEmbedder | None = None) -> Iterator[Remembered]:
    """Every conversation of a file. Raises ``BrainError`` for a line that cannot be used."""
    recordings = [line.content for line in read_lines(path)]
    for conversation, recording in zip(read_dataset(path).conversations, recordings, strict=True):
        if isinstance(recording, BrainError):
            raise recording
        yield remember(conversation, recording, encoder)


def remember(
    conversation: LabelledConversation, recording: Recording, encoder: EncoderEmbedder | None = None
) -> Remembered:
    """All turns that say something, in their order."""
    scope = scope_of(Speaker(tenant="eval", user=conversation.conversation_id))
    rows, turn_of = list[IndexRow](), dict[UUID, str]()
    for session in recording.sessions:
        for said, position in _utterances(scope, session):
            found = rows_of_utterance(scope, session_id_of(scope, session.session_id), said, position)
            rows += found
            turn_of.update((row.source_id, said.reference or "") for row in found)
    return Remembered(conversation, _with_vectors(rows, encoder) if encoder else rows, turn_of, encoder)


def _with_vectors(rows: Sequence[IndexRow], encoder: EncoderEmbedder) -> list[IndexRow]:
    return give_vectors(rows, encoder.embed_now(embedded_texts(rows, encoder.name)), encoder.name)


def embedded_texts(rows: Sequence[IndexRow], model: str) -> list[str]:
    """What a model makes vectors of."""
    return [embedding_text(_as_unembedded(row), model) for row in rows]


def give_vectors(rows: Sequence[IndexRow], vectors: Sequence[Vector], model: str) -> list[IndexRow]:
    """The rows with their vectors, one for each in order."""
    return [replace(row, embedding=vector, embedding_model=model) for row, vector in zip(rows, vectors, strict=True)]


def _as_unembedded(row: IndexRow) -> UnembeddedRow:
    return UnembeddedRow(
        source_id=row.source_id,
        lane=row.lane,
        speaker=row.speaker,
        text=row.text,
        observed_at=row.observed_at,
        event_id=row.event_id,
        about=row.about,
    )


def encoder_of(name: str) -> EncoderEmbedder | None:
    """What ``--embeddings`` names: ``encoder`` or ``none``."""
    return encoder_embedder() if name == "encoder" else None


def _utterances(scope: Scope, session: RecordedSession) -> Iterator[tuple[Utterance, int]]:
    start = parse_time(session.occurred_at, "UTC")
    spoken = (turn for turn in session.turns if turn.full_text.strip())
    for position, turn in enumerate(spoken):
        said = Utterance(
            event_id=uuid5(scope.user_id, f"{session.session_id}/{turn.turn_id}"),
            role=_role(turn.speaker),
            speaker=turn.speaker,
            text=turn.full_text,
            occurred_at=(start + position * _PACE).astimezone(UTC),
            reference=turn.turn_id,
        )
        yield said, position


def _role(speaker: str) -> Role:
    return "assistant" if speaker == "assistant" else "user"
