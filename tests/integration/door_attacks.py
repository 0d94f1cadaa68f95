"""What attackers make of a request that names another person's things: false proofs, foreign pages, hostile texts."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any, cast

import httpx
from itsdangerous import URLSafeTimedSerializer

from apps.memory_api.paging import write_cursor_text
from apps.panel.session_cookie import COOKIE, PanelSession
from tests.integration.door_probes import (
    FORM_TOKEN,
    Probe,
    Victim,
)
from tests.integration.serving import SECRET

LIMIT = 100_000
SQL, TRAVERSAL = "'; drop table brain.memory_items; --", "../../../../etc/passwd"
SURROGATE = "\ud800"
TEXTS = ("\x00", SURROGATE, SQL, TRAVERSAL, "{{7*7}}<script>\r\nSet-Cookie: a=b")
PATHS = (
    "%00",
    "%ed%a0%80",
    "%27%20or%201=1%20--",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/metrics",
    "%0d%0aA:%20b",
)
CURSORS = tuple(write_cursor_text("daily_note", text) for text in TEXTS)
DEEP = (b"[" * 50_000, b'{"a":' * 15_000)
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
UNSIGNED = "eyJhbGciOiJub25lIn0.eyJ0ZW5hbnQiOiJhY21lIiwic3ViIjoiYW5uIiwiZXhwIjo5OTk5OTk5OTk5fQ."
TENANT = "acme"
Sent = Iterator[Probe]


@dataclass(frozen=True)
class Scene:
    """A server, whom it is about, and what the attackers show it."""

    http: httpx.Client
    victim: Victim
    tokens: Mapping[str, str]


def prove(token: str, probe: Probe, scene: Scene) -> Probe:
    """The request with a proof; at the panel in a cookie, and sent from a page of the panel."""
    if not probe.is_of_panel:
        return probe.add(("Authorization", token)) if token else probe
    origin = ("Origin", str(scene.http.base_url))
    return probe.add(origin, cookie_of(token)) if token else probe.add(origin)


def cookie_of(token: str) -> tuple[str, str]:
    """The panel's session of whoever signed in with this."""
    session = replace(PanelSession.of_credential(token.partition(" ")[2]), form_token=FORM_TOKEN)
    text = URLSafeTimedSerializer(SECRET, salt="brain panel session").dumps(asdict(session))
    return "Cookie", f"{COOKIE}={text.decode() if isinstance(text, bytes) else text}"


def show(name: str, probe: Probe, scene: Scene) -> Sent:
    """The request with one of the proofs."""
    yield prove(scene.tokens[name], probe, scene)


def as_colleague(change: Callable[[Probe, Scene], Sent], probe: Probe, scene: Scene) -> Sent:
    """What a valid colleague may try."""
    for each in change(probe, scene):
        yield prove(scene.tokens["colleague"], each, scene)


def on_behalf(probe: Probe, scene: Scene) -> Sent:
    for name in ("X-Brain-User", "X-OpenWebUI-User-Id", "X-User-Id"):
        yield probe.add((name, scene.victim.who.user))


def two_proofs(probe: Probe, scene: Scene) -> Sent:
    """A proxy that checks the last one lets in what the server takes from the first."""
    for tokens in (("colleague", "forged"), ("forged", "colleague")):
        proven = probe
        for name in tokens:
            proven = prove(scene.tokens[name], proven, scene)
        yield proven


def from_foreign_page(probe: Probe, scene: Scene) -> Sent:
    """What a page elsewhere can have the person's browser send without asking first: a form, of plain text even."""
    own = [cookie_of(f"Bearer {scene.victim.who.key}")] if probe.is_of_panel else []
    kinds = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x")
    for origin, kind in product(("https://evil.example", "null", f"{scene.http.base_url}.evil.example"), kinds):
        plain = tuple(each for each in probe.headers if each[0] == "Accept")
        if not (probe.is_of_panel and probe.method == "GET"):  # the page would be the person's own, read by nobody else
            yield replace(probe, headers=plain).add(("Origin", origin), ("Content-Type", kind), *own)


def to_rebound_name(probe: Probe, scene: Scene) -> Sent:
    for host in ("evil.example", "127.0.0.1.evil.example:8000", "localhost.evil.example"):
        yield probe.add(("Host", host))


def with_hostile_texts(probe: Probe, scene: Scene) -> Sent:
    for text in TEXTS:
        for body in spoil(probe.body, text):
            yield replace(probe, body=body)


def spoil(value: Any, text: str) -> Iterator[Any]:
    """The same value with one of its texts replaced, for each of them."""
    if isinstance(value, str):
        yield text
    elif isinstance(value, dict):
        named = cast("dict[str, Any]", value)
        yield from ({**named, name: spoilt} for name, each in named.items() for spoilt in spoil(each, text))
    elif isinstance(value, list):
        listed = cast("list[Any]", value)
        for place, each in enumerate(listed):
            yield from ([*listed[:place], spoilt, *listed[place + 1 :]] for spoilt in spoil(each, text))


def with_hostile_paths(probe: Probe, scene: Scene) -> Sent:
    path = probe.path.partition("?")[0]
    for text in PATHS:
        yield replace(probe, path=f"{path.rpartition('/')[0]}/{text}")
        yield replace(probe, path=f"{path}?cursor={text}&name={text}&limit={text}")
    for cursor in CURSORS:
        yield replace(probe, path=f"{path}?cursor={cursor}")


def with_hostile_headers(probe: Probe, scene: Scene) -> Sent:
    plain = replace(probe, headers=tuple(each for each in probe.headers if each[0] != "Idempotency-Key"))
    for text in ("\xff\xfe", SQL, TRAVERSAL, "x" * 5_000):
        yield plain.add(("X-Brain-User", text))
        yield plain.add(
            *((name, text) for name in ("Idempotency-Key", "X-Conversation-Id", "X-Request-Id", "X-User-Id"))
        )


def with_deep_json(probe: Probe, scene: Scene) -> Sent:
    if probe.body is not None and not probe.is_of_panel:
        for body in DEEP:
            yield replace(probe, body=body)


def with_huge_body(probe: Probe, scene: Scene) -> Sent:
    if probe.body is not None:
        yield replace(probe, body=b'"' + b"x" * LIMIT + b'"')


def twice_named(probe: Probe, scene: Scene) -> Sent:
    """A gateway appends whom it vouches for; what the caller sent itself stands before it."""
    for name in ("X-Brain-User", "X-User-Id"):
        both = [(name, "bob"), (name, scene.victim.who.user)]
        yield prove(scene.tokens["gateway"], probe.add(*both), scene)
        yield prove(scene.tokens["gateway"], probe.add(*reversed(both)), scene)


def raw_requests(token: str) -> list[bytes]:
    """What no client sends: split, folded and doubled headers, bodies with two lengths, a request inside another."""
    start = b"GET /v1/memory/memories HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    post = start.replace(b"GET", b"POST")
    proof = f"Authorization: {token}\r\n".encode()
    inner = b"GET /v1/memory/memories HTTP/1.1\r\nHost: localhost\r\nX-Brain-User: ann\r\n\r\n"
    size = str(len(inner)).encode()
    chunked = b"Transfer-Encoding: chunked\r\n"
    return [
        start + proof + b"X-Request-Id: a\rSet-Cookie: injected=1\r\n\r\n",
        start + proof + b"X-Request-Id: a\nX-Brain-User: ann\r\n\r\n",
        start + proof + b"X-Request-Id: a\x00b\r\n\r\n",
        start + b"Authorization:\r\n " + token.encode() + b"\r\n\r\n",
        start + proof.replace(b":", b" :", 1) + b"\r\n",
        start + proof + b"Host: evil.example\r\n\r\n",
        start.replace(b" /v1", b" http://evil.example/v1") + proof + b"\r\n",
        start.replace(b" /v1", b" //v1") + proof + b"\r\n",
        start.replace(b" /v1", b" /../../v1") + proof + b"\r\n",
        start.replace(b"1.1", b"0.9") + proof + b"\r\n",
        post + proof + b"Content-Length: 2\r\nContent-Length: " + size + b"\r\n\r\n" + inner,
        post + proof + b"Content-Length: " + size + b"\r\n" + chunked + b"\r\n0\r\n\r\n" + inner,
        post + proof + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + inner,
        post + proof + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + inner,
        post + proof + b"Content-Length: -1\r\n\r\n" + inner,
        post + proof + chunked + b"\r\nfffffffffffffffff\r\n" + inner,
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        start + proof + b"X: y\r\n" * 20_000 + b"\r\n",
    ]
