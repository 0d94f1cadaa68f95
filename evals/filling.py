"""Fill the recall index with many people's memories, as life would have left them: interleaved in time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import islice
from random import Random
from struct import pack
from typing import Any
from uuid import UUID, uuid5

import numpy as np
import psycopg
from numpy.typing import NDArray
from rich.progress import Progress

from evals.made_up_talk import Saying, sayings
from language.terms import Terms, analyse
from memory.scope import Scope, name_id

MODEL = "made-up"
"""The name under which made-up vectors stand."""
BEGINNING = datetime(2024, 1, 1, tzinfo=UTC)
PERIOD = timedelta(days=720)
SAYINGS = 20_000
TENANT_SIZE = 100
"""People per tenant."""
FACT_SHARE = 0.1
"""One row in ten is a fact taken from a turn; the others are turns."""

_OTHERS = (100, 500, 1_000, 2_000)
_SESSION = 24
_BURST = (2, 20)
_CHUNK = 500
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_SIGNATURE = b"PGCOPY\n\xff\r\n\0" + pack(">ii", 0, 0)
_COPY = (
    "copy brain.recall_index (tenant_id, scope, user_id, source_id, observed_at, valid_at, recorded_at, session_id,"
    " position, lane, confidence, role, speaker, text, words, grams, length, embedding_model, embedding)"
    " from stdin with (format binary)"
)
_COLUMNS = 19
_NULL = pack(">i", -1)


@dataclass(frozen=True)
class Person:
    """Somebody with so many memories."""

    tenant: str
    user: str
    memories: int

    @cached_property
    def scope(self) -> Scope:
        """Whose rows these are."""
        return Scope(tenant_id=name_id("tenant", self.tenant), user_id=name_id("user", self.tenant, self.user))


@dataclass(frozen=True, kw_only=True)
class Population:
    """Who is in the table: the people asked about, and everybody else's rows; ``dimensions`` 0 means no vectors."""

    asked: tuple[Person, ...]
    others: int
    dimensions: int
    seed: int = 1
    talk: tuple[Saying, ...] = field(default=(), repr=False)

    @property
    def rows(self) -> int:
        """All rows."""
        return sum(person.memories for person in self.asked) + self.others


def population(asked: Sequence[Person], others: int, dimensions: int, seed: int = 1) -> Population:
    """The people asked about, and ``others`` rows of everybody else."""
    talk = tuple(sayings(SAYINGS, seed))
    return Population(asked=tuple(asked), others=others, dimensions=dimensions, seed=seed, talk=talk)


def vectors(count: int, dimensions: int, chance: np.random.Generator) -> NDArray[np.float32]:
    """So many random unit vectors, float32 ``[count, dimensions]``."""
    made = chance.standard_normal((count, dimensions), dtype=np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def fill(owner_url: str, people: Population, progress: Progress) -> None:
    """Write all rows with COPY and analyse. ``owner_url`` must be a superuser's: row-level security bars others."""
    task = progress.add_task(f"filling {people.rows:,} rows × {people.dimensions} dimensions", total=people.rows)
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("truncate brain.recall_index")
        with connection.cursor() as cursor, cursor.copy(_COPY) as copy:
            copy.write(_SIGNATURE)
            for rows in _chunks(people):
                copy.write(b"".join(rows))
                progress.advance(task, len(rows))
            copy.write(pack(">h", -1))
        connection.execute("vacuum (analyze, freeze) brain.recall_index")


@dataclass(frozen=True)
class _Burst:
    """A stretch of rows that one person leaves at one time."""

    at: datetime
    person: int
    first: int
    rows: int


def _chunks(people: Population) -> Iterator[list[bytes]]:
    """Rows in order of time, as COPY wants them, vectors last."""
    chance, vector_chance = Random(people.seed), np.random.default_rng(people.seed)
    everybody = [*people.asked, *_everybody_else(people.others, chance)]
    talk = [_encode_saying(saying) for saying in people.talk]
    rows = _rows(everybody, _bursts(everybody, len(people.asked), chance), talk, chance)
    while chunk := list(islice(rows, _CHUNK)):
        yield [row + vector for row, vector in zip(chunk, _vectors(len(chunk), people, vector_chance), strict=True)]


def _everybody_else(rows: int, chance: Random) -> Iterator[Person]:
    number = 0
    while rows > 0:
        size = min(rows, chance.choice(_OTHERS))
        yield Person(f"tenant {number // TENANT_SIZE}", f"person {number}", size)
        rows, number = rows - size, number + 1


def _bursts(everybody: Sequence[Person], always_there: int, chance: Random) -> list[_Burst]:
    """Each person's rows in bursts over the time they were there; the first ``always_there`` people all the time."""
    bursts: list[_Burst] = []
    for number, person in enumerate(everybody):
        begun, share = (0.0, 1.0) if number < always_there else (chance.random() * 0.8, 0.2)
        moments = sorted(begun + share * chance.random() for _ in range(1 + person.memories // 8))
        bursts += _bursts_of_person(number, person.memories, moments, chance)
    return sorted(bursts, key=lambda burst: burst.at)


def _bursts_of_person(number: int, rows: int, moments: Sequence[float], chance: Random) -> Iterator[_Burst]:
    written = 0
    for moment in moments:
        size = min(chance.randint(*_BURST), rows - written)
        if size:
            yield _Burst(BEGINNING + PERIOD * moment, number, written, size)
        written += size
    if written < rows:
        yield _Burst(BEGINNING + PERIOD * moments[-1], number, written, rows - written)


def _rows(
    everybody: Sequence[Person], bursts: Sequence[_Burst], talk: Sequence[bytes], chance: Random
) -> Iterator[bytes]:
    """All columns but the vector's."""
    owners = [_owner(person.scope) for person in everybody]
    count = 0
    for burst in bursts:
        person = everybody[burst.person]
        for number in range(burst.first, burst.first + burst.rows):
            session = uuid5(person.scope.user_id, str(number // _SESSION))
            count += 1
            yield b"".join(
                (
                    owners[burst.person],
                    _encode_id_and_times(burst.at, count),
                    _where(session, number, is_fact=chance.random() < FACT_SHARE),
                    talk[int(chance.random() * len(talk))],
                )
            )


def _owner(scope: Scope) -> bytes:
    ids = encode_field(scope.tenant_id.bytes), encode_field(scope.key.encode()), encode_field(scope.user_id.bytes)
    return pack(">h", _COLUMNS) + b"".join(ids)


def _encode_id_and_times(at: datetime, count: int) -> bytes:
    """Id (growing with time, like the ids of life) and times."""
    microseconds = int((at - _EPOCH).total_seconds() * 1_000_000)
    return encode_field(UUID(int=(microseconds << 64) | count).bytes) + encode_field(pack(">q", microseconds)) * 3


def _where(session: UUID, number: int, *, is_fact: bool) -> bytes:
    position = _NULL if is_fact else encode_field(pack(">i", number % _SESSION))
    lane, confidence = (b"fact", 0.75) if is_fact else (b"turn", 1.0)
    role = b"assistant" if number % 2 and not is_fact else b"user"
    return b"".join(
        (
            encode_field(session.bytes),
            position,
            encode_field(lane),
            encode_field(pack(">f", confidence)),
            encode_field(role),
            encode_field(role),
        )
    )


def _encode_saying(saying: Saying) -> bytes:
    terms: Terms = analyse(saying.text, speaker="user", on=BEGINNING.date())
    arrays = encode_field(encode_ints(terms.words)), encode_field(encode_ints(terms.grams))
    return encode_field(saying.text.encode()) + b"".join(arrays) + encode_field(pack(">i", terms.length))


def encode_ints(values: Sequence[int]) -> bytes:
    """An integer array as COPY reads it in binary."""
    if not values:
        return pack(">iii", 0, 0, 23)
    numbers: NDArray[Any] = np.empty((len(values), 2), ">i4")
    numbers[:, 0], numbers[:, 1] = 4, values
    return pack(">iiiii", 1, 0, 23, len(values), 1) + numbers.tobytes()


def _vectors(count: int, people: Population, chance: np.random.Generator) -> Iterator[bytes]:
    if not people.dimensions:
        yield from [encode_field(b"none") + _NULL] * count
        return
    head = pack(">HH", people.dimensions, 0)
    for vector in vectors(count, people.dimensions, chance).astype(">f2"):
        yield encode_field(MODEL.encode()) + encode_field(head + vector.tobytes())


def encode_field(data: bytes) -> bytes:
    """A value as COPY reads it in binary."""
    return pack(">i", len(data)) + data
