"""Contradictions: what a newer statement does to an older one, on the pairs that nearly miss and are kept aside."""

from collections import Counter
from collections.abc import Mapping

from evals.memory_ci.bench import Bench, told_of_time
from evals.memory_ci.report import Figure, Findings
from evals.near_misses import Pair, Sort, held_files, judge, live, read_pairs, sort_of

QUICK = 12
MOST: Mapping[str, float] = {
    "text that nobody said": 0.0,
    "both hold: ended": 0.04,
    "both hold: in doubt": 0.04,
    "both hold: marked in the prompt": 0.04,
    "both hold: in open conflict": 0.06,
    "newest marked": 0.0,
    "compound: another part lost": 0.0,
}
"""Wrong acts, with the share that was reached on these pairs by rules, and one pair more."""
LEAST: Mapping[str, float] = {
    "exclude each other: ended or in open conflict": 0.3,
    "exclude each other: newer first": 0.95,
    "compound: changed part over, named or in conflict": 0.25,
}


async def find_contradictions(bench: Bench) -> Findings:
    """Each pair is a life of its own, through the real evolution graph with the configured model, if any."""
    pairs: list[tuple[Sort, Pair]] = [(sort_of(path), pair) for path in held_files() for pair in read_pairs(path)]
    cases, part, whole, done = bench.sample(pairs, QUICK), Counter[str](), Counter[str](), 0
    async with bench.open() as resources:
        for sort, pair in bench.in_time(cases):
            done += 1
            for name, verdict in judge(sort, await live(resources, pair)):
                if verdict is not None and name in (*MOST, *LEAST):
                    part[f"{pair.language}: {name}"] += verdict
                    whole[f"{pair.language}: {name}"] += 1
    figures = [_figure(language, name, part, whole) for language in ("en", "zh") for name in (*MOST, *LEAST)]
    return Findings(figures=figures, notes=told_of_time("pairs", done, len(cases)))


def _figure(language: str, name: str, part: Counter[str], whole: Counter[str]) -> Figure:
    key = f"{language}: {name}"
    return Figure(
        name=key,
        part=part[key],
        whole=whole[key],
        most=MOST.get(name),
        least=LEAST.get(name),
        is_wrong=name in MOST,
    )
