"""What may become of a request: done, asked back about, or waiting for approval."""

from typing import Literal

from brain.change_approval import PendingChange
from brain.state import MemoryChange
from evolution.requests.change_run import ChangeRun, OpenQuestion, approval_reason, choices_of
from evolution.requests.change_targets import ChangeTarget
from evolution.requests.target_ranking import MAX_ASKED


async def forget_targets(run: ChangeRun, gone: list[ChangeTarget]) -> MemoryChange:
    """Forget them, or have it wait where the policy says so; an approved change does not wait again."""
    if not gone:
        return run.conclude("forget", "unknown")
    reason = "" if run.is_approved else await approval_reason(run, gone)
    if reason:
        return wait_for_approval(run, PendingChange(act="forget", choices=choices_of(gone), new="", reason=reason))
    await run.editor.forget(gone)
    if all(each.is_withheld for each in gone):
        return run.conclude("dont_note", "kept")
    return run.conclude("forget", "done", told=[each.text for each in gone])


async def correct_target(run: ChangeRun, one: ChangeTarget, content: str) -> MemoryChange:
    """Put a sentence in the place of a memory, or have it wait where the policy says so."""
    reason = await approval_reason(run, [one])
    if reason:
        pending = PendingChange(act="correct", choices=choices_of([one]), new=content, reason=reason)
        return wait_for_approval(run, pending)
    return await replace_memory(run, one, content)


async def replace_memory(run: ChangeRun, one: ChangeTarget, content: str) -> MemoryChange:
    """Put a sentence in the place of a memory."""
    await run.editor.correct(one, content)
    return run.conclude("correct", "done", told=[one.text], new=content)


def ask_which(
    run: ChangeRun, several: list[ChangeTarget], outcome: Literal["asked", "nearest"] = "asked"
) -> MemoryChange:
    """Ask which of these is meant; no question brings up what was said off the record."""
    offered = [each for each in several if not each.is_withheld]
    if not offered:
        return run.conclude("forget", "unknown")
    question = OpenQuestion(act="forget", choices=choices_of(offered), unsure=outcome == "nearest")
    return run.conclude("forget", outcome, told=[each.text for each in offered], carried={"question": question})


def ask_which_to_correct(run: ChangeRun, several: list[ChangeTarget], contents: list[str]) -> MemoryChange:
    """Ask which of these a correction means; ``contents`` are what each of them would say."""
    question = OpenQuestion(act="correct", choices=choices_of(several[:MAX_ASKED]), contents=contents[:MAX_ASKED])
    told = [each.text for each in several[:MAX_ASKED]]
    return run.conclude("correct", "asked", told=told, carried={"question": question})


def ask_all(run: ChangeRun, among: list[ChangeTarget]) -> MemoryChange:
    """A whole matter goes only after a yes to the list; what was said off the record goes with it, and is not shown."""
    shown = [each for each in among if not each.is_withheld]
    if not shown:
        return run.conclude("forget", "unknown")
    hidden = [each for each in among if each.is_withheld]
    question = OpenQuestion(act="forget", choices=choices_of([*shown, *hidden]), whole=True)
    return run.conclude("forget", "confirm", told=[each.text for each in shown], carried={"question": question})


def wait_for_approval(run: ChangeRun, pending: PendingChange) -> MemoryChange:
    """Carry the change on until somebody decides on it."""
    told = [each["text"] for each in pending["choices"]]
    return run.conclude(pending["act"], "waiting", told=told, carried={"pending": pending})
