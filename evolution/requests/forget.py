"""Forgetting by rules: what is meant without doubt goes, anything else is asked about."""

from brain.state import MemoryChange
from evolution.requests.change_run import ChangeRun, OpenQuestion, approval_reason, choices_of
from evolution.requests.change_targets import ChangeTarget, find_targets, targets_in_last_turn
from evolution.requests.outcomes import ask_all, ask_which, correct_target, forget_targets
from evolution.requests.request_state import KnownRequest, RequestUpdate, other_statements
from evolution.requests.target_fit import Meant, find_meant, find_nearest, hold_all, is_in_past
from evolution.requests.target_ranking import rank_targets
from language.assertions import says_more
from language.requests import Request
from language.self_corrections import is_said_anew
from language.times import find_times


async def forget(state: KnownRequest) -> RequestUpdate:
    """What the words name, what "that" points at, what was said at a time, or all of a matter."""
    run, request = state.run, state.request
    among = await find_targets(run.context.resources, run.query)
    if request.points:
        return {"change": await _change_last(run, request, targets_in_last_turn(run.query, among))}
    if request.when:
        return {"change": _ask_period(run, request, among)}
    found = rank_targets(request, among)
    if request.everything and not request.about:
        return {"change": ask_all(run, among)}
    if request.everything:
        return {"change": await _forget_matter(run, hold_all(request, found))}
    return {"change": await _forget_match(run, request, found)}


async def _change_last(run: ChangeRun, request: Request, last: list[ChangeTarget]) -> MemoryChange:
    """What was said right before is put right where it is said anew, but for what is off the record; else it goes."""
    noted = [each for each in last if not (each.is_withheld or run.is_off_record)]
    if len(noted) == len(last) == 1 and is_said_anew(last[0].text, request.stated):
        return await correct_target(run, last[0], request.stated)
    return await _forget_last(run, request, last)


async def _forget_last(run: ChangeRun, request: Request, last: list[ChangeTarget]) -> MemoryChange:
    """What was said right before; what may be said of something else ("bin that") is asked about."""
    if request.is_addressed:
        return await forget_targets(run, last)
    return ask_which(run, last) if last else run.conclude("forget", "unnamed")


async def _forget_matter(run: ChangeRun, held: list[ChangeTarget]) -> MemoryChange:
    """All that holds what is named: where it is several, they are listed first, for approval or for a yes."""
    if len(held) == 1 or await approval_reason(run, held):
        return await forget_targets(run, held)
    return ask_all(run, held)


async def _forget_match(run: ChangeRun, request: Request, found: list[ChangeTarget]) -> MemoryChange:
    """What is meant without doubt is forgotten, else asked about, as is whatever may not be addressed to Brain."""
    meant = find_meant(request, found) if request.about else Meant()
    if meant.sure and request.is_addressed:
        if len(meant.targets) == 1 and says_more(meant.targets[0].text, request.about):
            return _ask_whole(run, meant.targets[0])
        return await forget_targets(run, list(meant.targets))
    if meant.sure or (meant.targets and request.is_addressed):
        return ask_which(run, list(meant.targets))
    if not request.is_addressed:
        return run.keep_unchanged()
    if request.just_named:
        return run.conclude("dont_note", "kept", notes=other_statements(run, request))
    near = await find_nearest(run.context.resources, run.query, request.about, found) if request.about else []
    if near:
        return ask_which(run, near, "nearest")
    in_past = request.about and await is_in_past(run.context.resources, run.query, request.about)
    return run.conclude("forget", "in_past" if in_past else "unknown")


def _ask_whole(run: ChangeRun, one: ChangeTarget) -> MemoryChange:
    """What else its sentence says goes with it only after a yes."""
    question = OpenQuestion(act="forget", choices=choices_of([one]), whole=True)
    return run.conclude("forget", "says_more", told=[one.text], carried={"question": question})


def _ask_period(run: ChangeRun, request: Request, among: list[ChangeTarget]) -> MemoryChange:
    """ "Forget what I told you yesterday": by the time alone it is never sure enough what is meant."""
    spans = find_times(request.when, run.editor.at, run.turn["time_zone"])
    said = [each for each in among if any(each.is_said_in(span.start, span.end) for span in spans)]
    return ask_all(run, said)
