"""A client of the memory API as a test sees it: each answer, or how it was refused."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx

from tests.integration.serving import Person

FIELDS = {"trace_id", "request_id", "tenant_id", "latency_ms", "degrade_mode", "retrieval_trace"}


@dataclass(frozen=True)
class MemoryClient:
    """Speaks for one person."""

    http: httpx.Client
    who: Person | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """A request; underscores in the names of headers stand for hyphens."""
        named = {name.replace("_", "-").encode(): value.encode() for name, value in {**self.headers, **headers}.items()}
        if self.who:
            named[b"Authorization"] = f"Bearer {self.who.key}".encode()
        return self.http.request(method, f"/v1/memory/{path}", json=body, headers=named)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The data of an answer that succeeded."""
        answer = self.send(method, path, body, **headers)
        assert answer.status_code < 300, answer.text
        assert answer.json().keys() == {"data", *FIELDS}
        return answer.json()["data"]

    def refusal(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
        """The status and the code of a request that was refused."""
        return refusal_of(self.send(method, path, body, **headers))

    def say(self, text: str, reply: str = "I see.", **more: str) -> Any:
        """A turn of an agent's."""
        return self.ask("POST", "after_llm", {"user_message": text, "assistant_message": reply, **more})


def refusal_of(answer: httpx.Response) -> tuple[int, str]:
    """How a request was refused."""
    told = answer.json()
    assert told.keys() == {"error", *FIELDS}, answer.text
    assert told["error"].keys() == {"code", "message", "retryable"}
    return answer.status_code, told["error"]["code"]


def fill_path(path: str, names: Mapping[str, object]) -> str:
    """The path below ``/v1/memory/`` with its names filled in."""
    filled = path.removeprefix("/v1/memory/")
    for name, value in names.items():
        filled = filled.replace(f"{{{name}}}", quote(str(value), safe=""))
    return filled


def fill_memory_of(ann: MemoryClient) -> dict[str, dict[str, Any]]:
    """Something of everything, all of it about plums; and the names by which others ask for it, by path."""
    memory = ann.ask("PUT", "memories", {"key": "secret", "text": "My secret is plum."})["memory"]["id"]
    ann.ask("PATCH", f"memories/{memory}", {"text": "My only secret is plum jam."})
    ann.ask("PUT", "documents/2026-03-01", {"body": "# Plum", "version": 0})
    stored = {"op": "put", "namespace": ["notes"], "key": "tea", "value": {"text": "plum"}}
    ann.ask("POST", "store/batch", {"operations": [stored]})
    trace = ann.send("POST", "before_llm", {"message": "plum?"}).json()["trace_id"]
    operation = ann.say("The plum is in the cellar.", session="cellar", trace_id=trace)["operation_id"]
    root = "/v1/memory"
    look: list[Any] = [{"op": "get", "namespace": ["notes"], "key": "tea"}, {"op": "search", "namespace_prefix": []}]
    return {
        "/": {"id": memory},
        f"{root}/before_llm": {"message": "What is my secret?", "session": "cellar"},
        f"{root}/recall": {"query": "What is my secret?", "all": True},
        f"{root}/memories/{{id}}": {"id": memory, "text": "No secret."},
        f"{root}/sessions/{{session}}": {"session": "cellar"},
        f"{root}/documents/{{name}}": {"name": "2026-03-01"},
        f"{root}/documents/{{name}}/text": {"name": "2026-03-01"},
        f"{root}/documents/{{name}}/history": {"name": "2026-03-01"},
        f"{root}/documents/{{name}}/restore": {"name": "2026-03-01"},
        f"{root}/operations/{{id}}": {"id": operation},
        f"{root}/receipts/{{id}}": {"id": operation},
        f"{root}/store/batch": {"operations": look},
    }


def state_of(ann: MemoryClient) -> Any:
    """All that somebody else might have changed."""
    return [ann.ask("GET", path) for path in ("memories?all=true", "documents", "sessions", "receipts")]
