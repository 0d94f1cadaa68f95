"""Forgetting and correcting what is remembered, for a model that is asked to."""

from typing import Annotated, Literal

from pydantic import Field

from brain.documents.profile_refresh import try_refresh_profile
from brain.intent_rules import Intent
from brain.recall import RecallRequest
from evolution.requests.change_targets import ChangeTarget, TargetQuery, find_targets
from evolution.requests.memory_editor import MemoryEditor
from evolution.requests.target_fit import meant_by
from evolution.requests.target_ranking import likely_targets, pick_clear_target, rank_targets
from language.forgetting import asks_to_forget
from language.requests import Request, find_request
from language.secrets import mask_secrets
from language.statements import read_statements
from language.terms import terms_of
from skills.context import ToolContext, ToolResult
from skills.tool import Arguments, Tool, Words

NONE = "Nothing in memory says that; nothing was changed. Tell the user so."
SEVERAL = "Several memories may be meant; nothing was changed. Ask the user which one, then call again with its words:"
FORGOTTEN, CORRECTED = "Forgotten: ", "Corrected: "
ASK_FIRST = "The user has not asked for that in this turn; nothing was changed. Ask the user first."

About = Annotated[
    Words, Field(min_length=2, max_length=500, description="What it is about, in the user's own words of this turn.")
]


class Forget(Arguments):
    """Arguments of ``memory_forget``."""

    about: About


class Correct(Arguments):
    """Arguments of ``memory_correct``."""

    about: About
    statement: Annotated[
        Words,
        Field(
            min_length=2, max_length=500, description="What is true instead, as the user stated it: one full sentence."
        ),
    ]


async def forget(arguments: Forget, context: ToolContext) -> ToolResult:
    """Forget the one memory that is meant, and the turns that said it."""
    if not (context.is_approved or asks_to_forget_it(arguments, context)):
        return ToolResult(text=ASK_FIRST, untrusted=())
    found = await rank_targets_about(arguments.about, "forget", context)
    meant = meant_by(arguments.about, context.user_text, found)
    if not meant.sure:
        return _ask_which(list(meant.targets))
    (one,) = meant.targets
    await editor_of(context).forget([one])
    await try_refresh_profile(context.resources, context.identity.scope, context.time_zone)
    return _confirm_change(f"{FORGOTTEN}{mask_secrets(one.text)}", one)


async def correct(arguments: Correct, context: ToolContext) -> ToolResult:
    """Put the statement in the place of the one memory that is meant."""
    if not (context.is_approved or states_it(arguments, context)):
        return ToolResult(text=ASK_FIRST, untrusted=())
    found = await rank_targets_about(f"{arguments.about} {arguments.statement}", "correct", context)
    one = pick_clear_target([each for each in found if meant_by(arguments.about, "", [each]).targets])
    if one is None:
        return _ask_which(likely_targets(found))
    await editor_of(context).correct(one, arguments.statement)
    await try_refresh_profile(context.resources, context.identity.scope, context.time_zone)
    return _confirm_change(f"{CORRECTED}{mask_secrets(one.text)} → {arguments.statement}", one)


async def preview_forget(arguments: Forget, context: ToolContext) -> str:
    """The memory that would go; empty when none is clearly meant."""
    found = await rank_targets_about(arguments.about, "forget", context)
    meant = meant_by(arguments.about, context.user_text, found)
    return f"- {mask_secrets(meant.targets[0].text)}" if meant.sure else ""


async def preview_correct(arguments: Correct, context: ToolContext) -> str:
    """The memory that would go and what comes in its place."""
    found = await rank_targets_about(f"{arguments.about} {arguments.statement}", "correct", context)
    one = pick_clear_target([each for each in found if meant_by(arguments.about, "", [each]).targets])
    return f"- {mask_secrets(one.text)}\n+ {arguments.statement}" if one else ""


def asks_to_forget_it(arguments: Forget, context: ToolContext) -> bool:
    """Whether the user's own turn asks to forget, and names at least half of what the call is about."""
    asked = find_request(context.user_text)
    if asked is None or asked.act != "forget" or not _has_user_words(arguments.about, context):
        return False
    return asked.sentence is None or asks_to_forget(asked.sentence.text) in ("plainly", "perhaps")


def states_it(arguments: Correct, context: ToolContext) -> bool:
    """Whether the user's own turn says what is true instead, in words of its own."""
    return _has_user_words(arguments.statement, context)


def is_carried_out(answer: str) -> bool:
    """Whether a tool's answer says that it forgot or corrected something."""
    return FORGOTTEN in answer or CORRECTED in answer


def _has_user_words(words: str, context: ToolContext) -> bool:
    """At least half of the telling words stand in the turn."""
    wanted, turn = terms_of(words), terms_of(context.user_text, alone=True)
    return bool(wanted) and 2 * len(wanted & turn) >= len(wanted)


async def rank_targets_about(about: str, act: Literal["forget", "correct"], context: ToolContext) -> list[ChangeTarget]:
    """What memory holds, the likeliest to be meant by these words first."""
    identity = context.identity
    heard = TargetQuery(
        scope=identity.scope,
        speaker=identity.user if identity.scope.is_group else "user",
        window=(),
        ask=RecallRequest(text=about, at=context.at, time_zone=context.time_zone),
    )
    sentence = next(iter(read_statements(about)), None)
    request = Request(act=act, sentence=sentence, about=about)
    return rank_targets(request, await find_targets(context.resources, heard))


def editor_of(context: ToolContext) -> MemoryEditor:
    """By which this call changes memory, each change once."""
    return MemoryEditor(
        resources=context.resources,
        scope=context.identity.scope,
        key=f"tool:{context.session_id}:{context.call_id}",
        at=context.at,
        operator="model",
        trace_id=context.operation_id,
    )


def _ask_which(several: list[ChangeTarget]) -> ToolResult:
    lines = [f"- {mask_secrets(each.text)}" for each in several]
    return ToolResult(text="\n".join((SEVERAL, *lines)) if several else NONE, untrusted=tuple(lines))


def _confirm_change(text: str, one: ChangeTarget) -> ToolResult:
    return ToolResult(
        text=f"{text}\nTell the user, and that 'brain memories restore' brings it back.", untrusted=(one.text,)
    )


def _score_change(intent: Intent) -> float:
    return 0.8 if intent.intent_type in ("forget", "remember", "complaint") else 0.4


MEMORY_FORGET = Tool(
    name="memory_forget",
    description="Forget one thing that the user asks in this turn to be forgotten or deleted from memory.",
    arguments=Forget,
    run=forget,
    preview=preview_forget,
    is_asked=asks_to_forget_it,
    suits=_score_change,
    risk="high",
    capabilities=frozenset({"memory.write"}),
)
MEMORY_CORRECT = Tool(
    name="memory_correct",
    description="Replace one remembered thing that the user says in this turn is wrong by what the user says is true.",
    arguments=Correct,
    run=correct,
    preview=preview_correct,
    is_asked=states_it,
    suits=_score_change,
    risk="high",
    capabilities=frozenset({"memory.write"}),
)
