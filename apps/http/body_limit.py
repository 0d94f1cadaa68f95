"""How much a request may say, how long it may take to say it, and how many may be saying it at once."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Message, Receive

from apps.http import metrics
from apps.http.errors import HttpRefusal

READ_SECONDS = 30.0
"""For the whole body; a caller that trickles holds a connection and nothing else."""

_Place = tuple[str, str]
"""A tenant and an address."""


class ArrivingBodies:
    """Reads bodies. Those that do not come take no place of their tenant: of the ones that one address of a tenant has
    under way, the longest makes room for another.
    """

    def __init__(self, most: int, at_once: int) -> None:
        self._most, self._at_once = most, at_once
        self._arriving: dict[_Place, list[asyncio.Timeout]] = {}

    async def read(self, request: Request, tenant: str, most: int | None = None) -> bytes:
        """The body. Raises ``HttpRefusal`` 413 for one that is too large, 408 for one that does not come."""
        bound = min(self._most, most or self._most)
        declared = Headers(scope=request.scope).get("content-length", "")
        if declared.isdigit() and int(declared) > bound:
            raise _too_large(bound)
        address = request.client.host if request.client else ""
        try:
            async with asyncio.timeout(READ_SECONDS) as limit:
                with self._make_room((tenant, address), limit):
                    return await _read_all(request, bound)
        except TimeoutError:
            metrics.refused.labels("slow").inc()
            raise HttpRefusal(408, "E_BAD_REQUEST", "The request did not arrive in time.") from None

    @contextmanager
    def _make_room(self, place: _Place, limit: asyncio.Timeout) -> Generator[None]:
        arriving = self._arriving.setdefault(place, [])
        if len(arriving) >= self._at_once and not (longest := arriving.pop(0)).expired():
            longest.reschedule(0)
        arriving.append(limit)
        try:
            yield
        finally:
            if limit in arriving:
                arriving.remove(limit)
            if not arriving and self._arriving.get(place) is arriving:
                del self._arriving[place]


async def _read_all(request: Request, most: int) -> bytes:
    pieces, size = list[bytes](), 0
    async for piece in request.stream():
        size += len(piece)
        if size > most:
            raise _too_large(most)
        pieces.append(piece)
    return b"".join(pieces)


def replay(body: bytes, receive: Receive) -> Receive:
    """The body that was read, then whatever comes."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive_again() -> Message:
        return messages.pop() if messages else await receive()

    return receive_again


def _too_large(most: int) -> HttpRefusal:
    metrics.refused.labels("too_large").inc()
    told = f"The request is larger than {most:,} bytes; BRAIN_REQUEST_BYTES sets how large it may be."
    return HttpRefusal(413, "E_BAD_REQUEST", told, {"Connection": "close"})
