"""The injection gate: what stands before the model, held against what the default configuration reached."""

from brain.context import Context
from evals.evaluation.baseline import read_baseline
from evals.evaluation.injection import ALL, BRAIN, Tally, measure_injection, sum_groups
from evals.evaluation.injection_data import WORLDS, read_worlds
from evals.evaluation.injection_gate import InjectionBaseline, falls
from evals.evaluation.own_data import own_data
from evals.memory_ci.bench import Bench, told_of_time
from evals.memory_ci.report import Figure, Findings

BASELINE = "injection/baseline.json"
QUICK = 12


async def find_injected(bench: Bench) -> Findings:
    """Every world, with the configured policy and embedding model."""
    worlds = bench.sample(read_worlds(own_data(WORLDS)), QUICK)
    async with bench.open() as resources:
        context = Context(resources=resources, ranking_policy=resources.settings.ranking_policy)
        measured = [
            each
            for world in bench.in_time(worlds)
            for each in (await measure_injection(context, [world], [BRAIN]))[BRAIN]
        ]
    groups = sum_groups(measured)
    told = {name.removeprefix(f"{ALL} "): tally for name, tally in groups.items() if name.startswith(f"{ALL} ")}
    return Findings(
        figures=[figure for name, tally in told.items() for figure in _figures(name, tally)],
        faults=falls(measured, read_baseline(InjectionBaseline, own_data(BASELINE)[0])),
        notes=told_of_time("worlds", len(measured), len(worlds)),
    )


def _figures(name: str, tally: Tally) -> list[Figure]:
    """Wrong memories count as none of the wrong acts: they mislead, and do nothing."""
    if not tally.needed:
        return [Figure(name=f"{name}: messages with a wrong memory", part=tally.wrong_messages, whole=tally.messages)]
    return [
        Figure(name=f"{name}: precision", part=tally.found, whole=tally.labelled),
        Figure(name=f"{name}: recall", part=tally.found, whole=tally.needed),
    ]
