"""Lines that decide on what waits for approval."""

from typing import Any

import pytest

from apps.cli.approvals import ApprovalDialog, read_decision
from brain.approval import ActionRequest, request_approval
from memory.errors import BrainError

FORGET = ActionRequest(
    name="forget_memories", args={"memories": "I ski.\nI swim.\nI run."}, description="Forget?\n\n- I ski.\n- I swim."
)
CORRECT = ActionRequest(
    name="correct_memory", args={"content": "I ski."}, description="Correct?\n\n- I swim.\n+ I ski."
)
TOOL = ActionRequest(name="memory_append", args={"text": "I ski.", "kind": "fact"}, description="Run memory_append?")


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("y", "approve"),
        (" Yes. ", "approve"),
        ("好的。", "approve"),
        ("n", "reject"),
        ("No!", "reject"),
        ("不", "reject"),
    ],
)
def test_a_short_answer_is_a_decision(line: str, kind: str):
    assert read_decision(line, FORGET) == {"type": kind}


@pytest.mark.parametrize("line", ["", "no, I meant my old job", "yesterday I skied", "e", "else", "What is my job?"])
def test_any_other_line_is_a_message(line: str):
    assert read_decision(line, FORGET) is None


@pytest.mark.parametrize(
    ("line", "action", "args"),
    [
        ("e 1, 3", FORGET, {"memories": "I ski.\nI run."}),
        ("edit 2 2", FORGET, {"memories": "I swim."}),
        ("e I dive.", CORRECT, {"content": "I dive."}),
        ('e {"text": "I dive."}', TOOL, {"text": "I dive."}),
    ],
)
def test_an_edit_says_what_is_to_be_done_instead(line: str, action: ActionRequest, args: dict[str, Any]):
    decision = read_decision(line, action)
    assert decision == {"type": "edit", "edited_action": {"name": action["name"], "args": args}}


@pytest.mark.parametrize(("line", "action"), [("e 4", FORGET), ("e none", FORGET), ("e [1]", TOOL), ("e x", TOOL)])
def test_an_edit_that_fits_nothing_is_refused(line: str, action: ActionRequest):
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        read_decision(line, action)


def test_several_acts_are_decided_one_after_the_other():
    pending = ApprovalDialog(request_approval([FORGET, TOOL], ("approve", "edit", "reject")))
    assert pending.describe().splitlines()[:4] == ["Forget?", "", "1. I ski.", "2. I swim."]
    assert "e 1 3" in pending.describe()
    assert pending.decide("y")
    assert not pending.is_decided
    assert pending.describe().startswith("Run memory_append?\ny: do it")
    assert not pending.decide("hm")
    assert pending.decide("n")
    assert pending.is_decided
    assert [each["type"] for each in pending.decisions] == ["approve", "reject"]
