"""Headers that tell who asks: sent twice they prove nothing, and what is no text names no request."""

import pytest
from starlette.types import Message, Receive, Scope, Send

from apps.access.middleware import header
from apps.http.access_log import AccessLogMiddleware
from apps.http.caller import refuse_repeated
from memory.errors import BrainError


def a_scope(*headers: tuple[bytes, bytes]) -> Scope:
    return {"type": "http", "method": "GET", "path": "/", "headers": list(headers)}


def test_a_header_that_was_sent_twice_is_all_of_its_values():
    assert header(a_scope((b"host", b"localhost")), b"host") == "localhost"
    assert header(a_scope((b"host", b"localhost"), (b"host", b"evil.example")), b"host") == "localhost, evil.example"


@pytest.mark.parametrize("name", [b"authorization", b"x-brain-user", b"idempotency-key", b"x-chat-id", b"x-user-id"])
def test_who_asks_is_said_once(name: bytes):
    refuse_repeated(a_scope((name, b"ann"), (b"accept", b"a"), (b"accept", b"b")))
    with pytest.raises(BrainError, match="more than once"):
        refuse_repeated(a_scope((name, b"ann"), (name, b"ann")))


@pytest.mark.parametrize(("shown", "kept"), [(b"request-7", True), (b"\xff\xfe", False), (b"a\r\nb", False)])
async def test_an_id_that_is_no_text_is_replaced_for_all_that_stands_below(shown: bytes, kept: bool):
    seen = list[Scope]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope)

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        """Nothing is sent."""

    await AccessLogMiddleware(app)(a_scope((b"x-request-id", shown), (b"a", b"b")), receive, send)
    (scope,) = seen
    named = [value for name, value in scope["headers"] if name == b"x-request-id"]
    assert named == [scope["state"]["request_id"].encode()]
    assert (named == [shown]) is kept
    assert (b"a", b"b") in scope["headers"]
