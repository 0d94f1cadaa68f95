"""Wrong acts: requests of memory and what only sounds like them, kept aside. What nobody asked for counts first."""

from collections import Counter
from pathlib import Path

from evals.memory_ci.bench import Bench, told_of_time
from evals.memory_ci.report import Figure, Findings
from evals.requests import Case, Verdict, judge, read

DATA = Path(__file__).parents[1] / "data"
QUICK = 12
FORGOTTEN_TALK = 0.12
"""Share of look-alikes that may go unremembered, or change a memory: 7.5 % was reached, none of which changed one."""


async def find_wrong_acts(bench: Bench) -> Findings:
    """Every case is a person of its own, through the real turn with the configured models, if any."""
    cases = bench.sample([case for path in _files() for case in read(path)], QUICK)
    seen, done = Counter[tuple[str, Verdict]](), 0
    async with bench.open() as resources:
        for case in bench.in_time(cases):
            done += 1
            seen[_group(case), (await judge(resources, case)).verdict] += 1
    figures = [
        _figure("requests", ("wrong",), seen, most=0.0),
        _figure("near misses", ("wrong",), seen, most=0.0),
        _figure("near misses", ("ended",), seen, most=0.02),
        _figure("look-alikes", ("wrong",), seen, most=FORGOTTEN_TALK),
        _figure("requests", ("done", "asked"), seen, least=0.35),
    ]
    return Findings(figures=figures, notes=told_of_time("cases", done, len(cases)))


def _files() -> list[Path]:
    near = [
        DATA / "near_misses" / f"{name}.held.{each}.jsonl" for name in ("requests", "reads") for each in ("en", "zh")
    ]
    return [*sorted(DATA.glob("requests.held.*.jsonl")), *near]


def _group(case: Case) -> str:
    return "requests" if case.kind != "none" else "near misses" if case.is_near_miss else "look-alikes"


def _figure(
    group: str,
    verdicts: tuple[Verdict, ...],
    seen: Counter[tuple[str, Verdict]],
    most: float | None = None,
    least: float | None = None,
) -> Figure:
    return Figure(
        name=f"{group}: {' or '.join(verdicts)}",
        part=sum(seen[group, each] for each in verdicts),
        whole=sum(count for (name, _), count in seen.items() if name == group),
        most=most,
        least=least,
        is_wrong=most is not None,
    )
