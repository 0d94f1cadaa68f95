"""Reading the profile of the person, or of the group, that the conversation belongs to."""

from typing import Annotated

from pydantic import Field

from brain.intent_rules import Intent
from brain.recall import RecallRequest, recall
from memory.documents.document import PROFILE_NAME, document_id, profile_kind, without_comments
from memory.recall.query import Filters
from skills.context import ToolContext, ToolResult
from skills.memory import NOTHING_FOUND, From, Query, Until, period
from skills.tool import Arguments, reading_tool

TOP_K = 8
NO_PROFILE = "There is no profile yet."


class GetProfile(Arguments):
    """``get_profile`` takes nothing: whose profile it is, the conversation says."""


class SearchProfiles(Arguments):
    """Arguments of ``search_profiles``."""

    query: Query
    top_k: Annotated[int, Field(ge=1, le=50, description="How many passages at most.")] = TOP_K
    time_from: From = None
    time_to: Until = None


async def get_profile(arguments: GetProfile, context: ToolContext) -> ToolResult:
    """The whole profile."""
    scope = context.identity.scope
    wanted = document_id(scope, profile_kind(scope), PROFILE_NAME)
    found = await context.resources.memory.documents.find(scope, (wanted,))
    return ToolResult(text=without_comments(found[0].body) if found else NO_PROFILE)


async def search_profiles(arguments: SearchProfiles, context: ToolContext) -> ToolResult:
    """The passages of the profile that bear on a question, best first."""
    scope = context.identity.scope
    window = period(arguments.time_from, arguments.time_to)
    filters = Filters(lanes=("document",), categories=(profile_kind(scope),), observed=window)
    ask = RecallRequest(
        text=arguments.query, at=context.at, time_zone=context.time_zone, limit=arguments.top_k, filters=filters
    )
    found = (await recall(context.resources, scope, ask)).ranked
    lines = (f"- {' '.join(each.candidate.text.split())}" for each in found)
    return ToolResult(text="\n".join(lines) or NOTHING_FOUND)


def _score_profile(intent: Intent) -> float:
    return 0.7 if intent.intent_type in ("question", "recommend", "preference_check", "search_memory") else 0.35


GET_PROFILE = reading_tool(
    "get_profile",
    "Read the profile of this person, or of this group: what is known about them at a glance.",
    GetProfile,
    get_profile,
    _score_profile,
)
SEARCH_PROFILES = reading_tool(
    "search_profiles",
    "Search the profile of this person, or of this group, for what bears on a question.",
    SearchProfiles,
    search_profiles,
    _score_profile,
)
