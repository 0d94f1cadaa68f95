"""Junk over simulated weeks: ordinary chat around a model that recites memories, and people who quote them back."""

from evals.junk_over_time import Options, live_months, together
from evals.memory_ci.bench import Bench
from evals.memory_ci.report import Figure, Findings

PEOPLE, DAYS = 4, 21
UNASKED = 0.45
"""Share of what is stored that nobody asked for, at most; the defaults leave 32 to 37 %, over three seeds."""
FEW_PEOPLE, FEW_DAYS = 2, 4
"""In a quick run, and where a model takes the notes: each message is a call or more."""


async def find_junk(bench: Bench) -> Findings:
    """What is stored at the end of the last day, held against the few true things that were said."""
    is_short = bench.is_quick or bench.has_model
    people, days = (FEW_PEOPLE, FEW_DAYS) if is_short else (PEOPLE, DAYS)
    options = Options(people=people, days=days, server=bench.server)
    last = together(await live_months(options, lambda: None, bench.settings))[-1]
    return Findings(
        figures=[
            Figure(name="stored, asked for by nobody", part=last.unasked, whole=last.stored, most=UNASKED),
            Figure(name="living, asked for by nobody", part=last.living_unasked, whole=last.living, most=UNASKED),
            Figure(name="said twice", part=last.repeated, whole=last.living, most=0.02),
            Figure(name="resting on a quotation of Brain", part=last.echoes, whole=last.stored, most=0.1),
            Figure(name="true things that are known", part=last.known, whole=last.truths, least=0.6),
        ],
        notes=[f"{people} people, {days} days, {last.messages} messages."],
    )
