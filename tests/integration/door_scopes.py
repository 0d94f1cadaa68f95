"""Every route of both servers, and the scope that it asks for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx

from apps.memory_api.routes import HTTP_ENDPOINTS
from memory.api_keys import KEY_SCOPES, KeyScope
from tests.integration.callers import words
from tests.integration.door_attacks import cookie_of
from tests.integration.door_probes import FORM_TOKEN
from tests.integration.serving import Person

ID = str(UUID(int=7))
BRAINS = """
chat          POST /v1/chat/completions
chat          POST /v1/responses
chat          POST /v1/embeddings
chat          GET /v1/models
chat          GET /v1/models/{model:path}
chat          GET /brain/operations/{operation_id}
memory:read   POST {mcp}
ops           GET {metrics}
-             GET /v1/memory/openapi.json
-             GET /v1/memory/{rest:path}
"""
"""What both servers have; the memory API tells of its own routes which scope each asks for."""
SERVE = """
-             GET /healthz
-             GET /readyz
-             GET /brain/ready
-             GET /
memory:read   GET /panel
-             GET /panel/sign-in
-             POST /panel/sign-in
-             POST /panel/sign-out
-             GET /panel/language/{language}
-             GET /panel/static/{file}
memory:read   GET /panel/memories
memory:read   GET /panel/memories/{memory_id:uuid}
memory:write  POST /panel/memories/{memory_id:uuid}/correct
memory:write  POST /panel/memories/{memory_id:uuid}/confirm
memory:write  POST /panel/memories/{memory_id:uuid}/use/{use}
memory:read   GET /panel/memories/{memory_id:uuid}/forget
memory:write  POST /panel/memories/{memory_id:uuid}/forget
memory:write  POST /panel/memories/{memory_id:uuid}/restore
memory:write  GET /panel/add-memory
memory:write  POST /panel/add-memory
memory:read   POST /panel/chosen
memory:write  POST /panel/chosen/forget
memory:read   POST /panel/chosen/export
memory:read   GET /panel/remembering
memory:read   GET /panel/remembering/{session_id:uuid}
memory:write  POST /panel/remembering/stop
memory:write  POST /panel/remembering/resume
memory:read   GET /panel/past
memory:write  POST /panel/past
memory:write  POST /panel/past/export
memory:write  POST /panel/past/{import_id:uuid}/remove
ops           GET /panel/experiments
ops           GET /panel/levels
memory:read   GET /panel/changes
memory:write  POST /panel/changes/{act_id:uuid}/undo
memory:read   GET /panel/conversations
memory:read   GET /panel/conversations/{session_id:uuid}
memory:read   GET /panel/media/{sha256}
memory:write  POST /panel/media/{sha256}/forget
chat          GET /panel/chat
chat          POST /panel/chat
memory:read   GET /panel/answers/{operation_id:uuid}
memory:read   GET /panel/conflicts
memory:write  POST /panel/conflicts/{conflict_id:uuid}
memory:read   GET /panel/approvals
chat          POST /panel/approvals/{session_id:uuid}
memory:read   GET /panel/soul
admin         GET /panel/soul/{version}
admin         POST /panel/soul/{version}/decision
admin         POST /panel/soul/rollback
admin         POST /panel/soul/pause
admin         POST /panel/soul/resume
memory:read   GET /panel/documents
memory:read   GET /panel/documents/{name}
memory:write  GET /panel/documents/{name}/edit
memory:write  POST /panel/documents/{name}/edit
memory:write  POST /panel/documents/{name}/restore
memory:read   GET /panel/knowledge
admin         POST /panel/knowledge
memory:read   GET /panel/knowledge/{entry_id:uuid}
admin         POST /panel/knowledge/{entry_id:uuid}
admin         POST /panel/knowledge/{entry_id:uuid}/remove
memory:read   GET /panel/jobs
memory:read   GET /panel/usage
memory:read   GET /panel/accesses
memory:read   GET /panel/erasures
memory:write  POST /panel/erasures
memory:read   GET /panel/contract
admin         POST /panel/contract
admin         GET /panel/experience
admin         POST /panel/experience/remove
memory:read   GET /panel/promotions
memory:write  POST /panel/promotions/objection
admin         POST /panel/promotions/{proposal_id:uuid}/approve
admin         POST /panel/promotions/{proposal_id:uuid}/reject
memory:read   GET /panel/health
memory:read   GET /panel/{rest:path}
"""
AGENT = """
-             GET /brain/healthz
"""
LANGGRAPHS = """
chat          POST /assistants
chat          POST /assistants/search
chat          POST /assistants/count
chat          GET /assistants/{assistant_id}
chat          PATCH /assistants/{assistant_id}
chat          GET /assistants/{assistant_id}/graph
chat          GET /assistants/{assistant_id}/schemas
chat          GET /assistants/{assistant_id}/subgraphs
chat          GET /assistants/{assistant_id}/subgraphs/{namespace}
chat          POST /assistants/{assistant_id}/latest
chat          POST /assistants/{assistant_id}/versions
chat          DELETE /assistants/{assistant_id}
chat          POST /threads
chat          POST /threads/search
chat          POST /threads/count
chat          POST /threads/prune
chat          GET /threads/{thread_id}
chat          PATCH /threads/{thread_id}
chat          POST /threads/{thread_id}/copy
chat          GET /threads/{thread_id}/state
chat          POST /threads/{thread_id}/state
chat          POST /threads/{thread_id}/state/checkpoint
chat          GET /threads/{thread_id}/state/{checkpoint_id}
chat          GET /threads/{thread_id}/history
chat          POST /threads/{thread_id}/history
-             GET /threads/{thread_id}/storage
chat          GET /threads/{thread_id}/stream
chat          POST /threads/{thread_id}/stream/events
chat          POST /threads/{thread_id}/commands
chat          GET /threads/{thread_id}/runs
chat          POST /threads/{thread_id}/runs
chat          POST /threads/{thread_id}/runs/wait
chat          POST /threads/{thread_id}/runs/stream
chat          GET /threads/{thread_id}/runs/{run_id}
chat          DELETE /threads/{thread_id}/runs/{run_id}
chat          GET /threads/{thread_id}/runs/{run_id}/join
chat          GET /threads/{thread_id}/runs/{run_id}/stream
chat          POST /threads/{thread_id}/runs/{run_id}/cancel
chat          DELETE /threads/{thread_id}
chat          POST /runs
chat          POST /runs/wait
chat          POST /runs/stream
chat          POST /runs/batch
chat          POST /runs/cancel
memory:read   GET /store/items
memory:read   POST /store/items/search
memory:read   POST /store/namespaces
memory:write  PUT /store/items
memory:write  DELETE /store/items
-             GET /
-             GET /docs
-             GET /info
-             GET /ok
-             GET /openapi.json
"""
"""LangGraph's own, as its document lists them. The storage of a thread is told to nobody (501)."""
CLOSED = """
-             POST /runs/crons
-             POST /runs/crons/search
-             POST /runs/crons/count
-             GET /runs/crons/{cron_id}
-             PATCH /runs/crons/{cron_id}
-             DELETE /runs/crons/{cron_id}
-             POST /threads/{thread_id}/runs/crons
-             POST /deploy
-             GET /deploy
-             GET /deploy/{operation_id}/stream
-             GET /metrics
-             GET /internal/debug/thread/{thread_id}
-             POST /internal/truncate
"""
"""LangGraph's own that no key opens."""

RUN = {"assistant_id": "brain", "input": words("Hello.")}
BODIES: Mapping[str, Any] = {
    "/threads": {"thread_id": ID},
    "/runs/crons": {**RUN, "schedule": "0 0 * * *"},
    "/runs/crons/{cron_id}": {"schedule": "0 0 * * *"},
    "/threads/{thread_id}/runs/crons": {**RUN, "schedule": "0 0 * * *"},
    "/assistants": {"graph_id": "brain"},
    "/threads/{thread_id}/stream/events": {"channels": ["values"]},
    "/threads/{thread_id}/commands": {"id": 1, "method": "run.start", "params": RUN},
    "/threads/prune": {"thread_ids": [ID]},
    "/threads/{thread_id}/state": {"values": None},
    "/threads/{thread_id}/state/checkpoint": {"checkpoint": {}},
    "/assistants/{assistant_id}/latest": {"version": 1},
    "/threads/{thread_id}/runs": RUN,
    "/threads/{thread_id}/runs/wait": RUN,
    "/threads/{thread_id}/runs/stream": RUN,
    "/runs": RUN,
    "/runs/wait": RUN,
    "/runs/stream": RUN,
    "/runs/batch": [RUN],
    "/runs/cancel": {"thread_id": ID, "run_ids": [ID]},
    "/store/items": {"namespace": ["notes"], "key": "k", "value": {"text": "tea"}},
    "/store/items/search": {"namespace_prefix": ["notes"]},
}
"""What a request says where LangGraph's server checks that before it asks who may."""
STREAMS = {
    "/threads/{thread_id}/stream",
    "/threads/{thread_id}/commands",
    "/threads/{thread_id}/runs/{run_id}/stream",
}
"""Where LangGraph's server tells a refusal in an answer that has begun."""

SCOPES: Mapping[str, KeyScope | None] = {"-": None, **{each: each for each in KEY_SCOPES}}


@dataclass(frozen=True)
class Door:
    """A route, and the scope that it asks for; None for none."""

    needs: KeyScope | None
    method: str
    path: str

    def knock(self, http: httpx.Client, who: Person) -> httpx.Response:
        """What somebody with a key is answered. They call from elsewhere."""
        bearer = ("Authorization", f"Bearer {who.key}")
        headers = [bearer, ("X-Forwarded-For", "203.0.113.9"), ("Origin", str(http.base_url))]
        if self.path.startswith("/panel"):
            headers = [cookie_of(bearer[1]), *headers[1:]]
            return http.request(self.method, self._filled, data=self._form, headers=headers)
        takes_body = self.method in {"POST", "PUT", "PATCH"} or (
            self.path == "/store/items" and self.method == "DELETE"
        )
        body = BODIES.get(self.path, {}) if takes_body else None
        return http.request(self.method, self._filled, json=body, headers=headers)

    @property
    def _filled(self) -> str:
        parts = (ID if part.startswith("{") else part for part in self.path.split("/"))
        query = "?namespace=notes&key=k" if self.path == "/store/items" and self.method == "GET" else ""
        return "/".join(parts) + query

    @property
    def _takes_body(self) -> bool:
        is_deletion = (self.method, self.path) == ("DELETE", "/store/items")
        return self.method in {"POST", "PUT", "PATCH"} or is_deletion

    @property
    def _form(self) -> dict[str, str] | None:
        return {"form_token": FORM_TOKEN, "once": "1"} if self.method == "POST" else None


def doors_of(*tables: str, **names: str) -> list[Door]:
    """The lines of tables, in order."""
    text = "".join(tables)
    for name, value in names.items():
        text = text.replace(f"{{{name}}}", value)
    lines = [line.split() for line in text.split("\n") if line]
    return [Door(SCOPES[needs], method, path) for needs, method, path in lines]


WORDLESS = {
    ("PATCH", "/threads/{thread_id}"): (404, '{"detail":"Not Found"}'),
    ("POST", "/threads/{thread_id}/stream/events"): (200, ""),
}
"""Where it tells who is refused that there is no such thread, or sends a stream without events."""
MEMORY = [Door(each.scope, each.method, each.path) for each in HTTP_ENDPOINTS]
ON_SERVE = [*doors_of(BRAINS, SERVE, mcp="/mcp", metrics="/metrics"), *MEMORY]
ON_AGENT = [*doors_of(BRAINS, AGENT, mcp="/brain/mcp", metrics="/brain/metrics"), *MEMORY]
OF_LANGGRAPH = doors_of(LANGGRAPHS)
