"""Tool calls that wait for approval, and what a decision makes of them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from brain.approval import ActionRequest, ApprovalAct, Decision
from language.detection import language_of
from language.tables import text
from skills.context import ToolContext
from skills.dispatch import ANSWERED, RoundContext, ToolAnswer, run_call
from skills.tool import Tool

EXPIRED = ToolAnswer(
    text="APPROVAL_EXPIRED: the decision came too late; the tool did not run.", code="APPROVAL_EXPIRED"
)
REJECTED = "APPROVAL_REJECTED: the user rejected this call; the tool did not run. Do not call it again unasked."


def must_wait(
    tool: Tool[Any], arguments: Mapping[str, Any], context: ToolContext, acts: frozenset[ApprovalAct]
) -> bool:
    """Whether a call waits for a person: all dangerous ones where the policy says so, else what nobody asked for."""
    if tool.risk == "low" or not acts:
        return False
    try:
        return "tools" in acts or tool.is_unasked(arguments, context)
    except ValidationError:
        return False


async def action_request(tool: Tool[Any], arguments: Mapping[str, Any], context: ToolContext) -> ActionRequest | None:
    """The call as an act that waits; None where its arguments do not fit, so that it changes nothing anyway."""
    try:
        diff = await tool.preview_call(arguments, context)
    except ValidationError:
        return None
    heading = text("skills.run", language_of(context.user_text)).format(name=tool.name)
    told = diff or "\n".join(f"{name}: {value}" for name, value in arguments.items())
    return ActionRequest(name=tool.name, args=dict(arguments), description=f"{heading}\n\n{told}".rstrip())


async def answer_decided(
    call: tuple[str, Mapping[str, Any]], decision: Decision, context: ToolContext, round_: RoundContext
) -> ToolAnswer:
    """Run an approved call, or say what was decided instead. What a person edited are that person's own words."""
    name, arguments = call
    message = decision.get("message", "")
    match decision["type"]:
        case "approve":
            return await run_call(name, arguments, replace(context, is_approved=True), round_)
        case "edit" if "edited_action" in decision:
            edited = decision["edited_action"]["args"]
            words = "\n".join(str(value) for value in edited.values())
            return await run_call(
                name, edited, replace(context, user_text=f"{context.user_text}\n{words}", is_approved=True), round_
            )
        case "respond":
            return ToolAnswer(text=message, code=ANSWERED)
        case _:
            return ToolAnswer(
                text=f"{REJECTED} The user says: {message}" if message else REJECTED, code="APPROVAL_REJECTED"
            )
