"""One request to the memory API: its headers, its deadline, and what its answer means."""

import asyncio
import json
import threading
import unicodedata
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast
from urllib.parse import quote, urlsplit
from weakref import WeakKeyDictionary

import httpx

from brain_memory.circuit_breaker import CircuitBreaker
from brain_memory.errors import BrainError, BrainRefused, BrainUnavailable

Transport = httpx.BaseTransport | httpx.AsyncBaseTransport

CONNECT_SECONDS = 1.0
"""For the connection alone; a machine that is gone is not waited for as long as an answer is."""
_TRY_LATER = frozenset({408, 425, 429})
_PREFIX = "/v1/memory/"


@dataclass(frozen=True, kw_only=True)
class Address:
    """Where the server is, and how it is spoken to. ``timeout`` in seconds.

    ``transport`` takes the place of the network: ``httpx.ASGITransport(app)`` runs a server in the same process.
    """

    url: str
    key: str = field(default="", repr=False)
    timeout: float = 2.0
    transport: Transport | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"The address of the memory server must begin with http:// or https://: {self.url!r}")
        if not (self.key.isascii() and self.key.isprintable()):
            raise ValueError("The key has characters that no key has, such as the end of a line.")
        if self.timeout <= 0:
            raise ValueError("The timeout must be more than 0 seconds.")

    @property
    def options(self) -> dict[str, Any]:
        """What both kinds of HTTP client take."""
        bearer = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        waits = httpx.Timeout(self.timeout, connect=min(self.timeout, CONNECT_SECONDS))
        return {"base_url": self.url.rstrip("/") + _PREFIX, "headers": bearer, "timeout": waits}


@dataclass(frozen=True, kw_only=True)
class ApiCall:
    """What is asked of the server. ``user`` is the person on whose behalf, for keys that may name one.

    Values whose names stand in the ``path`` fill it in; where the ``method`` has no body, the others are its query.
    """

    path: str
    body: Mapping[str, Any]
    user: str | None = None
    idempotency_key: str = ""
    method: str = "POST"

    def encode(self) -> dict[str, Any]:
        """The call as arguments of an HTTP client.

        Raises ``BrainRefused`` for a name that no header takes, ``TypeError`` for a body that JSON cannot say.
        """
        told = {"X-Brain-User": self.user, "Idempotency-Key": self.idempotency_key}
        headers = {name: _encode_header(name, value) for name, value in told.items() if value}
        body = {name: value for name, value in self.body.items() if value is not None}
        names = {name for name in body if f"{{{name}}}" in self.path}
        path = self.path.format(**{name: quote(str(body.pop(name)), safe="") for name in names})
        asked: dict[str, Any] = {"method": self.method, "url": path, "headers": headers}
        if self.method in ("GET", "DELETE"):
            return {**asked, "params": {name: _query_text(value) for name, value in body.items()}}
        headers["Content-Type"] = b"application/json"
        return {**asked, "content": json.dumps(body).encode()}


@dataclass(frozen=True, kw_only=True)
class ApiAnswer:
    """What the server said."""

    data: Mapping[str, Any]
    trace_id: str = ""
    degraded: tuple[str, ...] = ()


class Connection:
    """Sends calls from any thread and any event loop. After several failures it asks only now and then."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._breaker = CircuitBreaker()
        self._aclients: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx.AsyncClient] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def send(self, call: ApiCall) -> ApiAnswer:
        """The answer. Raises ``BrainUnavailable`` and ``BrainRefused``; each step of the way has the timeout."""
        client, encoded = self._client, call.encode()
        with self._guard():
            return _read_answer(client.request(**encoded))

    async def asend(self, call: ApiCall) -> ApiAnswer:
        """The same for coroutines; the timeout is for the whole of it."""
        client, encoded = self._aclient(), call.encode()
        with self._guard():
            async with asyncio.timeout(self._address.timeout):
                return _read_answer(await client.request(**encoded))

    def close(self) -> None:
        """Let go of the connections of synchronous calls."""
        if "_client" in self.__dict__:
            self._client.close()
            del self._client

    async def aclose(self) -> None:
        """Let go of the connections of this event loop and of synchronous calls."""
        with self._lock:
            client = self._aclients.pop(asyncio.get_running_loop(), None)
        if client:
            await client.aclose()
        self.close()

    @cached_property
    def _client(self) -> httpx.Client:
        transport = self._address.transport
        if transport is not None and not isinstance(transport, httpx.BaseTransport):
            raise TypeError("This transport is asynchronous: use the methods that begin with a, or ainvoke.")
        return httpx.Client(transport=transport, **self._address.options)

    def _aclient(self) -> httpx.AsyncClient:
        """The client of the running event loop: connections do not outlive the loop that opened them."""
        transport, loop = self._address.transport, asyncio.get_running_loop()
        if transport is not None and not isinstance(transport, httpx.AsyncBaseTransport):
            raise TypeError("This transport is synchronous: use the methods that do not begin with a, or invoke.")
        with self._lock:
            if loop not in self._aclients:
                self._aclients[loop] = httpx.AsyncClient(transport=transport, **self._address.options)
            return self._aclients[loop]

    @contextmanager
    def _guard(self) -> Generator[None]:
        """Keep the breaker, and turn whatever went wrong on the way into ``BrainUnavailable``."""
        if not self._breaker.allow_request():
            raise BrainUnavailable("E_CIRCUIT_OPEN", "The memory server failed several times and is left alone.")
        try:
            yield
        except BrainRefused:
            self._breaker.record_success()
            raise
        except Exception as error:  # in process, the server's own errors come through the transport
            self._breaker.record_failure()
            raise _unavailable(error) from error.__cause__
        except BaseException:
            self._breaker.release_trial()
            raise
        else:
            self._breaker.record_success()


def _query_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _encode_header(name: str, value: str) -> bytes:
    """As UTF-8. Control characters would end the header, and what is half a character has no bytes."""
    if any(unicodedata.category(each) in ("Cc", "Cs") for each in value):
        raise BrainRefused("E_BAD_REQUEST", f"{name} has characters that no header takes.")
    return value.encode()


def _unavailable(error: Exception) -> BrainUnavailable:
    match error:
        case BrainUnavailable():
            return error
        case TimeoutError() | httpx.TimeoutException():
            return BrainUnavailable("E_TIMEOUT", "The memory server did not answer in time.")
        case _:
            return BrainUnavailable("E_UNREACHABLE", f"No answer came from the memory server ({type(error).__name__}).")


def _read_answer(response: httpx.Response) -> ApiAnswer:
    body = _json_of(response)
    data = body.get("data")
    if not response.is_success:
        raise _failure(response.status_code, body)
    if not isinstance(data, dict):
        raise BrainUnavailable("E_BAD_ANSWER", "What answered is no memory server: check the address.")
    degraded = cast("list[object]", body.get("degrade_mode") or [])
    return ApiAnswer(
        data=cast("dict[str, Any]", data),
        trace_id=str(body.get("trace_id") or ""),
        degraded=tuple(str(each) for each in degraded),
    )


def _json_of(response: httpx.Response) -> Mapping[str, Any]:
    """The body; empty where it is no JSON object, as a proxy's error page is."""
    try:
        body: object = response.json()
    except ValueError:
        return {}
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {}


def _failure(status: int, body: Mapping[str, Any]) -> BrainError:
    """What a status outside of success means. Errors of the server as a whole lack the envelope."""
    told: Any = body.get("error")
    error = cast("Mapping[str, object]", told if isinstance(told, dict) else body)
    code, message = str(error.get("code") or f"HTTP_{status}"), str(error.get("message") or "")
    is_later = status in _TRY_LATER or not 400 <= status < 500
    return BrainUnavailable(code, message) if is_later else BrainRefused(code, message)
