"""Ending a conversation, with what was done and what was new."""

from hashlib import sha256
from typing import Annotated

from pydantic import Field

from brain.intent_rules import Intent
from memory.memory_item import Author, MemoryDraft
from skills.context import ToolContext, ToolResult
from skills.tool import Arguments, Tool, Words


class End(Arguments):
    """Arguments of ``end``. ``summary`` is the older name of ``action_summary``."""

    action_summary: Annotated[Words, Field(max_length=2_000, description="What was done in this turn, briefly.")] = ""
    new_info: Annotated[Words, Field(max_length=2_000, description="The one new thing the user told, or empty.")] = ""
    force: Annotated[bool, Field(description="End even though another tool failed.")] = False
    summary: Annotated[Words, Field(max_length=2_000, description="Deprecated: use action_summary.")] = ""

    @property
    def action_text(self) -> str:
        """What was done, under either name."""
        return self.action_summary or self.summary


async def end(arguments: End, context: ToolContext) -> ToolResult:
    """Close the session and keep the one new thing. What Brain did stands in the log; it is no memory of the user's."""
    if arguments.new_info.strip() and context.learnt:
        key = f"tool:{context.session_id}:{context.call_id}:new_info"
        trace = context.operation_id
        author = Author(operator="model", reason="end", idempotency_key=key, at=context.at, trace_id=trace)
        await context.resources.memory.items.write(
            context.identity.scope, _draft_note(arguments.new_info, context), author
        )
    done = f" Done: {arguments.action_text}" if arguments.action_text else ""
    return ToolResult(text=f"The conversation ends.{done}", untrusted=(), ends=True, forced=arguments.force)


def _draft_note(text: str, context: ToolContext) -> MemoryDraft:
    """An observation of the model, never the user's own word; each is a slot of its own."""
    return MemoryDraft(
        item_type="fact",
        subject="user",
        predicate="told",
        object=text,
        content=text,
        category="conversation",
        slot=f"conversation|{sha256(text.encode()).hexdigest()[:16]}",
        single_valued=False,
        epistemic_type="fact",
        provenance="observation",
        confidence=0.5,
        certainty=0.5,
        observed_at=context.at,
        valid_at=context.at,
        session_id=context.session_id,
    )


def _score_end(intent: Intent) -> float:
    return 0.9 if intent.intent_type == "end" else 0.3


END = Tool(
    name="end",
    description="End the conversation when the user says goodbye. Say goodbye in words as well.",
    arguments=End,
    run=end,
    suits=_score_end,
    risk="high",
    capabilities=frozenset({"conversation.end", "memory.write"}),
)
