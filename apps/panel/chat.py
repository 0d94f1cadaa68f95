"""A conversation with Brain in the browser: streamed where its script runs, as a page where it does not."""

import asyncio
from base64 import b64encode
from collections.abc import AsyncGenerator
from hashlib import sha256
from typing import Any
from uuid import uuid5

from starlette.responses import Response, StreamingResponse

from apps.chat_api.answering import FIRST_WORDS_SECONDS, PAUSE, RunningAnswer
from apps.chat_api.place import LOOK_SECONDS
from apps.chat_api.request import ChatMessage, transcript_of
from apps.chat_api.turn import ChatTurn
from apps.panel.conversation_context import find_session_named, goes_on_here, session_context
from apps.panel.form_body import SentFile
from apps.panel.page import Visit
from apps.panel.rendering import CHAT_PREFIX
from memory.errors import bad_request
from nodes.open_session import session_of

_MAX_CHARACTERS = 20_000
KEEP_ALIVE = "\u200b"
"""A space without width, while no words come: proxies close silent connections."""


async def show_chat(visit: Visit) -> Response:
    """A conversation that begins."""
    name = f"{CHAT_PREFIX}{visit.resources.clock():%Y-%m-%d %H:%M:%S.%f}"
    return visit.render("chat.html", name=name, session_id=session_of(visit.identity, name))


async def send_message(visit: Visit) -> Response:
    """Answer a message: word by word for the script, otherwise with the page of the conversation."""
    turn = await _read_turn(visit)
    await turn.check_message()  # refused here rather than in an answer that has begun
    page = f"/panel/conversations/{session_of(visit.identity, str(turn.session_name))}#newest"
    if await _was_sent_before(visit, turn):
        return visit.redirect(page)
    answer = RunningAnswer(visit.service, turn)
    if visit.request.headers.get("accept") == "text/plain":
        return await _stream_answer(answer)
    await answer.whole()
    return visit.redirect(page)


async def _was_sent_before(visit: Visit, turn: ChatTurn) -> bool:
    """Whether this message has its answer, perhaps after a moment: a double click sends the form twice."""
    service = visit.service
    if await service.runner.has_answered(turn):
        return True
    if (running := service.turns.find(turn.message_id)) is None:
        await _await_other_process(visit, turn)
    else:
        await asyncio.wait([running])
    return await service.runner.has_answered(turn)


async def _await_other_process(visit: Visit, turn: ChatTurn) -> None:
    """Wait as long as another process answers this very message; one that died is not waited for."""
    async with asyncio.timeout(visit.resources.settings.request_timeout):
        while await visit.service.runner.is_answered_elsewhere(turn):  # noqa: ASYNC110 -- it happens in another process
            await asyncio.sleep(LOOK_SECONDS)


async def _read_turn(visit: Visit) -> ChatTurn:
    """The message as a turn. The same form with the same words and files is one message, however often it is sent."""
    name, words = await _read_name(visit), visit.read_field("words", _MAX_CHARACTERS)
    if not words and not visit.files:
        raise bad_request("There is nothing to answer.", "Type a message.")
    digests = "".join(f" {sha256(each.data).hexdigest()}" for each in visit.files)
    message_id = uuid5(session_of(visit.identity, name), f"{visit.read_field('once', 64)} {words}{digests}")
    return ChatTurn(
        context=session_context(visit, name),
        user=visit.user,
        said=transcript_of([ChatMessage(role="user", content=_read_content(visit, words))]),
        session_name=name,
        message_id=str(message_id),
    )


async def _read_name(visit: Visit) -> str:
    """The conversation that the message goes to: one that begins here, or one that may go on here."""
    name = visit.read_field("session", 200)
    if name.startswith(CHAT_PREFIX):
        return name
    session = await find_session_named(visit, name)
    if session is None or not goes_on_here(visit, session):
        raise bad_request("This conversation is not held in the panel.", "Begin a new one.")
    return name


def _read_content(visit: Visit, words: str) -> str | list[dict[str, Any]]:
    """The words, and each file by its bytes: they tell what it is, whatever the browser says."""
    if not visit.files:
        return words
    spoken = [{"type": "text", "text": words}] if words else []
    return [*spoken, *(_block(each) for each in visit.files)]


def _block(sent: SentFile) -> dict[str, Any]:
    return {"type": "file", "base64": b64encode(sent.data).decode("ascii"), "filename": sent.name}


async def _stream_answer(answer: RunningAnswer) -> Response:
    """The words as they come; a refusal before the first of them has a status of its own."""
    words: str | None = ""
    try:
        words = await answer.next_words(FIRST_WORDS_SECONDS)
    except TimeoutError:
        pass
    except BaseException:
        answer.cut_off()
        raise
    if words is None:
        return StreamingResponse(iter([(await answer.whole()).text]), media_type="text/plain")
    headers = {"X-Accel-Buffering": "no"}
    return StreamingResponse(stream_words(answer, words), media_type="text/plain", headers=headers)


async def stream_words(answer: RunningAnswer, words: str | None) -> AsyncGenerator[str]:
    """All words. Who goes away ends the turn: what was shown is what counts. A failure breaks the connection off."""
    finished = False
    try:
        while words is not None:
            yield words or KEEP_ALIVE
            words = await _wait_for_words(answer)
        finished = True
        await answer.whole()
    finally:
        if not finished:
            answer.cut_off()


async def _wait_for_words(answer: RunningAnswer) -> str | None:
    try:
        return await answer.next_words(PAUSE)
    except TimeoutError:
        return ""
