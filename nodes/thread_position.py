"""Where a turn stands in its thread: what it follows, what the thread lacks of the log, as of when it is read again.

A client may write what the state says of it, so nothing else rests on that. A crash leaves a thread behind the log:
what it lacks is told from there, and nothing twice. What no checkpoint holds is read again as it was at the beginning.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langgraph.config import get_config
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime

from brain.context import Context
from brain.documents.past_documents import as_of_moment
from brain.documents.profile_refresh import try_refresh_profile
from brain.identity import identity_of
from brain.prompting.history import message_digest
from brain.resources import Resources
from brain.state import MemoryUse, OpenTurn, State, TurnInfo, TurnParts
from brain.turn_run import run_to_completion, thread_of
from memory.documents.document import prompt_document_ids
from memory.scope import Scope
from memory.session_state import SessionState, just_before
from memory.turns import Event, Forgotten, NewTurn, TurnRef
from memory.zones import local_day

FIRST_STEP = 1
"""The superstep of a thread in which its first turn opens."""


def parent_of(state: State, thread: str | None) -> UUID | None:
    """The turn that the new one follows: the state's last, or the one before it where its message is put otherwise."""
    last = state.turn
    if thread is None or last is None or (is_copied(state, thread) and last.get("thread") != thread):
        return None
    remains = any(message.id == last.get("message") for message in state.messages[:-1])
    return parse_id(last["operation_id"] if remains or not last.get("message") else last.get("parent", ""))


def is_from_start() -> bool:
    """Whether the thread has gone through other steps before, so that a state without a turn is an old one."""
    return _metadata().get("langgraph_step", 0) > FIRST_STEP


def is_fork(state: TurnParts) -> bool:
    """Whether a client named the checkpoint that the run goes on from, or laid it down. A crash names none."""
    return state.laid_down or bool(_metadata().get("checkpoint_id"))


def is_copied(state: State, thread: str | None) -> bool:
    """Whether the thread began as a copy of another one."""
    last = state.turn
    return last is not None and (last.get("copied", False) or bool(thread and last.get("thread", thread) != thread))


def is_learnt(state: State, runtime: Runtime[Context]) -> bool:
    """Whether memory may take anything from the turn that begins."""
    return runtime.context.learn and not is_copied(state, thread_of(runtime))


def learns_from(turn: TurnInfo) -> bool:
    """Whether memory may take anything from a turn that was opened."""
    return turn.get("learnt", True)


def _metadata() -> Mapping[str, Any]:
    try:
        return get_config().get("metadata", {})
    except RuntimeError:  # a node that is called by itself
        return {}


def parse_id(text: str) -> UUID | None:
    """The id that a state holds; None for none."""
    try:
        return UUID(text)
    except ValueError:
        return None


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
    elif _is_behind(state.turn, new, opened):
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


def _is_behind(turn: TurnInfo, new: NewTurn, opened: SessionState) -> bool:
    """Whether the state's last turn is not the one that should stand before the newest words."""
    last = parse_id(turn["operation_id"])
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
    if event.role == "assistant":
        return AIMessage(event.text, id=str(event.event_id))
    content: list[str | dict[str, Any]] = [{"type": "text", "text": event.text}, *map(dict, event.blocks or ())]
    return HumanMessage(content if event.blocks else event.text, id=str(event.event_id))


def as_of(state: OpenTurn) -> datetime | None:
    """The moment at which memory is read; None for now."""
    return _replayed_as_of(state) if state.opened is None else state.opened.as_of


async def reopen_turn(state: OpenTurn, runtime: Runtime[Context]) -> OpenTurn:
    """The state with its session as it stood before the turn, which becomes the thread's head again on a fork.

    What was forgotten since is gone from its messages; of memories and of what tools found the hash remains.
    """
    turn, resources, scope = state.turn, runtime.context.resources, identity_of(runtime).scope
    at = datetime.fromisoformat(turn["at"])
    documents = prompt_document_ids(scope, local_day(at, turn["time_zone"]))
    ref = TurnRef(
        operation_id=UUID(turn["operation_id"]),
        session_id=UUID(turn["session_id"]),
        at=resources.clock(),
        forks=is_fork(state),
    )
    log, window = resources.memory.log, resources.settings.window_events
    opened = await run_to_completion(log.return_to_turn(scope, ref, window, documents))
    if opened.moved:
        opened = await follow_move(opened, resources, scope, turn["time_zone"])
    opened = await as_of_moment(replace(opened, as_of=_replayed_as_of(state)), resources, scope, turn["time_zone"])
    uses = [*state.memories, *state.rejected]
    sources = list({each for use in uses for each in _sources(use)})
    forgotten = await log.find_forgotten(scope, sources, at)
    return _without_forgotten(replace(state, opened=opened), opened, forgotten)


async def follow_move(opened: SessionState, resources: Resources, scope: Scope, time_zone: str) -> SessionState:
    """The session with its documents as they are when the memories of another branch count."""
    await try_refresh_profile(resources, scope, time_zone)
    ids = [document.document_id for document in opened.documents]
    return replace(opened, documents=tuple(await resources.memory.documents.find(scope, ids)))


def remove_forgotten(messages: list[AnyMessage], opened: SessionState) -> list[RemoveMessage]:
    """Lets go of the messages before the newest that say what was forgotten since, in whichever thread."""
    earlier = messages[:-1] if opened.gone else []
    hashes = ((each.id, message_digest(each)) for each in earlier)
    return [RemoveMessage(id=known) for known, digest in hashes if known and digest in opened.gone]


def _replayed_as_of(state: OpenTurn) -> datetime:
    then = state.turn.get("as_of")
    return datetime.fromisoformat(then) if then else just_before(datetime.fromisoformat(state.turn["at"]))


def _without_forgotten(state: OpenTurn, opened: SessionState, forgotten: Forgotten) -> OpenTurn:
    gone = {message.id for message in remove_forgotten(state.messages, opened)}
    kept = [message for message in state.messages if message.id not in gone]
    return replace(
        state,
        messages=[_hide_answer(message) for message in kept] if forgotten.anything else kept,
        memories=[_hide_words(use, forgotten) for use in state.memories],
        rejected=[_hide_words(use, forgotten) for use in state.rejected],
    )


def _hide_words(use: MemoryUse, forgotten: Forgotten) -> MemoryUse:
    return {**use, "text": _hash_of(use["text"])} if _sources(use) & forgotten.ids else use


def _hide_answer(message: AnyMessage) -> AnyMessage:
    """What a tool brought may say anything that was forgotten since."""
    return message.model_copy(update={"content": _hash_of(message.text)}) if message.type == "tool" else message


def _hash_of(text: str) -> str:
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def _sources(use: MemoryUse) -> set[UUID]:
    """The memory itself and, for what was said, its turn."""
    span = use.get("span")
    return {UUID(use["memory_id"]), *([UUID(span["event_id"])] if span else [])}
