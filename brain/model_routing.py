"""Which model replies: the fast one to what plainly wants nothing, the chat model to all else. In doubt the chat model.

Only the rules decide, because only they were measured (``python -m evals.routing``): a kind of request that a model
named is no reason to ask a weaker one. A correction is a sign that the weaker one did not do; the next turns are not
given to it.
"""

from dataclasses import dataclass
from typing import Literal

from langchain_core.messages import HumanMessage

from brain.attachments import attachment_kinds
from brain.context import Context
from brain.intent_rules import wants_nothing
from brain.signal_rules import feedback
from brain.state import OpenTurn, Route

RouteReason = Literal["small_talk", "asks", "corrected_lately", "tools", "change"]


@dataclass(frozen=True)
class _Router:
    state: OpenTurn
    upgrade_turns: int

    def reason(self) -> RouteReason:
        """Why; ``small_talk`` alone is for the fast model."""
        state = self.state
        if state.tool_rounds:
            return "tools"
        if state.change is not None or state.approval is not None:
            return "change"
        if attachment_kinds(state.messages) or not wants_nothing(state.turn["text"]):
            return "asks"
        return "corrected_lately" if self._was_corrected() else "small_talk"

    def _was_corrected(self) -> bool:
        """Whether the words at hand or some of the last ones object to what was replied."""
        history = self.state.prompt.history if self.state.prompt else ()
        said = [each.text for each in history if isinstance(each, HumanMessage)]
        lately = [*said[len(said) - min(len(said), self.upgrade_turns) :], self.state.turn["text"]]
        return any(feedback(words) == "correct" for words in lately)


def choose_route(state: OpenTurn, context: Context) -> Route | None:
    """The model that replies; None where replies are not routed, or there is no fast model."""
    settings = context.resources.settings
    if (context.routing or settings.routing) != "by_intent" or context.resources.models.routed is None:
        return None
    reason = _Router(state, settings.routing_upgrade_turns).reason()
    return Route(role="routed" if reason == "small_talk" else "chat", reason=reason)
