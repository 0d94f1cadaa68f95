"""A thread that stands behind the log, as a crash leaves it: what it lacks is told from there, and nothing twice."""

from collections.abc import Sequence
from uuid import uuid4

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES

from brain.prompting.history import message_digest
from brain.resources import Resources
from brain.state import State
from memory.contracts import Event, NewTurn
from memory.scope import Scope
from memory.session_state import SessionState
from nodes.turn_lineage import is_copied, is_from_start, parse_id


def is_settled(new: NewTurn, opened: SessionState) -> bool:
    """Whether a turn that comes again is over: it was answered, or its run comes again though the thread has gone on.

    Who names a checkpoint wants another answer, but not from each attempt of the run.
    """
    if opened.known is None:
        return False
    is_answered = opened.known.answer is not None
    return (is_answered or _has_passed(opened)) if opened.known.is_retried else is_answered and not new.forks


async def find_missing(
    state: State, new: NewTurn, opened: SessionState, resources: Resources, scope: Scope
) -> Sequence[Event]:
    """What the log has of the thread and its checkpoint has not. Asks only where there is a reason to."""
    is_repeated_fork = opened.known is not None and opened.known.is_retried
    if new.thread_id is None or is_copied(state, new.thread_id) or (new.forks and not is_repeated_fork):
        return ()
    if state.turn is None:
        if not is_from_start() or (opened.follows is None and opened.known is None):
            return ()
        said = await resources.memory.log.follow_thread(scope, new.thread_id, None)
    elif _is_behind(state, new, opened):
        said = await resources.memory.log.follow_thread(scope, new.thread_id, parse_id(state.turn["operation_id"]))
    elif opened.known is None and _lacks_reply(state):
        behind = parse_id(state.turn.get("parent", ""))
        said = await resources.memory.log.follow_thread(scope, new.thread_id, behind)
        said = said if any(event.role == "assistant" for event in said) else ()
    else:
        return ()
    is_over = is_settled(new, opened)
    return [event for event in said if is_over or event.event_id not in opened.own]


def mended_messages(
    state: State, opened: SessionState, missing: Sequence[Event], is_over: bool
) -> list[AnyMessage | RemoveMessage]:
    """The update that makes the thread's messages each turn once and in order; none where they are."""
    newest, before = state.messages[-1], state.messages[:-1]
    tells_own = any(event.event_id in opened.own for event in missing)
    kept = before if is_over and not tells_own else _without_copies(state, before, opened)
    if missing and _lacks_reply(state) and kept and kept[-1].id == (state.turn or {}).get("message"):
        kept = kept[:-1]
    told = [*kept, *(newest if _is_own(event, opened) else _message(event) for event in missing)]
    messages = _retold(told, opened) if is_over else [*told, newest]
    if messages == state.messages:
        return []
    readable = [each for each in messages[:-1] if message_digest(each) not in opened.gone]
    return [RemoveMessage(id=REMOVE_ALL_MESSAGES), *readable, *messages[-1:]]


def _has_passed(opened: SessionState) -> bool:
    return opened.newest not in (None, opened.operation_id)


def _is_behind(state: State, new: NewTurn, opened: SessionState) -> bool:
    """Whether the state's last turn is not the one that should stand before the newest words."""
    assert state.turn is not None
    last = parse_id(state.turn["operation_id"])
    if _has_passed(opened):
        return last != opened.newest
    return last != opened.operation_id and (is_settled(new, opened) or last != opened.follows)


def _lacks_reply(state: State) -> bool:
    """Whether the words before the newest ones are the state's last turn, and nobody answered them."""
    if state.turn is None or len(state.messages) < 2:
        return False
    last = state.messages[-2]
    return isinstance(last, HumanMessage) and last.id == state.turn.get("message")


def _without_copies(state: State, messages: list[AnyMessage], opened: SessionState) -> list[AnyMessage]:
    """The messages without the newest words where they stand among them, and what was begun in reply."""
    newest, last = state.messages[-1], state.turn
    ids = {newest.id}
    if last is not None and opened.known is not None and parse_id(last["operation_id"]) == opened.operation_id:
        ids.add(last.get("message"))
    kept, is_copy = list[AnyMessage](), False
    for place, each in enumerate(messages):
        if isinstance(each, HumanMessage):
            is_unopened = place == len(messages) - 1 and opened.known is not None and opened.known.is_retried
            is_copy = each.id in ids or (is_unopened and each.text == newest.text)
        if not is_copy:
            kept.append(each)
    return kept


def _retold(messages: list[AnyMessage], opened: SessionState) -> list[AnyMessage]:
    """The last answer as a message of its own, so that who asked again hears it."""
    answer = opened.known.answer if opened.known else None
    if not answer or _has_passed(opened) or not messages:
        return messages
    last = messages[-1]
    if isinstance(last, AIMessage) and last.text == answer:
        return [*messages[:-1], last.model_copy(update={"id": str(uuid4())})]
    return [*messages, AIMessage(answer, id=str(uuid4()))] if isinstance(last, HumanMessage) else messages


def _is_own(event: Event, opened: SessionState) -> bool:
    return event.role == "user" and event.event_id in opened.own


def _message(event: Event) -> AnyMessage:
    return (AIMessage if event.role == "assistant" else HumanMessage)(event.text, id=str(event.event_id))
