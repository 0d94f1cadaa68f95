"""A model's opinion of a proposal. It can only object, and no clear answer is an objection."""

import asyncio

import structlog
from langchain_core.messages import BaseMessage
from pydantic import BaseModel, ConfigDict, Field

from brain.models.errors import ModelError
from brain.safety.guarded_model import GuardedModel, collect_guard_hits
from brain.soul_document import SoulDocument
from evolution.soul.conduct import conversation_cases
from evolution.soul.report import SoulCheck, found, make_check
from memory.errors import BrainError
from prompts.registry import load_prompt

log = structlog.get_logger(__name__)

PATIENCE = 8.0
"""Seconds for a judgement: a tool that waits for it has ten."""


class CaseVerdict(BaseModel):
    """What would become of one conversation."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(description="The id of the conversation.")
    kept: bool = Field(description="True only when the answer would surely be as expected.")


class SoulVerdict(BaseModel):
    """The judgement of a change, conversation by conversation."""

    model_config = ConfigDict(extra="forbid")

    conversations: list[CaseVerdict] = Field(description="One entry for every conversation, by id.")
    harmless: bool = Field(description="True only when the people who talk with the assistant could not object.")


async def judge(model: GuardedModel | None, before: SoulDocument, after: SoulDocument) -> tuple[SoulCheck, list[str]]:
    """The model's check, and the conversations that it expects to go otherwise."""
    if model is None:
        return make_check("judge", ask=[found("unjudged")]), []
    try:
        with collect_guard_hits() as hits:
            async with asyncio.timeout(PATIENCE):
                verdict = await model.fill(SoulVerdict, _question(before, after))
    except (ModelError, BrainError, TimeoutError) as error:
        log.warning("soul_judge_failed", error=type(error).__name__)
        return make_check("judge", ask=[found("judge_odd")]), []
    return _read(verdict, is_suspect=bool(hits))


def _read(verdict: SoulVerdict, *, is_suspect: bool) -> tuple[SoulCheck, list[str]]:
    """Every case has to be judged once: an answer that leaves some out or knows others is no judgement."""
    known = [each.id for each in conversation_cases()]
    lost = [each.id for each in verdict.conversations if each.id in known and not each.kept]
    if is_suspect or sorted(each.id for each in verdict.conversations) != sorted(known):
        return make_check("judge", ask=[found("judge_odd")]), lost
    objects = bool(lost) or not verdict.harmless
    return make_check("judge", ask=[found("judge_objects")] if objects else []), lost


def _question(before: SoulDocument, after: SoulDocument) -> list[BaseMessage]:
    cases = "\n".join(
        f"{each.id}: {' / '.join(each.said.values())} Expected: {each.expected}" for each in conversation_cases()
    )
    return load_prompt("judge_soul").ask(before=before.body, after=after.body, conversations=cases)
