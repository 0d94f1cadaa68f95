"""Does the ladder of stage budgets hold the 95th percentile at 1,000 questions a second? By simulation.

``python -m evals.stage_budgets --json out.json``

A seeded discrete-event simulation: questions arrive at random and go to whichever process has the fewest at hand, as
``docs/haproxy.cfg`` lets its balancer do; each process computes one burst at a time, in the order of arrival, for as
long as was measured on the rung that it stands on
(``evals/data/stage_times.json``, by ``python -m evals.stage_times``). Waits for the database are added: five
milliseconds a segment unless ``--measured-waits``: on a busy machine they measure who else computes. The ladder is
the one that serves, with its clock simulated. There are as many processes as 1,000 questions a second overload by
``--overload`` while nothing is left out.
"""

import argparse
import heapq
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from math import ceil
from pathlib import Path
from random import Random

from rich.console import Console

from brain.stage_budgets import Relief, StageBudgets, StageController
from evals.evaluation.metrics import percentile
from evals.stage_times import SEGMENTS, SegmentTimes, read_times

TIMES = Path(__file__).with_name("data") / "stage_times.json"
RUNGS: tuple[Relief, ...] = ("load_rewrites", "load_vectors", "load_candidates")
"""What the measured turns can do without: they have no knowledge and no model that reads the finds again."""
NOTED = {"open": "open_session", "retrieval": "retrieve", "context": "rerank"}
Levels = Sequence[dict[str, SegmentTimes]]


@dataclass(frozen=True, kw_only=True)
class Load:
    """Questions a second, phase by phase, and the seconds of each: before, at the peak, and after.

    ``wait``: milliseconds of each segment beside its computing; None takes what was measured.
    """

    rates: tuple[float, float, float] = (500.0, 1_000.0, 400.0)
    seconds: tuple[float, float, float] = (60.0, 300.0, 300.0)
    overload: float = 1.15
    wait: float | None = 5.0
    seed: int = 1

    @property
    def starts(self) -> tuple[float, float, float, float]:
        """When each phase begins, and the end."""
        before, peak, after = self.seconds
        return 0.0, before, before + peak, before + peak + after


@dataclass
class Process:
    """One process: the rung that it stands on, when it is done with what came before, and its turns at hand."""

    stages: StageController
    free_at: float = 0.0
    at_hand: int = 0
    computed: float = 0.0

    def worked(self, now: float) -> float:
        """Seconds that it has computed until now."""
        return self.computed - max(0.0, self.free_at - now)


@dataclass
class Outcome:
    """Milliseconds before the model by the phase in which a question came, and seconds spent on each rung."""

    paths: tuple[list[float], list[float], list[float]] = field(default_factory=lambda: ([], [], []))
    levels: dict[int, int] = field(default_factory=dict[int, int])
    steps: int = 0
    last_level: int = 0


class Simulation:
    """A run over so many processes; without ``holds`` nothing is ever left out."""

    def __init__(self, levels: Levels, load: Load, *, holds: bool, budgets: StageBudgets | None = None) -> None:
        self._levels, self._load, self._holds = levels, load, holds
        self._random, self.now = Random(load.seed), 0.0
        kept = budgets or StageBudgets()
        self.processes = [self._start(kept) for _ in range(processes(levels, load))]
        self.outcome = Outcome()

    def _start(self, budgets: StageBudgets) -> Process:
        stages = StageController(budgets, lambda: self.now, lambda: process.worked(self.now), RUNGS)
        process = Process(stages)
        return process

    def run(self) -> Outcome:
        """Until every question has its answer."""
        events = [(at, number, 0, at, at) for number, at in enumerate(self._arrivals())]
        heapq.heapify(events)
        placed = dict[int, Process]()
        while events:
            self.now, number, segment, came, began = heapq.heappop(events)
            process = placed.get(number) or placed.setdefault(number, self._least_busy(number))
            if segment:
                self._note(process, segment - 1, began)
            if segment == len(SEGMENTS) - 1:
                self._count(came, process)
            if segment < len(SEGMENTS):
                done = self._compute(process, segment)
                heapq.heappush(events, (done, number, segment + 1, came, self.now))
            process.at_hand += (segment == 0) - (segment == len(SEGMENTS))
        self.outcome.last_level = max(each.stages.level for each in self.processes)
        return self.outcome

    def _least_busy(self, number: int) -> Process:
        """One of those that have the fewest turns at hand, another one each time."""
        first = number % len(self.processes)
        return min(self.processes[first:] + self.processes[:first], key=lambda each: each.at_hand)

    def _arrivals(self) -> list[float]:
        times = list[float]()
        for rate, (start, end) in zip(self._load.rates, pairwise(self._load.starts), strict=True):
            at = start + self._random.expovariate(rate)
            while at < end:
                times.append(at)
                at += self._random.expovariate(rate)
        return times

    def _compute(self, process: Process, segment: int) -> float:
        times = self._levels[process.stages.level][SEGMENTS[segment]]
        seconds = self._random.choice(times.computing) / 1000
        process.free_at, process.computed = max(process.free_at, self.now) + seconds, process.computed + seconds
        wait = times.wait if self._load.wait is None else self._load.wait
        return process.free_at + wait / 1000

    def _note(self, process: Process, segment: int, began: float) -> None:
        before = process.stages.level
        if self._holds and (step := NOTED.get(SEGMENTS[segment])):
            process.stages.note(step, (self.now - began) * 1000)
        self.outcome.steps += process.stages.level != before

    def _count(self, came: float, process: Process) -> None:
        phase = sum(came >= start for start in self._load.starts[1:3])
        self.outcome.paths[phase].append((self.now - came) * 1000)
        level = process.stages.level
        self.outcome.levels[level] = self.outcome.levels.get(level, 0) + 1


def processes(levels: Levels, load: Load) -> int:
    """How many the peak overloads."""
    return max(1, ceil(load.rates[1] * turn_milliseconds(levels[0]) / 1000 / load.overload))


def turn_milliseconds(level: dict[str, SegmentTimes]) -> float:
    """What a turn computes on average."""
    return sum(sum(its.computing) / len(its.computing) for its in level.values())


def share_above(milliseconds: Sequence[float], budget: float) -> float:
    """Of those that took longer."""
    return sum(each > budget for each in milliseconds) / max(1, len(milliseconds))


def compare(levels: Levels, load: Load) -> dict[str, object]:
    """The figures with the ladder and without."""
    told: dict[str, object] = {
        **asdict(load),
        "budget_ms": StageBudgets().total,
        "processes": processes(levels, load),
        "turn_ms_by_level": [round(turn_milliseconds(each), 2) for each in levels],
    }
    for name, holds in (("with_the_ladder", True), ("without", False)):
        outcome = Simulation(levels, load, holds=holds).run()
        told[name] = {
            "p50_ms": [round(percentile(each, 0.5), 1) for each in outcome.paths],
            "p95_ms": [round(percentile(each, 0.95), 1) for each in outcome.paths],
            "above_budget": [round(share_above(each, StageBudgets().total), 4) for each in outcome.paths],
            "questions": sum(map(len, outcome.paths)),
            "questions_by_level": dict(sorted(outcome.levels.items())),
            "changes_of_level_per_process": round(outcome.steps / processes(levels, load), 1),
            "level_at_the_end": outcome.last_level,
        }
    return told


def main() -> None:
    """Simulate, print, write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.stage_budgets", description=__doc__)
    parser.add_argument("--rates", type=float, nargs=3, default=Load().rates, help="before, at the peak, after")
    parser.add_argument("--seconds", type=float, nargs=3, default=Load().seconds)
    parser.add_argument("--overload", type=float, default=Load().overload)
    parser.add_argument("--measured-waits", action="store_true", help="instead of five milliseconds a segment")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="where to write the figures")
    told = parser.parse_args()
    rates, seconds = tuple(told.rates), tuple(told.seconds)
    wait = None if told.measured_waits else Load().wait
    load = Load(rates=rates, seconds=seconds, overload=told.overload, seed=told.seed, wait=wait)
    figures = compare(read_times(TIMES), load)
    Console().print_json(data=figures)
    if told.json:
        told.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
