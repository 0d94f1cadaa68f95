"""How much a request may say, and how long it may take to say it."""

import asyncio

from starlette.datastructures import Headers
from starlette.requests import Request

from apps.http import metrics
from apps.http.errors import HttpRefusal

READ_SECONDS = 30.0
"""For the whole body; a caller that trickles holds a connection and nothing else."""


async def read_body(request: Request, most: int) -> bytes:
    """The body. Raises ``HttpRefusal`` 413 for one of more than ``most`` bytes, 408 for one that does not come."""
    declared = Headers(scope=request.scope).get("content-length", "")
    if declared.isdigit() and int(declared) > most:
        raise _too_large(most)
    pieces, size = list[bytes](), 0
    try:
        async with asyncio.timeout(READ_SECONDS):
            async for piece in request.stream():
                size += len(piece)
                if size > most:
                    raise _too_large(most)
                pieces.append(piece)
    except TimeoutError:
        metrics.refused.labels("slow").inc()
        raise HttpRefusal(408, "E_BAD_REQUEST", "The request did not arrive in time.") from None
    return b"".join(pieces)


def _too_large(most: int) -> HttpRefusal:
    metrics.refused.labels("too_large").inc()
    told = f"The request is larger than {most:,} bytes; BRAIN_REQUEST_BYTES sets how large it may be."
    return HttpRefusal(413, "E_BAD_REQUEST", told, {"Connection": "close"})
