"""A conversation with Brain in the browser: streamed where its script runs, as a page where it does not."""

import asyncio
from collections.abc import AsyncGenerator
from uuid import uuid5

from starlette.responses import Response, StreamingResponse

from apps.chat_api.answering import FIRST_WORDS_SECONDS, PAUSE, RunningAnswer
from apps.chat_api.request import ChatMessage, transcript_of
from apps.chat_api.turn import ChatTurn
from apps.panel.conversations import chat_name, session_context
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
    turn = _read_turn(visit)
    await turn.check_message()  # refused here rather than in an answer that has begun
    page = f"/panel/conversations/{session_of(visit.identity, str(turn.session_name))}#words"
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
        return False
    await asyncio.wait([running])
    return await service.runner.has_answered(turn)


def _read_turn(visit: Visit) -> ChatTurn:
    """The message as a turn. The same form with the same words is one message, however often it is sent."""
    name, words = chat_name(visit.read_field("session", 200)), visit.read_field("words", _MAX_CHARACTERS)
    if not name:
        raise bad_request("This conversation is not held in the panel.", "Begin a new one.")
    if not words:
        raise bad_request("There is nothing to answer.", "Type a message.")
    message_id = uuid5(session_of(visit.identity, name), f"{visit.read_field('once', 64)} {words}")
    return ChatTurn(
        context=session_context(visit, name),
        user=visit.user,
        said=transcript_of([ChatMessage(role="user", content=words)]),
        session_name=name,
        message_id=str(message_id),
    )


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
