"""A memory server that answers from a script and keeps what it was asked; the same for both kinds of call."""

import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
from brain_memory import BrainClient

Mode = Literal["sync", "async"]
URL = "http://memory.test"

TEA: dict[str, Any] = {
    "id": "m1",
    "lane": "fact",
    "text": "Ann likes green tea.",
    "said_at": None,
    "speaker": "user",
    "score": 0.9,
}
RECALLED: dict[str, Any] = {"context": "<memories>Ann likes green tea.</memories>", "memories": [TEA], "session": "s"}
ANSWERS: dict[str, Any] = {
    "before_llm": RECALLED,
    "after_llm": {"operation_id": "o1", "session": "s"},
    "recall": {"memories": [TEA]},
    "store/batch": {"results": [None]},
}

Answer = httpx.Response | Exception


def envelope(data: Any, **more: Any) -> dict[str, Any]:
    return {"data": data, "trace_id": "t1", "request_id": "r1", "tenant_id": "x", "degrade_mode": [], **more}


def refusal(status: int, code: str) -> httpx.Response:
    return httpx.Response(status, json={"error": {"code": code, "message": "No.", "retryable": status >= 500}})


@dataclass
class FakeServer:
    """Answers as the API does, unless ``script`` has something else for the next requests."""

    script: list[Answer] = field(default_factory=list[Answer])
    requests: list[httpx.Request] = field(default_factory=list[httpx.Request])
    answers: dict[str, Any] = field(default_factory=lambda: dict(ANSWERS))

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if self.script:
            answer = self.script.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)
        return httpx.Response(200, json=envelope(self.answers[request.url.path.removeprefix("/v1/memory/")]))

    def client(self, **options: Any) -> BrainClient:
        return BrainClient(URL, transport=httpx.MockTransport(self.handle), **options)

    def paths(self) -> list[str]:
        return [request.url.path.removeprefix("/v1/memory/") for request in self.requests]

    def bodies(self, path: str) -> list[dict[str, Any]]:
        return [json.loads(each.content) for each in self.requests if each.url.path.endswith(path)]

    def keys(self) -> list[str]:
        return [each.headers["idempotency-key"] for each in self.requests if "idempotency-key" in each.headers]


async def call(mode: Mode, method: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """Call a method, or its twin for coroutines."""
    owner: Any = getattr(method, "__self__")  # noqa: B009
    chosen = method if mode == "sync" else getattr(owner, f"a{method.__name__}")
    result = chosen(*arguments, **named)
    return await result if inspect.isawaitable(result) else result
