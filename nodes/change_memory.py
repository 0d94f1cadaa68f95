"""Forget, correct, remember, withhold: what a person asks of memory is done in the turn in which they ask for it."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Literal, cast

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.runtime import Runtime

from brain.approval import Approval, is_expired, is_waiting
from brain.change_approval import PendingChange, QuestionChoice, approval_request, edit_change
from brain.context import Context
from brain.documents.profile_refresh import try_refresh_profile
from brain.identity import identity_of
from brain.recall import RecallRequest, search
from brain.state import MemoryChange, OpenTurn, Update
from evolution.requests.change_run import (
    CARRIED_OUT,
    ChangeRun,
    OpenQuestion,
    approval_reason,
    choices_of,
    find_chosen,
    find_living,
)
from evolution.requests.change_targets import (
    MAX_ASKED,
    ChangeTarget,
    TargetQuery,
    find_targets,
    rank_targets,
    targets_in_last_turn,
)
from evolution.requests.correction_fit import CorrectedMemory, find_corrected
from evolution.requests.memory_editor import MemoryEditor
from evolution.requests.target_fit import Meant, find_meant, find_nearest, hold_all
from evolution.requests.undoing import RecentAct, acts_about, last_asked_for, list_recent_acts, undo_act
from language.assertions import says_more
from language.choices import read_choice
from language.detection import language_of
from language.requests import Request, find_request, terms_of
from language.statements import read_statements
from language.times import find_times
from nodes.open_session import reload_session
from nodes.thread_position import remove_forgotten

ACT_JOINT = " · "
"""Between the memories of one change where changes are listed."""


def asks_change(state: OpenTurn) -> Literal["change_memory", "assemble"]:
    """Does the person ask something of memory, answer a question about it, or talk off the record?"""
    carried: Mapping[str, Any] = state.opened.carried if state.opened else {}
    asked = find_request(state.turn["text"], _previous_reply(state)) is not None
    return "change_memory" if asked or carried.get("question") or carried.get("off_record") else "assemble"


def needs_approval(state: OpenTurn) -> Literal["approve", "assemble"]:
    """Has the change to wait for a decision?"""
    return "approve" if is_waiting(state.approval) else "assemble"


async def change_memory(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """Carry out what was asked; where anything went, this turn's own prompt is without it.

    What the policy has wait for approval is asked for, and carried out when the node runs again with the decision.
    """
    run = await _build_run(state, runtime)
    if state.approval:
        change = await _carry_out_decision(run, state.approval)
        request = find_request(run.turn["text"], _previous_reply(state))
        change = _note_others(run, request, change) if request else change
    else:
        change = await _read_and_carry_out(run, _previous_reply(state))
    if change["outcome"] == "waiting":
        return {"approval": _ask_approval(run, change)}
    known: Update = {"change": change, "approval": None, "opened": run.opened}
    if change["outcome"] != "done" or change["act"] not in ("forget", "correct", "undo"):
        return known
    await try_refresh_profile(run.context.resources, run.query.scope, run.turn["time_zone"])
    return known | await _reload_turn(state, run, runtime)


async def _read_and_carry_out(run: ChangeRun, previous_reply: str) -> MemoryChange:
    question: OpenQuestion | None = run.opened.carried.get("question")
    change = await _answer_question(run, question) if question else None
    request = find_request(run.turn["text"], previous_reply) if change is None else None
    return change or (await _carry_out(run, request) if request else run.keep_unchanged())


async def _carry_out(run: ChangeRun, request: Request) -> MemoryChange:
    match request.act:
        case "forget" | "correct":
            change = await (_propose(run, request) if run.has_model else _change_match(run, request))
            return _note_others(run, request, change)
        case "undo":
            return await _take_back(run, request)
        case "off_record" | "on_record":
            off = request.act == "off_record"
            return run.conclude(request.act, "kept", carried={"off_record": True} if off else {})
        case "dont_note":
            return await _withhold(run, request)
        case "remember":
            assert request.sentence is not None
            notes = [request.sentence.start, *_other_statements(run, request)]
            return run.conclude("remember", "done", told=[request.stated], notes=notes)


def _note_others(run: ChangeRun, request: Request, change: MemoryChange) -> MemoryChange:
    """A change that settles the turn, with what the turn says beside asking for it."""
    return {**change, "notes": _other_statements(run, request)} if change["settled"] == CARRIED_OUT else change


def _other_statements(run: ChangeRun, request: Request) -> list[int]:
    """Where the other sentences of this turn begin that a memory is made of."""
    asking = request.sentence
    found = [each for each in read_statements(run.turn["text"]) if each.is_memorable and each.kind != "slip"]
    return [each.start for each in found if asking is not None and each.start != asking.start]


async def _propose(run: ChangeRun, request: Request) -> MemoryChange:
    """With a model no rule changes memory before it: it sees what may be meant, and decides by its tools."""
    found = rank_targets(request, await find_targets(run.context.resources, run.query))
    if request.act == "correct":
        corrected = find_corrected(request, run.turn["text"], found)
        meant = [corrected.target] if corrected else []
    elif request.points:
        meant = targets_in_last_turn(run.query, found)
    else:
        meant = hold_all(request, found) if request.everything else list(find_meant(request, found).targets)
    if request.act == "correct" or not request.is_addressed:
        return (
            run.keep_unchanged() if not meant else run.conclude(request.act, "proposed", told=[m.text for m in meant])
        )
    question = OpenQuestion(act="forget", choices=choices_of(meant[:MAX_ASKED]))
    carried = {"question": question} if meant else {}
    return run.conclude("forget", "proposed", told=[each.text for each in meant[:MAX_ASKED]], carried=carried)


async def _change_match(run: ChangeRun, request: Request) -> MemoryChange:
    among = await find_targets(run.context.resources, run.query)
    found = rank_targets(request, among)
    if request.act == "correct":
        corrected = find_corrected(request, run.turn["text"], found)
        return await _correct(run, corrected) if corrected else run.keep_unchanged()
    if request.points:
        return await _forget(run, targets_in_last_turn(run.query, among))
    if request.when:
        return _ask_period(run, request, among)
    if request.everything:
        return await _forget_matter(run, hold_all(request, found)) if request.about else _ask_all(run, among)
    return await _forget_match(run, request, found)


async def _forget_matter(run: ChangeRun, held: list[ChangeTarget]) -> MemoryChange:
    """All that holds what is named: where it is several, they are listed first, for approval or for a yes."""
    if len(held) == 1 or await approval_reason(run, held):
        return await _forget(run, held)
    return _ask_all(run, held)


async def _forget_match(run: ChangeRun, request: Request, found: list[ChangeTarget]) -> MemoryChange:
    """What is meant without doubt is forgotten, else asked about, as is whatever may not be addressed to Brain."""
    meant = find_meant(request, found) if request.about else Meant()
    if meant.sure and request.is_addressed:
        if len(meant.targets) == 1 and says_more(meant.targets[0].text, request.about):
            return _ask_whole(run, meant.targets[0])
        return await _forget(run, list(meant.targets))
    if meant.sure or (meant.targets and request.is_addressed):
        return _ask_which(run, list(meant.targets))
    if not request.is_addressed:
        return run.keep_unchanged()
    if request.just_named:
        return run.conclude("dont_note", "kept")
    near = await find_nearest(run.context.resources, run.query, request.about, found) if request.about else []
    return _ask_which(run, near, "nearest") if near else run.conclude("forget", "unknown")


def _ask_whole(run: ChangeRun, one: ChangeTarget) -> MemoryChange:
    """What else its sentence says goes with it only after a yes."""
    question = OpenQuestion(act="forget", choices=choices_of([one]), whole=True)
    return run.conclude("forget", "says_more", told=[one.text], carried={"question": question})


def _ask_period(run: ChangeRun, request: Request, among: list[ChangeTarget]) -> MemoryChange:
    """ "Forget what I told you yesterday": by the time alone it is never sure enough what is meant."""
    spans = find_times(request.when, run.editor.at, run.turn["time_zone"])
    said = [each for each in among if any(each.is_said_in(span.start, span.end) for span in spans)]
    return _ask_all(run, said)


def _ask_all(run: ChangeRun, among: list[ChangeTarget]) -> MemoryChange:
    """A whole matter goes only after a yes to the list."""
    if not among:
        return run.conclude("forget", "unknown")
    question = OpenQuestion(act="forget", choices=choices_of(among), whole=True)
    return run.conclude("forget", "confirm", told=[each.text for each in among], carried={"question": question})


async def _withhold(run: ChangeRun, request: Request) -> MemoryChange:
    """ "Don't keep my son's age" says nothing new: what was said before is meant."""
    found = rank_targets(request, await find_targets(run.context.resources, run.query)) if request.about else []
    meant = find_meant(request, found) if terms_of(request.about) else Meant()
    if meant.sure and not run.has_model and terms_of(request.about) <= terms_of(meant.targets[0].text, alone=True):
        return await _forget(run, list(meant.targets))
    return run.conclude("dont_note", "kept")


async def _forget(run: ChangeRun, gone: list[ChangeTarget]) -> MemoryChange:
    if not gone:
        return run.conclude("forget", "unknown")
    reason = "" if run.is_approved else await approval_reason(run, gone)
    if reason:
        return _wait(run, PendingChange(act="forget", choices=choices_of(gone), new="", reason=reason))
    await run.editor.forget(gone)
    return run.conclude("forget", "done", told=[each.text for each in gone])


async def _correct(run: ChangeRun, corrected: CorrectedMemory) -> MemoryChange:
    one, content = corrected.target, corrected.content
    reason = await approval_reason(run, [one])
    if reason:
        return _wait(run, PendingChange(act="correct", choices=choices_of([one]), new=content, reason=reason))
    return await _replace(run, one, content)


async def _replace(run: ChangeRun, one: ChangeTarget, content: str) -> MemoryChange:
    await run.editor.correct(one, content)
    return run.conclude("correct", "done", told=[one.text], new=content)


async def _take_back(run: ChangeRun, request: Request) -> MemoryChange:
    """The last change that the person asked for, or the one whose words are named; else they are asked which."""
    acts = await list_recent_acts(run.context.resources, run.query.scope)
    if request.about:
        named = acts_about(acts, request.about)
        if len(named) == 1:
            return run.conclude("undo", "done", told=await undo_act(run.editor, named[0]))
        return _ask_which_act(run, named) if named else run.keep_unchanged()
    last = last_asked_for(acts)
    if last is not None:
        return run.conclude("undo", "done", told=await undo_act(run.editor, last))
    return _ask_which_act(run, acts[:MAX_ASKED]) if acts else run.conclude("undo", "unknown")


def _ask_which_act(run: ChangeRun, acts: list[RecentAct]) -> MemoryChange:
    told = [ACT_JOINT.join(each.told) for each in acts]
    choices = [
        QuestionChoice(text=text, memory_ids=[str(act.act_id)], spoken=[]) for text, act in zip(told, acts, strict=True)
    ]
    return run.conclude("undo", "asked", told=told, carried={"question": OpenQuestion(act="undo", choices=choices)})


async def _undo_chosen(run: ChangeRun, chosen: list[QuestionChoice]) -> MemoryChange:
    acts = await list_recent_acts(run.context.resources, run.query.scope)
    wanted = {name for each in chosen for name in each["memory_ids"]}
    told = [said for act in acts if str(act.act_id) in wanted for said in await undo_act(run.editor, act)]
    return run.conclude("undo", "done" if told else "unknown", told=told)


async def _answer_question(run: ChangeRun, question: OpenQuestion) -> MemoryChange | None:
    """What becomes of an open question; None when this turn is no answer to it."""
    choices = question["choices"]
    shown, unsure = [each["text"] for each in choices], question.get("unsure", False)
    places = read_choice(run.turn["text"], shown, plainly=unsure)
    if places is None and question.get("whole") and read_choice(run.turn["text"], [""]):
        places = tuple(range(len(choices)))
    if places is None:
        return None
    if not places:
        return run.conclude(question["act"], "kept")
    if question["act"] == "undo":
        return await _undo_chosen(run, [choices[place] for place in places])
    gone = [await find_chosen(run, choices[place]) for place in places]
    return await _forget(replace(run, is_approved=bool(question.get("whole"))), gone)


def _ask_which(
    run: ChangeRun, several: list[ChangeTarget], outcome: Literal["asked", "nearest"] = "asked"
) -> MemoryChange:
    question = OpenQuestion(act="forget", choices=choices_of(several), unsure=outcome == "nearest")
    return run.conclude("forget", outcome, told=[each.text for each in several], carried={"question": question})


def _wait(run: ChangeRun, pending: PendingChange) -> MemoryChange:
    told = [each["text"] for each in pending["choices"]]
    return run.conclude(pending["act"], "waiting", told=told, carried={"pending": pending})


def _ask_approval(run: ChangeRun, change: MemoryChange) -> Approval:
    pending: PendingChange = change["carried"]["pending"]
    request = approval_request(pending, language_of(run.turn["text"]))
    return run.context.approval_policy.start("change_memory", request, {**pending}, run.context.resources.clock())


async def _carry_out_decision(run: ChangeRun, approval: Approval) -> MemoryChange:
    """Do what was approved, as it was edited; what is over by then is left alone."""
    pending, decision = cast("PendingChange", approval["plan"]), approval["decisions"][0]
    if is_expired(approval, run.context.resources.clock()):
        return run.conclude(pending["act"], "expired")
    if decision["type"] == "edit" and "edited_action" in decision:
        pending = edit_change(pending, decision["edited_action"]["args"])
    targets = [each for choice in pending["choices"] if (each := await find_living(run, choice))]
    if decision["type"] == "reject" or not targets:
        return run.conclude(pending["act"], "refused")
    approved = replace(run, is_approved=True)
    if pending["act"] == "correct":
        return await _replace(approved, targets[0], pending["new"])
    return await _forget(approved, targets)


async def _reload_turn(state: OpenTurn, run: ChangeRun, runtime: Runtime[Context]) -> Update:
    """The session, the thread and the memories of this turn as they are after the change."""
    opened = await reload_session(run.turn, runtime)
    opened = replace(opened, injected=run.opened.injected, tokens_spent=run.opened.tokens_spent)
    found = await search(run.context.resources, run.query.scope, run.query.ask)
    living = {str(each.source_id): each.text for each in found.candidates.candidates}
    return {
        "opened": opened,
        "messages": remove_forgotten(state.messages, opened),
        "memories": [each for each in state.memories if living.get(each["memory_id"]) == each["text"]],
        "rejected": [each for each in state.rejected if living.get(each["memory_id"]) == each["text"]],
    }


async def _build_run(state: OpenTurn, runtime: Runtime[Context]) -> ChangeRun:
    assert state.opened is not None
    identity, turn = identity_of(runtime), state.turn
    query = TargetQuery(
        scope=identity.scope,
        speaker=identity.user if identity.scope.is_group else "user",
        window=state.opened.window,
        ask=RecallRequest.of_turn(turn["text"], turn),
    )
    editor = MemoryEditor(
        resources=runtime.context.resources,
        scope=identity.scope,
        key=f"change:{turn['operation_id']}",
        trace_id=turn["operation_id"],
        at=datetime.fromisoformat(turn["at"]),
    )
    return ChangeRun(context=runtime.context, turn=turn, query=query, editor=editor, opened=state.opened)


def _previous_reply(state: OpenTurn) -> str:
    """What Brain said last, before the newest words of the person."""
    earlier = [each for each in state.messages[:-1] if isinstance(each, AIMessage | HumanMessage)]
    return earlier[-1].text if earlier and isinstance(earlier[-1], AIMessage) else ""
