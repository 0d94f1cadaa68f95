"""How Brain is in this organisation: looking it up, proposing a change of it, taking a change back."""

from typing import Annotated, Literal

from pydantic import Field

from brain.intent_rules import CHARACTER, TAKE_BACK, Intent
from brain.soul_document import SoulChange, packaged_soul
from evolution.soul.acts import SoulCaller, SoulProposal, administers, decide, propose_and_evaluate, rollback
from evolution.soul.report import codes_of, report_of
from language.tables import pattern_of_all
from memory.errors import BrainError
from memory.soul import SoulVersion
from skills.context import ToolContext, ToolResult
from skills.tool import Arguments, Tool, Words

MAX_CHANGES = 5
NOT_ASKED = "The user has not asked for that in this turn; nothing was changed. Ask the user first."


class SoulStatus(Arguments):
    """Arguments of ``soul_status``: none."""


class Propose(Arguments):
    """Arguments of ``soul_propose``."""

    changes: Annotated[
        list[SoulChange],
        Field(min_length=1, max_length=MAX_CHANGES, description="Points to add, replace or remove; old word for word."),
    ]
    intent: Annotated[Words, Field(min_length=3, max_length=500, description="What the change is for, in a sentence.")]
    evidence: Annotated[
        Words,
        Field(
            min_length=10,
            max_length=1_000,
            description="What was seen that speaks for it, without anybody's name or words.",
        ),
    ]


class Rollback(Arguments):
    """Arguments of ``soul_rollback``."""

    action: Annotated[
        Literal["rollback", "veto"],
        Field(description="rollback: the version before comes back; veto: one version is refused."),
    ]
    version: Annotated[
        int | None, Field(ge=0, description="Which version; needed for a veto, else the one before the active one.")
    ] = None


async def soul_status(arguments: SoulStatus, context: ToolContext) -> ToolResult:
    """The text in force, and which proposals wait."""
    standing = await context.resources.memory.souls.standing(context.identity.scope.tenant_id)
    active, text = (standing.active.version, standing.active.text) if standing.active else (0, packaged_soul())
    own = [each for each in standing.pending if each.proposed_by == context.identity.scope.user_id]
    waiting = f"{len(standing.pending)} proposals wait; the user's own: {[each.version for each in own] or 'none'}."
    paused = " Changes are paused." if standing.paused_at else ""
    return ToolResult(text=f"Version {active} is active. {waiting}{paused}\n\n{text}", untrusted=())


async def soul_propose(arguments: Propose, context: ToolContext) -> ToolResult:
    """Propose a change: evaluated at once, applied only where the policy asks nobody."""
    if not (context.is_approved or asks_for_change(arguments, context)):
        return ToolResult(text=NOT_ASKED, untrusted=())
    proposal = SoulProposal(intent=arguments.intent, evidence=arguments.evidence, changes=tuple(arguments.changes))
    made = await propose_and_evaluate(_caller(context), proposal)
    return ToolResult(text=_tell(made), untrusted=())


async def soul_rollback(arguments: Rollback, context: ToolContext) -> ToolResult:
    """Take a change back, for somebody who may."""
    if not (context.is_approved or asks_to_take_back(arguments, context)):
        return ToolResult(text=NOT_ASKED, untrusted=())
    caller = _caller(context)
    if arguments.action == "veto":
        if arguments.version is None:
            raise BrainError("E_BAD_REQUEST", "A veto names the version.", "Ask soul_status which there are.")
        vetoed = await decide(caller, arguments.version, "veto")
        return ToolResult(text=f"Version {vetoed.version} is {vetoed.status}.", untrusted=())
    back = await rollback(caller, arguments.version)
    return ToolResult(text=f"Version {back.version} is active; it brings back version {back.restores}.", untrusted=())


async def preview_propose(arguments: Propose, context: ToolContext) -> str:
    """The points that would come and go."""
    lines: list[str] = []
    for change in arguments.changes:
        lines += [f"- {change.section}: {change.old}"] if change.op != "add" else []
        lines += [f"+ {change.section}: {change.new}"] if change.op != "remove" else []
    return "\n".join(lines)


def asks_for_change(arguments: Propose, context: ToolContext) -> bool:
    """Whether the user's own turn speaks of how Brain should be from now on."""
    return bool(pattern_of_all("soul.asks_change").search(context.user_text))


def asks_to_take_back(arguments: Rollback, context: ToolContext) -> bool:
    """Whether the user's own turn asks to undo such a change."""
    return bool(pattern_of_all("soul.asks_back").search(context.user_text))


def _tell(made: SoulVersion) -> str:
    report = report_of(made.evaluation)
    codes = ", ".join(sorted(codes_of(report))) if report else ""
    match made.status:
        case "active":
            return f"Applied: version {made.version} is active from the next turn on."
        case "proposed":
            return f"Proposed as version {made.version}; somebody else has to approve it (brain soul approve)."
        case _:
            return f"Refused: version {made.version} did not pass ({codes}). Nothing was changed; tell the user why."


def _caller(context: ToolContext) -> SoulCaller:
    return SoulCaller(
        resources=context.resources,
        identity=context.identity,
        may_decide=administers(context.identity),
        trace_id=context.operation_id,
        key=f"tool:{context.session_id}:{context.call_id}",
    )


def _score_change(intent: Intent) -> float:
    """Offered only where somebody talks about how Brain should be."""
    return 0.8 if CHARACTER in intent.context_hints else 0.0


def _score_rollback(intent: Intent) -> float:
    """Offered only where somebody wants something as it was before."""
    return 0.8 if TAKE_BACK in intent.context_hints else 0.0


def _score_status(intent: Intent) -> float:
    return max(_score_change(intent), _score_rollback(intent))


SOUL_STATUS = Tool(
    name="soul_status",
    description="How Brain is in this organisation: the version in force and the proposals that wait. Read-only.",
    arguments=SoulStatus,
    run=soul_status,
    suits=_score_status,
    risk="low",
    capabilities=frozenset({"character.read"}),
)
SOUL_PROPOSE = Tool(
    name="soul_propose",
    description="Propose a change of how Brain is for everybody in this organisation, when the user asks for one. "
    "It is evaluated, and somebody else approves it. A wish about this user's own answers is a memory instead.",
    arguments=Propose,
    run=soul_propose,
    preview=preview_propose,
    is_asked=asks_for_change,
    suits=_score_change,
    risk="high",
    capabilities=frozenset({"character.write"}),
    needs=frozenset({"soul_status"}),
)
SOUL_ROLLBACK = Tool(
    name="soul_rollback",
    description="Take back a change of how Brain is, or refuse one, when an administrator asks for it.",
    arguments=Rollback,
    run=soul_rollback,
    is_asked=asks_to_take_back,
    suits=_score_rollback,
    risk="high",
    capabilities=frozenset({"character.write"}),
    needs=frozenset({"soul_status"}),
)
