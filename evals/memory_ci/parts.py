"""The parts of memory CI in the order in which they run, and how one of them is run, whatever becomes of it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

import structlog

from evals.memory_ci.bench import Bench
from evals.memory_ci.canaries import find_canaries
from evals.memory_ci.contradictions import find_contradictions
from evals.memory_ci.erased import find_erased
from evals.memory_ci.injected import find_injected
from evals.memory_ci.junk import find_junk
from evals.memory_ci.killed import find_killed
from evals.memory_ci.leaks import find_leaks
from evals.memory_ci.poisoning import find_poisoning
from evals.memory_ci.report import Findings, PartReport
from evals.memory_ci.retrieval import find_retrieval
from evals.memory_ci.wrong_acts import find_wrong_acts
from memory.errors import BrainError, bad_request

log = structlog.get_logger(__name__)
HANGS = 3
"""Times its seconds after which a part counts as hanging: on a busy machine one case may take long."""


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part by the word that names it; it stops by itself after about so many ``seconds``."""

    name: str
    title: str
    find: Callable[[Bench], Awaitable[Findings]]
    seconds: float


PARTS: Sequence[Part] = (
    Part(name="acts", title="Wrong acts", find=find_wrong_acts, seconds=150),
    Part(name="contradictions", title="Contradictions", find=find_contradictions, seconds=90),
    Part(name="poisoning", title="Poisoning, detector off", find=find_poisoning, seconds=75),
    Part(name="canaries", title="Injection canaries", find=find_canaries, seconds=75),
    Part(name="leaks", title="Leak fuzzing", find=find_leaks, seconds=75),
    Part(name="erasure", title="Erasure canaries", find=find_erased, seconds=60),
    Part(name="kills", title="Killed workers", find=find_killed, seconds=75),
    Part(name="injection", title="Injection gate", find=find_injected, seconds=75),
    Part(name="retrieval", title="Retrieval by kind", find=find_retrieval, seconds=90),
    Part(name="junk", title="Junk over weeks", find=find_junk, seconds=90),
)
"""Fourteen minutes at most together; the last two cannot stop by themselves, and take that on two cores."""


def choose_parts(names: Sequence[str]) -> list[Part]:
    """The parts of these names, all without any. Raises ``E_BAD_REQUEST`` for a name that none has."""
    known = {part.name: part for part in PARTS}
    if unknown := [name for name in names if name not in known]:
        raise bad_request(f"There is no part {unknown[0]!r}.", f"Choose among {', '.join(known)}.")
    return [part for part in PARTS if not names or part.name in names]


async def run_part(part: Part, bench: Bench) -> PartReport:
    """Its findings; a part that breaks has not run, and the others go on."""
    begun = time.monotonic()
    findings, reason = None, ""
    try:
        async with asyncio.timeout(HANGS * part.seconds):
            findings = await part.find(replace(bench, seconds=part.seconds))
    except BrainError as error:
        reason = error.code
        log.error("part_not_run", part=part.name, code=error.code, why=error.message, hint=error.hint)
    except Exception as error:
        # A measurement may die of anything; the page tells the kind alone, because a message may name what is secret.
        reason = type(error).__name__
        log.exception("part_not_run", part=part.name)
    seconds = round(time.monotonic() - begun, 1)
    return PartReport(name=part.name, title=part.title, seconds=seconds, findings=findings, reason=reason)
