"""The tools that change memory: remember adds; correct and forget change what is there."""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from apps.mcp.tool import Answer, MemoryTool
from brain.documents.profile_refresh import try_refresh_profile
from evolution.requests.change_targets import ChangeTarget, likely_targets, pick_clear_target
from evolution.requests.memory_editor import ChangedVersion
from evolution.requests.undoing import find_act, list_recent_acts, undo_act
from language.secrets import mask_secrets
from memory.errors import BrainError
from skills.context import ToolContext
from skills.memory import Append, require_harmless, write_note
from skills.memory_changes import editor_of, rank_targets_about
from skills.tool import Arguments, Words

CHOOSE = "Nothing was changed. Show this to the user, then call again with the same words and a hash of these."
NOTHING = "Nothing in memory says that; nothing was changed."
CHOOSE_CHANGE = "Nothing was changed. Call again with the change that the user wants back."
NO_CHANGES = "Nothing was changed within the last day."

About = Annotated[
    Words, Field(min_length=2, max_length=500, description="What it is about, as the user or recall words it.")
]
Hash = Annotated[str, Field(pattern="^([0-9a-f]{64})?$", description="The hash of what was shown by the call before.")]


class Correct(Arguments):
    """Arguments of ``correct``."""

    about: About
    statement: Annotated[
        Words, Field(min_length=2, max_length=500, description="What is true instead: one full sentence.")
    ]
    hash: Hash = ""


class Forget(Arguments):
    """Arguments of ``forget``."""

    about: About
    hash: Hash = ""


class Undo(Arguments):
    """Arguments of ``undo``."""

    change: Annotated[
        str, Field(pattern="^([0-9a-f-]{36})?$", description="The change to take back; empty lists those of a day.")
    ] = ""


async def remember(arguments: Append, context: ToolContext) -> Answer:
    """Keep one thing as a client's observation: nobody saw the user say it."""
    require_harmless(arguments.text)
    receipt = await write_note(arguments, context)
    await _refresh_profile(context)
    return {"status": receipt.status, "id": str(receipt.memory_id), "receipt": str(receipt.receipt_id)}


async def correct(arguments: Correct, context: ToolContext) -> Answer:
    """Put the statement in the place of what is clearly meant, or of what the hash names."""
    require_harmless(arguments.statement)
    found = await rank_targets_about(f"{arguments.about} {arguments.statement}", "correct", context)
    one = await _take_hashed(arguments.hash, "correct", found, context) if arguments.hash else pick_clear_target(found)
    if one is None:
        return await _propose("correct", found, context)
    steps = await editor_of(context).correct(one, arguments.statement)
    return await _finish("corrected", one, steps, context)


async def forget(arguments: Forget, context: ToolContext) -> Answer:
    """Show what would go; with the hash of one of these, forget it."""
    found = await rank_targets_about(arguments.about, "forget", context)
    if not arguments.hash:
        return await _propose("forget", found, context)
    one = await _take_hashed(arguments.hash, "forget", found, context)
    return await _finish("forgotten", one, await editor_of(context).forget([one]), context)


async def undo(arguments: Undo, context: ToolContext) -> Answer:
    """Take a change of the last day back; without one, list those that can be."""
    acts = await list_recent_acts(context.resources, context.identity.scope)
    if not arguments.change:
        listed = [
            {
                "change": str(each.act_id),
                "at": each.at.isoformat(),
                "before": [mask_secrets(said) for said in each.told],
            }
            for each in acts
        ]
        return {"status": "nothing_changed", "changes": listed, "next": CHOOSE_CHANGE if listed else NO_CHANGES}
    said = await undo_act(editor_of(context), find_act(acts, UUID(arguments.change)))
    await _refresh_profile(context)
    return {"status": "undone", "texts": [mask_secrets(each) for each in said]}


async def _propose(act: Literal["correct", "forget"], found: list[ChangeTarget], context: ToolContext) -> Answer:
    likely = likely_targets(found)
    hashes = await _hash_targets(act, likely, context)
    choices = [{"hash": name, **_describe(each)} for name, each in hashes.items()]
    return {"status": "nothing_changed", f"would_{act}": choices, "next": CHOOSE if choices else NOTHING}


async def _take_hashed(
    wanted: str, act: Literal["correct", "forget"], found: list[ChangeTarget], context: ToolContext
) -> ChangeTarget:
    one = (await _hash_targets(act, found, context)).get(wanted)
    if one is None:
        raise BrainError(
            "E_CONFLICT",
            "Memory holds nothing of that hash any more.",
            f"Call {act} again without a hash and show the user what it finds.",
        )
    return one


async def _hash_targets(act: str, targets: Iterable[ChangeTarget], context: ToolContext) -> dict[str, ChangeTarget]:
    """Each by a hash of whose it is, of every memory and version that would change, and of the act."""
    scope, among = context.identity.scope, list(targets)
    ids = list(dict.fromkeys(memory_id for each in among for memory_id in each.memory_ids))
    versions = {item.memory_id: item.version for item in await context.resources.memory.items.get_many(scope, ids)}
    space = [str(each) for each in scope.space]
    return {_hash([act, *space], each, versions): each for each in among}


def _hash(frame: list[str], target: ChangeTarget, versions: Mapping[UUID, int]) -> str:
    memories = sorted((str(each), versions.get(each, 0)) for each in target.memory_ids)
    spoken = sorted((str(each.event.event_id), each.start, each.end) for each in target.spoken)
    return sha256(json.dumps([frame, target.text, memories, spoken]).encode()).hexdigest()


def _describe(target: ChangeTarget) -> Answer:
    said = [moment.isoformat() for moment in sorted(target.moments)]
    return {
        "text": mask_secrets(target.text),
        "ids": [str(each) for each in target.memory_ids],
        "sentences": [mask_secrets(each.event.text[each.start : each.end]) for each in target.spoken],
        "said_at": said,
    }


async def _finish(status: str, one: ChangeTarget, steps: list[ChangedVersion], context: ToolContext) -> Answer:
    """``before`` names each changed memory with the version that 'brain memories restore' brings back."""
    await _refresh_profile(context)
    before = [{"id": str(each.memory_id), "version": each.version} for each in steps]
    return {"status": status, "text": mask_secrets(one.text), "before": before}


async def _refresh_profile(context: ToolContext) -> None:
    await try_refresh_profile(context.resources, context.identity.scope, context.time_zone)


REMEMBER = MemoryTool(
    name="remember",
    description="Write down one thing that the user asked to be remembered, as a full sentence in the user's words.",
    arguments=Append,
    run=remember,
    scope="memory:write",
)
CORRECT = MemoryTool(
    name="correct",
    description="Replace something remembered by what the user says is true. Where several may be meant it changes"
    " nothing and shows them, each with a hash for a second call.",
    arguments=Correct,
    run=correct,
    scope="memory:write",
    destructive=True,
)
FORGET = MemoryTool(
    name="forget",
    description="Forget something remembered, in two calls: the first shows what would go, each with a hash; the"
    " second, with the hash of what the user chose, forgets it.",
    arguments=Forget,
    run=forget,
    scope="memory:write",
    destructive=True,
)
UNDO = MemoryTool(
    name="undo",
    description="Take back what was forgotten, corrected or replaced within the last day, in two calls: the first lists"
    " the changes, the second takes back the one that the user chose.",
    arguments=Undo,
    run=undo,
    scope="memory:write",
)
