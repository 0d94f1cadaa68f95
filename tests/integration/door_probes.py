"""By what another person's things are asked for through each door: requests with their ids, sessions and cursors."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote, urlencode

import httpx

from apps.mcp.server import TOOLS
from apps.memory_api.routes import HTTP_ENDPOINTS
from tests.integration.callers import words
from tests.integration.memory_client import MemoryClient, fill_memory_of, fill_path, state_of
from tests.integration.serving import Person

MARKER = "plum"
"""In everything of the person's that is attacked, and in no request of the attackers."""
SESSION, KEY = "cellar", "the key of a retry"
FORM_TOKEN = "the token in each form of a session"
LISTS = ("memories", "documents", "sessions", "receipts", "jobs")
JSON_RPC = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


@dataclass(frozen=True)
class Probe:
    """A request as an attacker begins it, without proof of who asks."""

    method: str
    path: str
    body: Any = None
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def is_of_panel(self) -> bool:
        """Whether a browser sends it: a cookie proves who asks, and the body is a form."""
        return self.path.startswith("/panel")

    @property
    def content(self) -> bytes | None:
        """The body as bytes, in which escapes also carry what is no text; a body of bytes stays as it is."""
        if self.body is None or isinstance(self.body, bytes):
            return self.body
        if self.is_of_panel:
            return urlencode(self.body, errors="surrogatepass").encode()
        return json.dumps(self.body).encode()

    def add(self, *headers: tuple[str, str]) -> "Probe":
        """The same request with more headers."""
        return replace(self, headers=(*self.headers, *headers))


@dataclass(frozen=True)
class Victim:
    """Somebody with something of everything behind one server, and how others would name it."""

    http: httpx.Client
    who: Person
    names: Mapping[str, Mapping[str, Any]]
    cursors: Mapping[str, str]
    hash: str
    before: Any
    thread: Mapping[str, str] = field(default_factory=dict[str, str])

    def is_unchanged(self) -> bool:
        """Whether no attack changed anything."""
        return state_of(MemoryClient(self.http, self.who if self.who.key else None)) == self.before


def a_victim(http: httpx.Client, who: Person, mcp: str, *, has_threads: bool = False) -> Victim:
    """Fill everything a person can have behind this server; on an open one nobody has a key."""
    memory = MemoryClient(http, who if who.key else None)
    names = fill_memory_of(memory)
    memory.say("Another plum.", session="attic")
    memory.ask("POST", "memories", {"text": "Plums grow in my garden."}, Idempotency_Key=KEY)
    memory.ask("PUT", "documents/2026-03-02", {"body": "# Plum", "version": 0})
    memory.ask("POST", "before_llm", {"message": "plum?"})
    cursors = {each: memory.ask("GET", f"{each}?limit=1")["next_cursor"] for each in LISTS}
    bearer = {"Authorization": f"Bearer {who.key}"} if who.key else {}
    chat = {"messages": [{"role": "user", "content": "My secret is plum."}]}
    http.post("/v1/chat/completions", json=chat, headers={**bearer, "X-Conversation-Id": SESSION}).raise_for_status()
    asked = http.post(mcp, json=tool_call("forget", {"about": "plum"}), headers={**JSON_RPC, **bearer})
    shown = asked.json()["result"]["structuredContent"].get("choices", [])
    thread = _make_thread(http, bearer) if has_threads else {}
    hashes = [each["hash"] for each in shown] or ["0" * 64]
    return Victim(http, who, names, cursors, hashes[0], state_of(memory), thread)


def _make_thread(http: httpx.Client, bearer: Mapping[str, str]) -> dict[str, str]:
    """A thread with a run, an assistant and an item of the agent server's store."""

    def post(path: str, body: Any) -> Any:
        answer = http.post(path, json=body, headers=bearer)
        answer.raise_for_status()
        return answer.json()

    thread = post("/threads", {"metadata": {"about": "plum"}})["thread_id"]
    post(f"/threads/{thread}/runs/wait", {"assistant_id": "brain", "input": words("My secret is plum.")})
    run = http.get(f"/threads/{thread}/runs", headers=bearer).json()[0]["run_id"]
    state = http.get(f"/threads/{thread}/state", headers=bearer).json()["checkpoint"]["checkpoint_id"]
    assistant = post("/assistants", {"graph_id": "brain", "name": "plum"})["assistant_id"]
    item = {"namespace": ["cellar"], "key": "jar", "value": {"text": "plum"}}
    http.put("/store/items", json=item, headers=bearer).raise_for_status()
    return {"thread": thread, "run": run, "checkpoint": state, "assistant": assistant}


def tool_call(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """A call of a tool as a message of the protocol."""
    params = {"name": name, "arguments": dict(arguments)}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def memory_probes(victim: Victim) -> Iterator[Probe]:
    """Every operation with the person's ids; lists from the person's cursors on; writes under the person's key."""
    for each in HTTP_ENDPOINTS:
        names = {**each.example, **victim.names.get(each.path, victim.names["/"])}
        body = {name: value for name, value in names.items() if name not in each.path_names}
        path = f"/v1/memory/{fill_path(each.path, names)}"
        key = (("Idempotency-Key", KEY),) if each.scope == "memory:write" else ()
        yield Probe(each.method, path, body if each.has_body else None, key)
    for name, cursor in victim.cursors.items():
        yield Probe("GET", f"/v1/memory/{name}?cursor={quote(str(cursor))}")
    again = {"text": "Figs grow in my garden."}
    yield Probe("POST", "/v1/memory/memories", again, (("Idempotency-Key", KEY),))


def chat_probes(victim: Victim) -> Iterator[Probe]:
    """The person's conversation by every name that a client gives one, and the person by theirs."""
    path, asked = "/v1/chat/completions", {"messages": [{"role": "user", "content": "What is my secret?"}]}
    for name in ("X-OpenWebUI-Chat-Id", "X-Conversation-Id", "X-LibreChat-Conversation-Id", "X-Chat-Id"):
        yield Probe("POST", path, asked, ((name, SESSION),))
    yield Probe("POST", path, {**asked, "metadata": {"conversation_id": SESSION}})
    yield Probe("POST", path, {**asked, "stream": True, "user": victim.who.user})
    yield Probe("POST", path, asked, (("X-OpenWebUI-User-Id", victim.who.user),))
    response: dict[str, Any] = {"input": "What is my secret?", "user": victim.who.user}
    yield Probe("POST", "/v1/responses", response, (("X-Conversation-Id", SESSION),))
    yield Probe("POST", "/v1/responses", {**response, "metadata": {"conversation_id": SESSION}, "stream": True})
    yield Probe("GET", "/v1/models")


def tool_arguments(victim: Victim) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every tool of MCP, with the person's ids, names and hash."""
    memory, about = victim.names["/"]["id"], "my only secret in the garden"
    yield "recall", {"query": "What is my secret?", "all": True}
    yield "why", {"id": memory}
    for name in ("profile", "recent", "changes", "documents"):
        yield name, {}
    yield "document", {"name": "2026-03-01"}
    yield "knowledge", {"text": "What is my secret?"}
    yield "remember", {"text": "I like figs.", "kind": "fact"}
    yield "correct", {"about": about, "statement": "I have no secret.", "hash": victim.hash}
    yield "forget", {"about": about, "hash": victim.hash}
    yield "undo", {"id": memory}
    assert set(TOOLS) == {*READING, "remember", *CHANGING}


READING = ("recall", "why", "profile", "recent", "changes", "documents", "document", "knowledge")
CHANGING = ("correct", "forget", "undo")


def mcp_probes(victim: Victim) -> Iterator[Probe]:
    """Every tool over streamable HTTP."""
    path = "/brain/mcp" if victim.thread else "/mcp"
    for name, arguments in tool_arguments(victim):
        yield Probe("POST", path, tool_call(name, arguments), tuple(JSON_RPC.items()))


def agent_probes(victim: Victim) -> Iterator[Probe]:
    """LangGraph's own routes with the person's thread, run, checkpoint, assistant and items."""
    thread, assistant = f"/threads/{victim.thread['thread']}", f"/assistants/{victim.thread['assistant']}"
    run, said = f"{thread}/runs/{victim.thread['run']}", words("What is my secret?")
    asked = {"assistant_id": "brain", "input": said}
    for path in ("", "/state", "/history", f"/state/{victim.thread['checkpoint']}", "/runs"):
        yield Probe("GET", f"{thread}{path}")
    for path in ("", "/join", "/stream"):
        yield Probe("GET", f"{run}{path}")
    for path in ("/runs", "/runs/wait", "/runs/stream"):
        yield Probe("POST", f"{thread}{path}", asked)
    yield Probe("POST", f"{thread}/history", {"limit": 10})
    yield Probe("POST", f"{thread}/state", {"values": {"messages": []}})
    yield Probe("POST", f"{thread}/copy", {})
    yield Probe("PATCH", thread, {"metadata": {"owner": "bob"}})
    yield Probe("POST", "/threads", {"thread_id": victim.thread["thread"], "if_exists": "do_nothing"})
    yield Probe("POST", "/threads/search", {"limit": 100})
    yield Probe("POST", "/threads/search", {"metadata": {"owner": victim.who.user, "tenant": victim.who.tenant}})
    yield Probe("POST", "/threads/count", {})
    yield Probe("POST", "/runs/wait", {**asked, "config": {"configurable": {"thread_id": victim.thread["thread"]}}})
    yield Probe("POST", "/runs/wait", {"assistant_id": victim.thread["assistant"], "input": said})
    yield Probe("POST", f"{run}/cancel", {})
    for path in ("", "/graph", "/schemas"):
        yield Probe("GET", f"{assistant}{path}")
    yield Probe("POST", "/assistants/search", {"metadata": {}})
    yield Probe("PATCH", assistant, {"name": "mine"})
    yield Probe("DELETE", assistant)
    yield Probe("DELETE", run)
    yield Probe("DELETE", thread)
    yield Probe("GET", f"/brain/operations/{victim.names['/v1/memory/operations/{id}']['id']}")


def store_probes(victim: Victim) -> Iterator[Probe]:
    """The agent server's own store, by the person's namespaces and by nobody's."""
    yield Probe("GET", "/store/items?namespace=cellar&key=jar")
    yield Probe("POST", "/store/items/search", {"namespace_prefix": []})
    yield Probe("POST", "/store/items/search", {"namespace_prefix": ["cellar"], "query": "secret"})
    yield Probe("POST", "/store/items/search", {"namespace_prefix": [victim.who.tenant, victim.who.user]})
    yield Probe("POST", "/store/namespaces", {"prefix": []})
    yield Probe("PUT", "/store/items", {"namespace": ["cellar"], "key": "jar", "value": {"text": "fig"}})
    yield Probe("DELETE", "/store/items", {"namespace": ["cellar"], "key": "jar"})


def panel_probes(victim: Victim) -> Iterator[Probe]:
    """Every page and form of the panel with the person's memory, conversation, answer and document."""
    memory = f"/panel/memories/{victim.names['/']['id']}"
    answer = f"/panel/answers/{victim.names['/v1/memory/operations/{id}']['id']}"
    session = next(each["id"] for each in victim.before[2]["items"] if each["name"] == SESSION)
    note, conflict = "/panel/documents/2026-03-01", "/panel/conflicts/0198c0de-0000-7000-8000-000000000002"
    for path in (
        "",
        "/memories",
        "/conversations",
        "/chat",
        "/conflicts",
        "/approvals",
        "/documents",
        "/jobs",
        "/usage",
    ):
        yield Probe("GET", f"/panel{path}")
    for name in ("memories", "conversations", "jobs"):
        cursor = victim.cursors.get(name) or victim.cursors["sessions"]
        yield Probe("GET", f"/panel/{name}?after={quote(str(cursor))}&cursor={quote(str(cursor))}")
    for path in (memory, f"{memory}/forget", answer, f"/panel/conversations/{session}", note, f"{note}/edit"):
        yield Probe("GET", path)
    yield Probe("GET", f"/panel/chat?session={session}")
    forms: Mapping[str, Mapping[str, str]] = {
        f"{memory}/correct": {"text": "I have no secret."},
        f"{memory}/confirm": {},
        f"{memory}/forget": {},
        f"{memory}/restore": {"version": "1"},
        "/panel/chat": {"session": SESSION, "words": "What is my secret?"},
        f"/panel/approvals/{session}": {"interrupt": "1", "decision": "approve"},
        f"{note}/edit": {"body": "# Fig", "version": "1"},
        f"{note}/restore": {"version": "1"},
        conflict: {"resolution": "discard"},
    }
    for path, fields in forms.items():
        yield Probe("POST", path, {"form_token": FORM_TOKEN, "once": "1", **fields})
