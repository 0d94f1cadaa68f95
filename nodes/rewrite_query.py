"""Other words for the same question, for memories that were said differently."""

import asyncio
from typing import Annotated, Literal

from langgraph.runtime import Runtime
from pydantic import BaseModel, Field

from brain.context import Context
from brain.identity import identity_of
from brain.intent_rules import SURE_CONFIDENCE, classify
from brain.models.errors import ModelError
from brain.state import OpenTurn, Update
from language.terms import analyse
from prompts.registry import load_prompt

MAX_QUERIES = 3
MAX_CHARACTERS = 500


class Rewriting(BaseModel):
    """What the model answers."""

    queries: Annotated[list[str], Field(max_length=MAX_QUERIES, description="Short retrieval queries, best first.")]


async def rewrite_query(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """Up to three further queries by the fast model where an answer may need memory.

    None for plain talk, and none, with a reason, when it fails.
    """
    resources, text = runtime.context.resources, state.turn["text"]
    if resources.models.fast is None or not text.strip() or await asyncio.to_thread(_is_plain_talk, text):
        return {"queries": []}
    key = (identity_of(runtime).scope, analyse(text).words, _recent_turns(state))
    cached = resources.rewrites.get(key)
    if cached is not None:
        return {"queries": list(cached)}
    try:
        asked = load_prompt("rewrite_query").ask(conversation=_recent_turns(state), message=text)
        answer = await resources.models.fast.fill(Rewriting, asked)
    except ModelError:
        return {"queries": [], "degraded": ["query_rewrite_failed"]}
    queries = _distinct_queries(answer.queries, text)
    resources.rewrites.put(key, queries)
    return {"queries": list(queries)}


def asks_again(state: OpenTurn) -> Literal["retrieve_rewritten", "rerank"]:
    """Is there anything to look for in other words?"""
    return "retrieve_rewritten" if state.queries else "rerank"


def _is_plain_talk(text: str) -> bool:
    """Whether it surely wants nothing, or only that something be noted or forgotten."""
    intent = classify(text)
    return intent.intent_type in ("chat", "end", "remember", "forget") and intent.confidence >= SURE_CONFIDENCE


def _recent_turns(state: OpenTurn) -> str:
    window = state.opened.window[-4:] if state.opened else ()
    return "\n".join(f"{event.role}: {event.text[:400]}" for event in window) or "(nothing yet)"


def _distinct_queries(queries: list[str], original: str) -> tuple[str, ...]:
    kept = (" ".join(query.replace("\x00", " ").split())[:MAX_CHARACTERS] for query in queries)
    return tuple(dict.fromkeys(query for query in kept if query and query.casefold() != original.casefold()))[
        :MAX_QUERIES
    ]
