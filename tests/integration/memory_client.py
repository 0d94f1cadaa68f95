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
