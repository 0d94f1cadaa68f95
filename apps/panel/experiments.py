"""Experiments, for who runs the server: each variant's measures with their intervals, to be read and not changed."""

from starlette.responses import Response

from apps.memory_api import experiments as api
from apps.panel.page import Visit

MAX_SHOWN = 20
"""Experiments whose variants are counted for the page, the newest first."""


async def list_experiments(visit: Visit) -> Response:
    """The tenant's experiments, the newest first."""
    found: api.ExperimentList = await visit.ask(api.list_experiments)
    shown: list[api.ExperimentResult] = [
        await visit.ask(api.show_experiment, name=each.name) for each in found.experiments[:MAX_SHOWN]
    ]
    return visit.render("experiments.html", experiments=shown, more=len(found.experiments) - len(shown))
