"""What a client of MCP changes in a person's memory, by words: it does not see whose ids are whose, nor what was said.

Brain does not see what the user said to the client either, so that nothing counts as the user's own word.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, Text, endpoint
from apps.memory_api.memories import Statement
from apps.memory_api.remembering import require_remembering
from brain.documents.profile_refresh import try_refresh_profile
from evolution.requests.change_targets import ChangeTarget
from evolution.requests.memory_editor import ChangedVersion
from evolution.requests.target_ranking import likely_targets, pick_clear_target
from language.secrets import mask_secrets
from memory.errors import BrainError
from memory.memory_item import WriteStatus
from memory.scope import session_id_of
from skills.context import ToolContext
from skills.memory import Append, NoteKind, require_harmless, write_note
from skills.memory_changes import editor_of, rank_targets_about

CHOOSE = "Nothing was changed. Show this to the user, then call again with the same words and a hash of these."
NOTHING = "Nothing in memory says that; nothing was changed."
SESSION = "mcp"
"""The name of the conversation that what clients note belongs to."""

About = Annotated[
    Text, Field(min_length=2, max_length=500, description="What it is about, as the user or recall words it.")
]
Hash = Annotated[str, Field(pattern="^([0-9a-f]{64})?$", description="The hash of what was shown by the call before.")]
Act = Literal["correct", "forget"]


class NewNote(ApiRequest):
    """One thing to remember."""

    text: Statement
    kind: Annotated[NoteKind, Field(description="What kind of memory it is.")] = "fact"


class Noted(ApiAnswer):
    """What became of it, and the memory's id."""

    status: WriteStatus
    id: UUID
    receipt_id: UUID


class CorrectionByWords(ApiRequest):
    """What to correct, and what is true instead."""

    about: About
    statement: Annotated[
        Text, Field(min_length=2, max_length=500, description="What is true instead: one full sentence.")
    ]
    hash: Hash = ""


class ForgettingByWords(ApiRequest):
    """What to forget."""

    about: About
    hash: Hash = ""


class Choice(ApiAnswer):
    """Something that may be meant: the memories that would change, and the sentences of the log that would go."""

    hash: str
    text: str
    ids: list[UUID]
    sentences: list[str]
    said_at: list[datetime]


class ChangedMemory(ApiAnswer):
    """A memory that changed, and the version that restoring it brings back."""

    id: UUID
    version: int


class ChangeByWords(ApiAnswer):
    """What was changed; where nothing was, what may be meant, and what to do ``next``."""

    status: Literal["nothing_changed", "corrected", "forgotten"]
    text: str = ""
    before: tuple[ChangedMemory, ...] = ()
    choices: tuple[Choice, ...] = ()
    next: str = ""


@endpoint(scope="memory:write", tool="remember", example={"text": "Ann is allergic to peanuts."})
async def remember(asked: NewNote, call: ApiCall) -> Noted:
    """Write down one thing that the user asked to be remembered, as a full sentence in the user's words."""
    require_harmless(asked.text)
    await require_remembering(call)
    receipt = await write_note(Append(text=asked.text, kind=asked.kind), _context(call))
    await try_refresh_profile(call.resources, call.scope)
    return Noted(status=receipt.status, id=receipt.memory_id, receipt_id=receipt.receipt_id)


@endpoint(
    scope="memory:write",
    tool="correct",
    destructive=True,
    example={"about": "where Ann lives", "statement": "Ann lives in Lyon."},
)
async def correct(asked: CorrectionByWords, call: ApiCall) -> ChangeByWords:
    """Replace something remembered by what the user says is true.

    Where several may be meant it changes nothing and shows them, each with a hash for a second call.
    """
    require_harmless(asked.statement)
    context = _context(call)
    found = await rank_targets_about(f"{asked.about} {asked.statement}", "correct", context)
    one = await _take_hashed(asked.hash, "correct", found, call) if asked.hash else pick_clear_target(found)
    if one is None:
        return await _propose("correct", found, call)
    return await _finish("corrected", one, await editor_of(context).correct(one, asked.statement), call)


@endpoint(scope="memory:write", tool="forget", destructive=True, example={"about": "green tea"})
async def forget(asked: ForgettingByWords, call: ApiCall) -> ChangeByWords:
    """Forget something remembered, in two calls.

    The first shows what would go, each with a hash; the second, with the hash of what the user chose, forgets it.
    """
    context = _context(call)
    found = await rank_targets_about(asked.about, "forget", context)
    if not asked.hash:
        return await _propose("forget", found, call)
    one = await _take_hashed(asked.hash, "forget", found, call)
    return await _finish("forgotten", one, await editor_of(context).forget([one]), call)


def _context(call: ApiCall) -> ToolContext:
    resources = call.resources
    return ToolContext(
        identity=call.identity,
        resources=resources,
        session_id=session_id_of(call.scope, SESSION),
        call_id=str(resources.new_id()),
        at=resources.clock(),
        time_zone=resources.settings.time_zone,
        user_text="",
    )


async def _propose(act: Act, found: list[ChangeTarget], call: ApiCall) -> ChangeByWords:
    hashes = await _hash_targets(act, likely_targets(found), call)
    choices = tuple(_choice(name, each) for name, each in hashes.items())
    return ChangeByWords(status="nothing_changed", choices=choices, next=CHOOSE if choices else NOTHING)


async def _take_hashed(wanted: str, act: Act, found: list[ChangeTarget], call: ApiCall) -> ChangeTarget:
    one = (await _hash_targets(act, found, call)).get(wanted)
    if one is None:
        raise BrainError(
            "E_CONFLICT",
            "Memory holds nothing of that hash any more.",
            f"Call {act} again without a hash and show the user what it finds.",
        )
    return one


async def _hash_targets(act: Act, targets: Iterable[ChangeTarget], call: ApiCall) -> dict[str, ChangeTarget]:
    """Each by a hash of whose it is, of every memory and version that would change, and of the act."""
    among = list(targets)
    ids = list(dict.fromkeys(memory_id for each in among for memory_id in each.memory_ids))
    versions = {item.memory_id: item.version for item in await call.memory.items.get_many(call.scope, ids)}
    space = [str(each) for each in call.scope.space]
    return {_hash([act, *space], each, versions): each for each in among}


def _hash(frame: list[str], target: ChangeTarget, versions: Mapping[UUID, int]) -> str:
    memories = sorted((str(each), versions.get(each, 0)) for each in target.memory_ids)
    spoken = sorted((str(each.event.event_id), each.start, each.end) for each in target.spoken)
    return sha256(json.dumps([frame, target.text, memories, spoken]).encode()).hexdigest()


def _choice(name: str, target: ChangeTarget) -> Choice:
    return Choice(
        hash=name,
        text=mask_secrets(target.text),
        ids=list(target.memory_ids),
        sentences=[mask_secrets(each.event.text[each.start : each.end]) for each in target.spoken],
        said_at=sorted(target.moments),
    )


async def _finish(
    status: Literal["corrected", "forgotten"], one: ChangeTarget, steps: list[ChangedVersion], call: ApiCall
) -> ChangeByWords:
    await try_refresh_profile(call.resources, call.scope)
    before = tuple(ChangedMemory(id=each.memory_id, version=each.version) for each in steps)
    return ChangeByWords(status=status, text=mask_secrets(one.text), before=before)
