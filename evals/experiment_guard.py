"""How often does the guard of an experiment end one for nothing, and how soon one that does harm?

``python -m evals.experiment_guard --experiments 400 --people 60 200 --turns 3000 --json out.json``

People with rates of their own talk in turn, and the guard looks again and again. Three rules are told side by side:
a fifth worse and nothing else; the same with a 99 % interval that takes every turn for a separate trial; and the one
that Brain uses, whose interval knows that a person's turns are alike.
"""

import argparse
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path

from rich.console import Console
from rich.table import Table

from brain.experiments.comparison import tally
from brain.experiments.guard import MIN_TRIALS, WORSE_BY, compare
from memory.experiments import VariantCounts

PARTS = 16
LOOKS_EVERY = 10
"""Turns from one look to the next. Brain looks before every turn, which takes ten times as long to simulate."""
DEVIATIONS = 2.576
"""Of a 99 % interval."""
RATE = 0.08
"""Of the replies that people reject, on average."""
ALIKE = 8.0
"""Concentration of people's own rates around it: the lower, the more they differ."""
HARM = (1.0, 1.5, 2.0, 3.0)
"""How many times as often the tried variant is rejected."""

Counts = list[VariantCounts]
Rule = Callable[[Counts, Counts], bool]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Of so many experiments: how many a rule ended, and after how many turns in the middle."""

    rule: str
    people: int
    harm: float
    ended: float
    turns: int | None


def a_fifth_worse(tried: Counts, control: Counts) -> bool:
    """The bare rule."""
    one, other = tally(tried, "negative"), tally(control, "negative")
    return min(one.trials, other.trials) >= MIN_TRIALS and one.rate > other.rate * (1 + WORSE_BY)


def beyond_chance_by_turn(tried: Counts, control: Counts) -> bool:
    """With an interval in which each turn is a trial."""
    one, other = tally(tried, "negative"), tally(control, "negative")
    error = sqrt(sum(each.rate * (1 - each.rate) / each.trials for each in (one, other)))
    return a_fifth_worse(tried, control) and one.rate - other.rate > DEVIATIONS * error


def beyond_chance_by_person(tried: Counts, control: Counts) -> bool:
    """The rule of ``brain.experiments.guard``."""
    return compare("negative", tried, control) is not None


RULES: dict[str, Rule] = {
    "a fifth worse": a_fifth_worse,
    "and 99 % by turn": beyond_chance_by_turn,
    "and 99 % by person (Brain's)": beyond_chance_by_person,
}


def run_one(dice: random.Random, people: int, turns: int, harm: float) -> dict[str, int]:
    """After which turn each rule ended one experiment; rules that did not are absent."""
    rates = [dice.betavariate(RATE * ALIKE, (1 - RATE) * ALIKE) for _ in range(people)]
    talks = [dice.paretovariate(1.2) for _ in range(people)]
    places = [(dice.randrange(2), dice.randrange(PARTS)) for _ in range(people)]
    sums = [[[0, 0] for _ in range(PARTS)] for _ in range(2)]
    ended: dict[str, int] = {}
    for turn, person in enumerate(dice.choices(range(people), talks, k=turns), 1):
        arm, part = places[person]
        sums[arm][part][0] += dice.random() < min(1.0, rates[person] * (harm if arm else 1.0))
        sums[arm][part][1] += 1
        if turn % LOOKS_EVERY:
            continue
        tried, control = _counts(sums[1]), _counts(sums[0])
        if "a fifth worse" not in ended and not a_fifth_worse(tried, control):
            continue
        ended |= {name: turn for name, rule in RULES.items() if name not in ended and rule(tried, control)}
        if len(ended) == len(RULES):
            break
    return ended


def simulate(experiments: int, people: int, turns: int, harm: float) -> list[Outcome]:
    """Every rule on the same experiments."""
    dice = random.Random(f"{people} {turns} {harm}")
    runs = [run_one(dice, people, turns, harm) for _ in range(experiments)]
    return [_outcome(name, [run[name] for run in runs if name in run], (experiments, people, harm)) for name in RULES]


def _outcome(rule: str, ends: Sequence[int], of: tuple[int, int, float]) -> Outcome:
    experiments, people, harm = of
    middle = sorted(ends)[len(ends) // 2] if ends else None
    return Outcome(rule=rule, people=people, harm=harm, ended=len(ends) / experiments, turns=middle)


def _counts(parts: list[list[int]]) -> Counts:
    return [
        VariantCounts(variant="", part=part, judged=judged, negative=negative)
        for part, (negative, judged) in enumerate(parts)
        if judged
    ]


def main() -> None:
    """Simulate, print a table, write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.experiment_guard", description=__doc__)
    parser.add_argument("--experiments", type=int, default=400)
    parser.add_argument("--people", type=int, nargs="+", default=[60, 200])
    parser.add_argument("--turns", type=int, default=3_000, help="of everybody, the guard looking before each")
    parser.add_argument("--json", type=Path)
    told = parser.parse_args()
    found = [
        each for people in told.people for harm in HARM for each in simulate(told.experiments, people, told.turns, harm)
    ]
    table = Table("people", "rejected as often", "rule", "ended", "after turns (median)")
    for each in found:
        times = "the same" if each.harm == 1 else f"{each.harm:g} times"
        table.add_row(str(each.people), times, each.rule, f"{each.ended:.0%}", str(each.turns or "–"))
    Console().print(table)
    if told.json:
        told.json.write_text(json.dumps([asdict(each) for each in found], indent=2))


if __name__ == "__main__":
    main()
