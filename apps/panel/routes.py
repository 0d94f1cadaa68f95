"""The addresses of the panel."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from apps.http.errors import HttpRefusal, plain_error
from apps.panel import (
    answers,
    approvals,
    changes,
    chat,
    chosen_memories,
    contract,
    conversations,
    documents,
    erasures,
    experience,
    experiments,
    knowledge,
    levels,
    media,
    memories,
    new_memory,
    one_memory,
    overview,
    past,
    promotions,
    remembering,
    sign_in,
    soul,
)
from apps.panel.page import PanelPage, ShowPage, refuse_unknown
from apps.panel.rendering import STATIC, add_security_headers
from apps.panel.sign_in import HOME
from memory.api_keys import KeyScope

_TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_CACHE_CONTROL = "public, max-age=31536000, immutable"


async def send_static(request: Request) -> Response:
    """A style sheet, script or icon; their addresses change with them."""
    name: str = request.path_params["file"]
    if name not in STATIC:
        return plain_error(HttpRefusal(404, "E_NOT_FOUND", "There is nothing here."))
    media_type = _TYPES[name.rpartition(".")[2]]
    return add_security_headers(
        Response(STATIC[name], media_type=media_type, headers={"Cache-Control": _CACHE_CONTROL})
    )


def _get(path: str, show: ShowPage, needs: KeyScope | None = "memory:read") -> Route:
    return Route(f"/panel{path}", PanelPage(show, needs), methods=["GET"])


def _post(path: str, show: ShowPage, needs: KeyScope | None = "memory:write", *, takes_files: bool = False) -> Route:
    return Route(f"/panel{path}", PanelPage(show, needs, takes_files), methods=["POST"])


async def _lead_in(request: Request) -> Response:
    """From the server's own address to its pages."""
    return add_security_headers(RedirectResponse(HOME, 307))


_MEMORY = "/memories/{memory_id:uuid}"

routes = [
    Route("/", _lead_in, methods=["GET"]),
    _get("", overview.show_overview),
    _get("/sign-in", sign_in.show_sign_in, None),
    _post("/sign-in", sign_in.sign_in, None),
    _post("/sign-out", sign_in.sign_out, None),
    _get("/language/{language}", sign_in.choose_language, None),
    Route("/panel/static/{file}", send_static, methods=["GET"]),
    _get("/memories", memories.list_memories),
    _get(_MEMORY, one_memory.show_memory),
    _post(f"{_MEMORY}/correct", one_memory.correct_memory),
    _post(f"{_MEMORY}/confirm", one_memory.confirm_memory),
    _post(f"{_MEMORY}/use/{{use}}", one_memory.set_memory_use),
    _get(f"{_MEMORY}/forget", one_memory.ask_to_forget),
    _post(f"{_MEMORY}/forget", one_memory.forget_memory),
    _post(f"{_MEMORY}/restore", one_memory.restore_memory),
    _get("/add-memory", new_memory.show_form, "memory:write"),
    _post("/add-memory", new_memory.add_memory),
    _post("/chosen", chosen_memories.ask_to_forget, "memory:read"),
    _post("/chosen/forget", chosen_memories.forget),
    _post("/chosen/export", chosen_memories.export, "memory:read"),
    _get("/remembering", remembering.show_remembering),
    _get("/remembering/{session_id:uuid}", remembering.show_remembering),
    _post("/remembering/stop", remembering.stop),
    _post("/remembering/resume", remembering.resume),
    _get("/past", past.list_past),
    Route("/panel/past", PanelPage(past.import_past, "memory:write", reads_form=True), methods=["POST"]),
    _post("/past/export", past.export_everything),
    _post("/past/{import_id:uuid}/remove", past.remove_past),
    _get("/experiments", experiments.list_experiments, "ops"),
    _get("/levels", levels.show_levels, "ops"),
    _get("/changes", changes.list_changes),
    _post("/changes/{act_id:uuid}/undo", changes.undo_change),
    _get("/conversations", conversations.list_conversations),
    _get("/conversations/{session_id:uuid}", conversations.show_conversation),
    _get("/media/{sha256}", media.send_media),
    _post("/media/{sha256}/forget", media.forget),
    _get("/chat", chat.show_chat, "chat"),
    _post("/chat", chat.send_message, "chat", takes_files=True),
    _get("/answers/{operation_id:uuid}", answers.show_answer),
    _get("/conflicts", changes.list_conflicts),
    _post("/conflicts/{conflict_id:uuid}", changes.settle_conflict),
    _get("/approvals", approvals.list_approvals),
    _post("/approvals/{session_id:uuid}", approvals.decide_approval, "chat"),
    _get("/accesses", overview.list_accesses),
    _get("/erasures", erasures.list_erasures),
    _post("/erasures", erasures.erase),
    _get("/contract", contract.show_contract),
    _post("/contract", contract.set_contract, "admin"),
    _get("/promotions", promotions.list_promotions),
    _post("/promotions/objection", promotions.object_to_promotion),
    _post("/promotions/{proposal_id:uuid}/approve", promotions.approve_promotion, "admin"),
    _post("/promotions/{proposal_id:uuid}/reject", promotions.reject_promotion, "admin"),
    _get("/experience", experience.list_experience, "admin"),
    _post("/experience/remove", experience.remove_experience, "admin"),
    _get("/soul", soul.show_soul),
    _get("/soul/{version}", soul.show_version, "admin"),
    _post("/soul/{version}/decision", soul.decide, "admin"),
    _post("/soul/rollback", soul.roll_back, "admin"),
    _post("/soul/pause", soul.pause, "admin"),
    _post("/soul/resume", soul.resume, "admin"),
    _get("/documents", documents.list_documents),
    _get("/documents/{name}", documents.show_document),
    _get("/documents/{name}/edit", documents.edit_document, "memory:write"),
    _post("/documents/{name}/edit", documents.save_document),
    _post("/documents/{name}/restore", documents.restore_document),
    _get("/knowledge", knowledge.list_knowledge),
    _post("/knowledge", knowledge.add_knowledge, "admin"),
    _get("/knowledge/{entry_id:uuid}", knowledge.show_knowledge),
    _post("/knowledge/{entry_id:uuid}", knowledge.edit_knowledge, "admin"),
    _post("/knowledge/{entry_id:uuid}/remove", knowledge.remove_knowledge, "admin"),
    _get("/jobs", overview.list_jobs),
    _get("/usage", overview.show_usage),
    _get("/health", overview.show_health),
    _get("/{rest:path}", refuse_unknown),
]
