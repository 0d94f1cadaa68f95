"""What a turn adds to its variant."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from brain.experiments.joining import variant_at
from brain.metering import Usage
from brain.signal_rules import feedback
from brain.state import OpenTurn
from language.retractions import is_retraction
from memory.experiments import ExperimentTurn
from memory.receipts import Receipt
from memory.turns import Event


def count_turn(state: OpenTurn, receipts: Sequence[Receipt], speaker: str) -> ExperimentTurn | None:
    """None for a turn outside of the experiment, of a variant that was picked, or that is read again from the past.

    Who speaks, as the log names them, judges only what was replied to themself: in a group others have other variants.
    A client may write into the state of its threads; so what counts is what the session says, not the state alone.
    """
    told, opened = state.experiment, state.opened
    running = opened.experiment if opened else None
    if not told or not told["assigned"] or running is None or opened is None or opened.as_of is not None:
        return None
    variant = variant_at(running.experiment, running.place)
    if variant is None or (told["id"], told["variant"]) != (str(running.experiment.experiment_id), variant.name):
        return None
    reply, said = _reply_before(opened.window, running.experiment.started_at, speaker), state.turn["text"]
    signal = feedback(said, reply.text) if reply else "silence"
    shown = [each for each in receipts if each.utilized is not None]
    return ExperimentTurn(
        experiment_id=UUID(told["id"]),
        variant=variant.name,
        judged=reply is not None,
        negative=signal == "correct",
        corrected=reply is not None and is_retraction(said),
        injected=len(shown),
        utilized=sum(each.utilized is True for each in shown),
        routed=any(each["role"] == "routed" for each in state.usage),
        input_tokens=_sum(state.usage, "input_tokens"),
        output_tokens=_sum(state.usage, "output_tokens"),
    )


def _reply_before(window: Sequence[Event], since: datetime, speaker: str) -> Event | None:
    """The reply that the words at hand answer, if it was given to the same person while the experiment ran."""
    newest = window[-1] if window else None
    if newest is None or newest.role != "assistant" or newest.occurred_at < since:
        return None
    asked_by = next((each.speaker for each in reversed(window) if each.role == "user"), None)
    return newest if asked_by == speaker else None


def _sum(usages: Sequence[Usage], name: Literal["input_tokens", "output_tokens"]) -> int:
    return sum(each[name] for each in usages)
