"""Workers that die in the middle of a job: forked from one process that has everything heavy loaded, one per line read.

``python -m evals.dying_worker URL`` reads lines ``NODE before|after`` and answers each with the signal that
its worker died of. The graph is imported in the worker, around the node that kills it.
"""

import asyncio
import importlib
import os
import signal
import sys
from typing import Any

from brain.state import Update
from evals.rule_worker import a_saver, rule_resources
from evolution.state import EvolutionState
from language.encoder import sentence_encoder
from memory.postgres.database import Database

MODULES = {
    "observe": "evolution.observe",
    "correct": "evolution.correct",
    "analyze": "evolution.extraction.analyze",
    "absolutize": "evolution.absolutization.absolutize",
    "normalize": "evolution.normalize",
    "reconcile": "evolution.reconcile",
    "gate": "evolution.gate",
    "write": "evolution.write",
    "merge_profiles": "evolution.merge_profiles",
    "note_day": "evolution.note_day",
    "curate_memory": "evolution.upkeep.curate",
    "fold_session": "evolution.summaries.fold_session",
}
"""Where each node is."""


def main() -> None:
    """Fork, let the child die, say how."""
    for each in MODULES.values():
        importlib.import_module(each)
    sentence_encoder().load()
    print("ready", flush=True)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            die(*line.split())
        print(os.WTERMSIG(os.waitpid(child, 0)[1]), flush=True)


def die(node: str, moment: str) -> None:
    """Work until this node, and be killed before it does anything, or right after it did and before anybody knows."""
    module = importlib.import_module(MODULES[node])
    step = getattr(module, node)

    async def fatal(state: EvolutionState, runtime: Any) -> Update:
        if moment == "after":
            await step(state, runtime)
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("nobody survives this")

    setattr(module, node, fatal)
    asyncio.run(work(sys.argv[1]))
    os._exit(0)


async def work(url: str) -> None:
    """One worker, as ``brain worker`` runs it, until nothing is left."""
    jobs = importlib.import_module("apps.jobs.tasks")
    async with Database(url) as database, a_saver(url) as saver:
        app = jobs.job_app(url, rule_resources(database), saver)
        async with app.open_async():
            await app.run_worker_async(
                queues=["evolution"], wait=False, install_signal_handlers=False, delete_jobs="successful"
            )


if __name__ == "__main__":
    main()
