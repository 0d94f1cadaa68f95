"""What the agent has learnt of how its tools end, in the panel: an administrator sees it and takes it out."""

from starlette.responses import Response

from apps.memory_api import experience
from apps.panel.page import Visit


async def list_experience(visit: Visit) -> Response:
    """Every lesson with its counts."""
    found: experience.ExperienceList = await visit.ask(experience.list_experience, language=visit.language)
    return visit.render("experience.html", experiences=found.experiences)


async def remove_experience(visit: Visit) -> Response:
    """Take one out for good."""
    await visit.ask(experience.remove_experience, lesson=visit.read_field("lesson", 250))
    return visit.redirect("/panel/experience", "removed_lesson")
