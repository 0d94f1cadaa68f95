"""What the tenant's agent has learnt of how its tools end: to be seen, and to be taken out."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from language.experience import tell_lesson
from memory.errors import BrainError

LESSON = r"^[a-z]+(:[A-Za-z][A-Za-z0-9_]{0,63}){1,3}$"
EXAMPLE = "retry:memory_forget:E_NOT_FOUND"


class ExperiencesAsked(ApiRequest):
    """All lessons of the tenant."""

    language: Annotated[str, Field(pattern="^(en|zh)$", description="In which language they are told.")] = "en"


class OneExperience(ApiRequest):
    """Which lesson."""

    lesson: Annotated[str, Field(pattern=LESSON, max_length=250, description="Its name, as the list has it.")]


class ExperienceView(ApiAnswer):
    """A lesson, in how many conversations of how many people it was so, and in how many it was not."""

    lesson: str
    text: str
    times: int
    against: int
    people: int
    last_seen: datetime


class ExperienceList(ApiAnswer):
    """The most frequent first."""

    experiences: list[ExperienceView]


class RemovedExperience(ApiAnswer):
    """What was taken out."""

    lesson: str


@endpoint("GET /experience", scope="admin", command="experience list")
async def list_experience(asked: ExperiencesAsked, call: ApiCall) -> ExperienceList:
    """List what the agent has learnt of how its tools end; it holds nobody's words."""
    found = await call.memory.experiences.list_of(call.scope.tenant_id)
    told = [ExperienceView(**vars(each), text=tell_lesson(each.lesson, asked.language)) for each in found]
    return ExperienceList(experiences=told)


@endpoint("DELETE /experience/{lesson}", scope="admin", command="experience remove", example={"lesson": EXAMPLE})
async def remove_experience(asked: OneExperience, call: ApiCall) -> RemovedExperience:
    """Take a lesson out; it is not learnt again."""
    if not await call.memory.experiences.remove(call.scope.tenant_id, asked.lesson):
        raise BrainError("E_NOT_FOUND", "There is no such lesson.")
    return RemovedExperience(lesson=asked.lesson)
