"""How things are timed here: side by side, turn by turn, several times over, so that the machine's noise shows."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from evals.evaluation.metrics import percentile

Call = Callable[[int], Awaitable[object]]
"""The n-th thing that a contender is asked; every contender is asked the same thing under the same number."""
Clock = Callable[[], float]


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Milliseconds of one contender. Each figure is the median over the repetitions; ``low`` and ``high`` are the
    smallest and the greatest p50 of a repetition: what lies between them is the machine's noise."""

    p50: float
    p95: float
    low: float
    high: float
    calls: int

    def __str__(self) -> str:
        return f"{self.p50:.2f} / {self.p95:.2f} ({self.low:.2f}–{self.high:.2f})"


@dataclass(frozen=True, kw_only=True)
class Load:
    """What a contender sustains under so many clients at once; latencies in milliseconds."""

    clients: int
    per_second: float
    p50: float
    p95: float


@dataclass(frozen=True, kw_only=True)
class Rounds:
    """How often to ask: ``repetitions`` times ``calls``, after ``warm_up`` calls that do not count."""

    calls: int = 40
    repetitions: int = 3
    warm_up: int = 5


def timing(repetitions: Sequence[Sequence[float]]) -> Timing:
    """Seconds, by repetition, as milliseconds to report."""
    medians = [percentile(each, 0.5) * 1000 for each in repetitions]
    tails = [percentile(each, 0.95) * 1000 for each in repetitions]
    return Timing(
        p50=percentile(medians, 0.5),
        p95=percentile(tails, 0.5),
        low=min(medians, default=math.nan),
        high=max(medians, default=math.nan),
        calls=sum(map(len, repetitions)),
    )


async def measure_interleaved(
    contenders: Mapping[str, Call], rounds: Rounds, clock: Clock = perf_counter
) -> dict[str, list[list[float]]]:
    """Seconds of every call, by contender and repetition.

    Within a round each contender is asked once, and another one begins each time: whatever else the machine does
    falls on all alike.
    """
    names, number = list(contenders), 0
    seconds: dict[str, list[list[float]]] = {name: [] for name in names}
    for repetition in range(rounds.repetitions):
        for name in names:
            seconds[name].append([])
        skipped = rounds.warm_up if repetition == 0 else 0
        for round_number in range(rounds.calls + skipped):
            for name in _rotate(names, round_number):
                took = await _time_call(contenders[name], number, clock)
                if round_number >= skipped:
                    seconds[name][-1].append(took)
            number += 1
    return seconds


async def under_load(call: Call, clients: int, seconds: float, clock: Clock = perf_counter) -> Load:
    """Ask from ``clients`` tasks at once, each anew as soon as it was answered, for so many seconds."""
    took: list[float] = []
    begun = clock()

    async def client(first: int) -> None:
        number = first
        while clock() - begun < seconds:
            took.append(await _time_call(call, number, clock))
            number += clients

    await asyncio.gather(*(client(number) for number in range(clients)))
    return Load(
        clients=clients,
        per_second=len(took) / (clock() - begun),
        p50=percentile(took, 0.5) * 1000,
        p95=percentile(took, 0.95) * 1000,
    )


def ratio(theirs: float, ours: float) -> float:
    """How many times as long theirs takes; NaN when ours took nothing."""
    return theirs / ours if ours else math.nan


def _rotate(names: list[str], by: int) -> list[str]:
    turn = by % len(names) if names else 0
    return names[turn:] + names[:turn]


async def _time_call(call: Call, number: int, clock: Clock) -> float:
    begun = clock()
    await call(number)
    return clock() - begun
