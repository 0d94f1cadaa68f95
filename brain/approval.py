"""Acts that wait for a person's approval, in the schema of LangChain's human-in-the-loop middleware.

A request lists ``action_requests`` with the decisions that each allows; the answer has one decision for each of them,
by position.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, NotRequired, cast, get_args

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

ApprovalAct = Literal["bulk", "tools", "conflicts"]
"""``bulk``: more memories at once than the limit; ``tools``: high-risk tools; ``conflicts``: what would settle an open
conflict about a constraint."""
DecisionType = Literal["approve", "edit", "reject", "respond"]
AskingNode = Literal["change_memory", "dispatch_tools"]
NO_APPROVAL = "none"


class Action(TypedDict):
    """An act by name and arguments."""

    name: str
    args: dict[str, Any]


class ActionRequest(Action):
    """An act that waits; ``description`` shows what it changes."""

    description: str


class ReviewConfig(TypedDict):
    """The decisions that an act allows."""

    action_name: str
    allowed_decisions: list[DecisionType]


class ApprovalRequest(TypedDict):
    """What ``interrupt()`` shows to a client."""

    action_requests: list[ActionRequest]
    review_configs: list[ReviewConfig]


class Decision(TypedDict):
    """What a person decided. ``message`` explains a rejection or is the response; an edit brings the whole action."""

    type: DecisionType
    message: NotRequired[str]
    edited_action: NotRequired[Action]


class Approval(TypedDict):
    """A request of one node, its answer as soon as there is one, and what the node needs to carry on.

    ``expires_at`` is ISO 8601 with offset. ``plan`` belongs to the node and is not shown.
    """

    node: AskingNode
    request: ApprovalRequest
    expires_at: str
    decisions: list[Decision]
    plan: dict[str, Any]


class _ApprovalAnswer(TypedDict):
    decisions: list[Decision]


_ANSWER = TypeAdapter(_ApprovalAnswer)


@dataclass(frozen=True)
class ApprovalPolicy:
    """Which acts wait, above how many memories a change counts as bulk, and how long a request stays open."""

    acts: frozenset[ApprovalAct]
    bulk: int
    lifetime: timedelta

    def is_bulk(self, memories: int) -> bool:
        """Whether a change of so many memories waits for approval."""
        return "bulk" in self.acts and memories > self.bulk

    def start(self, node: AskingNode, request: ApprovalRequest, plan: dict[str, Any], at: datetime) -> Approval:
        """The approval that a node asks for at this moment."""
        return Approval(
            node=node, request=request, expires_at=(at + self.lifetime).isoformat(), decisions=[], plan=plan
        )


def parse_acts(text: str) -> frozenset[ApprovalAct]:
    """The acts of a comma-separated list; "none" and the empty text name none. Raises ``ValueError`` for others."""
    names = {name.strip() for name in text.split(",")} - {"", NO_APPROVAL}
    unknown = names - set(get_args(ApprovalAct))
    if unknown:
        known = ", ".join(get_args(ApprovalAct))
        raise ValueError(f"{sorted(unknown)[0]!r} is not one of {known} or {NO_APPROVAL}")
    return frozenset(cast("set[ApprovalAct]", names))


def request_approval(actions: Sequence[ActionRequest], allowed: Sequence[DecisionType]) -> ApprovalRequest:
    """A request about these acts, each of which allows the same decisions."""
    names = dict.fromkeys(each["name"] for each in actions)
    review = [ReviewConfig(action_name=name, allowed_decisions=list(allowed)) for name in names]
    return ApprovalRequest(action_requests=list(actions), review_configs=review)


def is_waiting(approval: Approval | None) -> bool:
    """Whether a node has asked for a decision that is not there yet."""
    return approval is not None and not approval["decisions"]


def is_expired(approval: Approval, at: datetime) -> bool:
    """Whether the decision came too late."""
    return datetime.fromisoformat(approval["expires_at"]) < at


def read_decisions(answer: object, request: ApprovalRequest) -> list[Decision]:
    """The decisions of an answer, one for each act.

    A bare "approve" or "reject" counts for every act. Raises ``ValueError`` with what is wrong for anything else.
    """
    actions = request["action_requests"]
    if answer in ("approve", "reject"):
        answer = {"decisions": [{"type": answer} for _ in actions]}
    try:
        decisions = _ANSWER.validate_python(answer)["decisions"]
    except ValidationError:
        raise ValueError('the answer must look like {"decisions": [{"type": "approve"}]}') from None
    if len(decisions) != len(actions):
        raise ValueError(f"there are {len(actions)} acts and {len(decisions)} decisions")
    allowed = {each["action_name"]: each["allowed_decisions"] for each in request["review_configs"]}
    for decision, action in zip(decisions, actions, strict=True):
        _check_decision(decision, action, allowed[action["name"]])
    return decisions


def _check_decision(decision: Decision, action: ActionRequest, allowed: Sequence[DecisionType]) -> None:
    """An edit changes the arguments, never the act itself."""
    if decision["type"] not in allowed:
        raise ValueError(f"{action['name']} allows {', '.join(allowed)}, not {decision['type']}")
    if decision["type"] == "respond" and not decision.get("message"):
        raise ValueError("a response needs a message")
    if decision["type"] == "edit" and decision.get("edited_action", {}).get("name") != action["name"]:
        raise ValueError(f"an edit needs an edited_action named {action['name']} with its args")
