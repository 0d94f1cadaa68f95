"""How long the head of a request may take: uvicorn itself waits for ever for one that was begun."""

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from apps.http import metrics

HEADER_SECONDS = 10.0
"""From the connection, or from the first byte of a further request, to the end of its headers."""

_TOO_LATE = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class HeaderDeadlineProtocol(AutoHTTPProtocol):
    """Uvicorn's protocol, which closes a connection whose request does not begin in time."""

    transport: asyncio.Transport
    cycle: Any
    """Uvicorn's own: the connection, and the newest request with its answer."""
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._start()

    def data_received(self, data: bytes) -> None:
        """Take what came. A request that is being answered has begun; what comes otherwise belongs to the next one."""
        super().data_received(data)
        if self._is_answering():
            self._stop()
        elif self._deadline is None:
            self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        """There is nothing to wait for any more."""
        self._stop()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _start(self) -> None:
        self._deadline = asyncio.get_running_loop().call_later(HEADER_SECONDS, self._close)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close(self) -> None:
        if not self.transport.is_closing():
            metrics.refused.labels("slow").inc()
            self.transport.write(_TOO_LATE)
            self.transport.close()
