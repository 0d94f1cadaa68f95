"""Service levels, for who runs the server: a page of the panel, and the same as a file of its own."""

from markupsafe import Markup
from starlette.responses import Response

from apps.memory_api import alerts
from apps.memory_api import levels as api
from apps.panel.level_meters import draw_levels
from apps.panel.page import Visit
from apps.panel.rendering import STATIC, environment
from apps.panel.words import label_for, words_for
from language.detection import Language


async def show_levels(visit: Visit) -> Response:
    """What burns, every figure with its state and its scale, then the releases before."""
    found: api.LevelsView = await visit.ask(api.read_levels)
    burning: alerts.AlertList = await visit.ask(alerts.list_alerts)
    return visit.render("levels.html", alerts=burning.alerts, **draw_levels(found))


def render_report(found: api.LevelsView, tenant: str, language: Language) -> str:
    """One page that needs nothing beside it: neither a server nor another file."""

    def phrase(key: str, **more: object) -> str:
        return words_for(key, language, **more)

    def label(kind: str, name: str) -> str:
        return label_for(kind, name, language)

    return environment.get_template("levels_report.html").render(
        language=language,
        zone="UTC",
        tenant=tenant,
        css=Markup(STATIC["panel.css"]),
        t=phrase,
        label=label,
        **draw_levels(found),
    )
