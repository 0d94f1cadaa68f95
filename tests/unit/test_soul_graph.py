"""The graph of SOUL: its wiring, its questions, and how a reply counts for the version that made it."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from brain.approval import ApprovalRequest
from brain.reactions import judge_soul
from brain.soul_diff import soul_diff
from evolution.soul.state import Outcome, SoulState
from evolution.soul.steps import approve_soul, is_settled, who_decides
from graphs.soul import graph
from memory.session_state import SessionState
from memory.soul import ActiveSoul, SoulReaction
from memory.turns import Event
from tests.fakes import NOW

SNAPSHOT = Path(__file__).parents[1] / "snapshots" / "soul.mmd"
REPLY = Event(
    event_id=UUID(int=1), session_id=UUID(int=2), position=1, role="assistant", speaker="assistant", text="Ghent.",
    sha256="", occurred_at=NOW, time_zone="UTC",
)  # fmt: skip
SOUL = ActiveSoul(version=3, text="", sha256="", activated_at=NOW - timedelta(hours=1))


def test_it_is_wired_as_the_snapshot_shows():
    assert graph.get_graph().draw_mermaid() == SNAPSHOT.read_text()


@pytest.mark.parametrize(
    ("outcome", "asks", "step"),
    [("refused", False, "__end__"), ("", True, "approve"), ("", False, "apply")],
)
def test_a_refused_proposal_ends_and_only_what_the_policy_asks_about_waits(outcome: Outcome, asks: bool, step: str):
    request = ApprovalRequest(action_requests=[], review_configs=[]) if asks else None
    assert who_decides(SoulState(outcome=outcome, request=request)) == step


def test_a_decision_that_did_not_count_is_asked_for_again():
    assert is_settled(SoulState(complaint="Somebody else has to approve it.")) == "approve"
    assert is_settled(SoulState(outcome="applied")) == "__end__"


async def test_nothing_is_approved_that_was_not_asked_about():
    with pytest.raises(AssertionError):
        await approve_soul(SoulState())


def test_a_difference_shows_what_goes_and_what_comes():
    assert soul_diff("a\nb\n", "a\nc\n").splitlines()[1:] == [" a", "-b", "+c"]
    assert soul_diff("a", "a") == ""


@pytest.mark.parametrize(
    ("said", "negative"), [("No, that's wrong.", True), ("Thanks, that helps.", False), ("不对，不是这样。", True)]
)
def test_a_correction_counts_against_the_version_that_made_the_reply(said: str, negative: bool):
    opened = SessionState(window=(REPLY,), soul=SOUL)
    assert judge_soul(opened, said) == SoulReaction(version=3, is_negative=negative)
    assert judge_soul(replace(opened, soul=None), said) == SoulReaction(version=0, is_negative=negative)


def test_a_reply_of_before_the_change_counts_for_neither_version_and_without_one_there_is_nothing_to_judge():
    late = replace(SOUL, activated_at=NOW + timedelta(seconds=1))
    assert judge_soul(SessionState(window=(REPLY,), soul=late), "No.") is None
    assert judge_soul(SessionState(soul=SOUL), "No.") is None
    assert judge_soul(None, "No.") is None
