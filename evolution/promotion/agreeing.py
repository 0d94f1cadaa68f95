"""What several people said in words of their own: a model finds who agrees and words it, and code checks both.

Without a model only those are counted who say the same in nearly the same words.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import structlog
from pydantic import BaseModel, Field

from brain.metering import collect_usage, spendings
from brain.model_quota import reason_without_model
from brain.models.errors import ModelError
from brain.models.port import ChatModel
from brain.resources import Resources
from brain.safety.guarded_model import GuardedModel, contract_of_tenant
from brain.safety.sanitizer import sanitize_text
from evolution.promotion.grouping import MemoryGroup, may_be_shared
from evolution.promotion.wording import is_anonymous, tells_of_one
from language.agreement import content_tokens
from language.encoder import Floats, is_installed, sentence_encoder
from memory.errors import BrainError
from memory.model_usage import Spending
from memory.promotion import CountableMemory
from memory.scope import Scope
from prompts.registry import load_prompt

log = structlog.get_logger(__name__)

NEAR = 0.38
"""From which cosine of meaning two statements may be about one matter, when they share a word as well."""
STATEMENTS = 12
"""Statements of one question to the model; they are short."""
QUESTIONS = 10
"""Questions of one count of a tenant."""


class SharedStatement(BaseModel):
    """Which of the numbered statements say the same, and what they say; nothing where none do."""

    same: list[int] = Field(default_factory=list[int])
    sentence: str = ""


@dataclass(frozen=True)
class WordedGroup:
    """Memories that say the same, and the sentence that says it for all of them."""

    group: MemoryGroup
    text: str


async def ask_for_agreement(
    resources: Resources, scope: Scope, memories: Sequence[CountableMemory], least_people: int
) -> list[WordedGroup]:
    """What a model finds among memories that may be about one matter; nothing without a model, or when it fails."""
    model = resources.models.fast or resources.models.chat
    if model is None or not is_installed() or await reason_without_model(resources, scope):
        return []
    shareable = [each for each in memories if may_be_shared(each) and sanitize_text(each.content).verdict == "pass"]
    guarded = GuardedModel(model, contract_of_tenant(resources.memory, scope.tenant_id))
    found: list[WordedGroup] = []
    with collect_usage() as usages:
        try:
            for near in (await asyncio.to_thread(near_memories, shareable, least_people))[:QUESTIONS]:
                worded = await _ask(guarded, near, least_people)
                found += [worded] if worded else []
        except ModelError as failure:
            log.warning("promotion_without_model", reason=failure.reason)
        finally:
            await _account(resources, scope, spendings(usages, "upkeep"))
    return found


async def _account(resources: Resources, scope: Scope, spent: Sequence[Spending]) -> None:
    try:
        await resources.memory.model_usage.add(scope, resources.today(), spent)
    except BrainError as error:
        log.warning("tokens_not_recorded", code=error.code)


async def _ask(model: ChatModel, near: Sequence[CountableMemory], least_people: int) -> WordedGroup | None:
    told = "\n".join(f"[{number}] {' '.join(each.content.split())}" for number, each in enumerate(near, 1))
    answer = await model.fill(SharedStatement, load_prompt("promotion").ask(statements=told))
    return check_answer(answer, near, least_people)


def check_answer(answer: SharedStatement, near: Sequence[CountableMemory], least_people: int) -> WordedGroup | None:
    """What the model says, if it names statements of enough people and its sentence tells of none of them."""
    numbers = dict.fromkeys(each for each in answer.same if 1 <= each <= len(near))
    text = " ".join(answer.sentence.split())
    group = MemoryGroup(tuple(near[number - 1] for number in numbers), dissenters=0)
    if group.people < least_people or not is_anonymous(text) or tells_of_one(text, group):
        return None
    return WordedGroup(group, text)


def near_memories(memories: Sequence[CountableMemory], least_people: int) -> list[list[CountableMemory]]:
    """Memories that may be about one matter, by meaning and a word that they share; each stands in one list only."""
    if not memories:
        return []
    meanings = sentence_encoder().encode([each.content for each in memories])
    cosines, words = meanings @ meanings.T, [frozenset(content_tokens(each.content)) for each in memories]
    found: list[list[CountableMemory]] = []
    taken: set[int] = set()
    for centre in range(len(memories)):
        places = [each for each in _near(centre, cosines[centre], words) if each not in taken][:STATEMENTS]
        near = [memories[place] for place in places]
        if places[:1] == [centre] and len({each.user_id for each in near}) >= least_people:
            taken.update(places)
            found.append(near)
    return found


def _near(centre: int, cosines: Floats, words: Sequence[frozenset[str]]) -> Iterator[int]:
    """The centre, then what lies near it, nearest first."""
    yield centre
    for place in map(int, np.argsort(-cosines, kind="stable")):
        if cosines[place] < NEAR:
            return
        if place != centre and words[place] & words[centre]:
            yield place
