"""The addresses of the panel."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from apps.http.errors import HttpRefusal, plain_error
from apps.panel import (
    answers,
    approvals,
    chat,
    conflicts,
    conversations,
    documents,
    health,
    jobs,
    memories,
    one_memory,
    sign_in,
    usage,
)
from apps.panel.overview import show_overview
from apps.panel.page import Page, ShowPage, refuse_unknown
from apps.panel.rendering import STATIC, secure
from memory.api_keys import KeyScope

_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_KEPT = "public, max-age=31536000, immutable"


async def send_static(request: Request) -> Response:
    """A style sheet, script or icon; their addresses change with them."""
    name: str = request.path_params["file"]
    if name not in STATIC:
        return plain_error(HttpRefusal(404, "E_NOT_FOUND", "There is nothing here."))
    media_type = _TYPES[name.rpartition(".")[2]]
    return secure(Response(STATIC[name], media_type=media_type, headers={"Cache-Control": _KEPT}))


def _read(path: str, make: ShowPage, needs: KeyScope | None = "memory:read") -> Route:
    return Route(f"/panel{path}", Page(make, needs), methods=["GET"])


def _act(path: str, make: ShowPage, needs: KeyScope | None = "memory:write") -> Route:
    return Route(f"/panel{path}", Page(make, needs), methods=["POST"])


_MEMORY = "/memories/{memory_id:uuid}"

routes = [
    _read("", show_overview),
    _read("/sign-in", sign_in.show_sign_in, None),
    _act("/sign-in", sign_in.sign_in, None),
    _act("/sign-out", sign_in.sign_out, None),
    _read("/language/{language}", sign_in.choose_language, None),
    Route("/panel/static/{file}", send_static, methods=["GET"]),
    _read("/memories", memories.list_memories),
    _read(_MEMORY, one_memory.show_memory),
    _act(f"{_MEMORY}/correct", one_memory.correct_memory),
    _act(f"{_MEMORY}/confirm", one_memory.confirm_memory),
    _read(f"{_MEMORY}/forget", one_memory.ask_to_forget),
    _act(f"{_MEMORY}/forget", one_memory.forget_memory),
    _act(f"{_MEMORY}/restore", one_memory.restore_memory),
    _read("/conversations", conversations.list_conversations),
    _read("/conversations/{session_id:uuid}", conversations.show_conversation),
    _read("/chat", chat.show_chat, "chat"),
    _act("/chat", chat.send_message, "chat"),
    _read("/answers/{operation_id:uuid}", answers.show_answer),
    _read("/conflicts", conflicts.list_conflicts),
    _act("/conflicts/{conflict_id:uuid}", conflicts.settle_conflict),
    _read("/approvals", approvals.list_approvals),
    _act("/approvals/{session_id:uuid}", approvals.decide_approval, "chat"),
    _read("/documents", documents.list_documents),
    _read("/documents/{name}", documents.show_document),
    _read("/documents/{name}/edit", documents.edit_document, "memory:write"),
    _act("/documents/{name}/edit", documents.save_document),
    _act("/documents/{name}/restore", documents.restore_document),
    _read("/jobs", jobs.list_jobs),
    _read("/usage", usage.show_usage),
    _read("/health", health.show_health),
    _read("/{rest:path}", refuse_unknown),
]
