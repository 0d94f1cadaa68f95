"""A worker for tests of the queue."""

from typing import Any

from procrastinate.periodic import PeriodicRegistry

from apps.jobs.tasks import PLACES, job_app
from apps.threads.checkpointer import Saver
from brain.resources import Resources
from memory.postgres.roles import Addresses

EVERYTHING = [queue for queues in PLACES for queue in queues]
"""Every queue that a worker takes from."""


async def work(where: Addresses, resources: Resources, saver: Saver | None = None, **options: Any) -> None:
    """Do what waits and end, unless ``options`` of procrastinate's worker say otherwise.

    Nothing is queued because of the time of day: what is done once an hour would wait here in ten minutes of each.
    """
    app = job_app(where.session, resources, saver)
    app.periodic_registry = PeriodicRegistry()
    told: dict[str, Any] = {"queues": ["evolution"], "wait": False, **options}
    async with app.open_async():
        await app.run_worker_async(install_signal_handlers=False, delete_jobs="successful", **told)
