"""Refusals over HTTP: our codes as status codes, in our own shape and in OpenAI's."""

from collections.abc import Callable, Mapping
from typing import Any

import structlog
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response

from apps.access.token_keys import InvalidToken
from brain.file_errors import passing_error
from memory.errors import BrainError, Code, timeout_error

log = structlog.get_logger(__name__)

STATUS: Mapping[Code, int] = {
    "E_BAD_REQUEST": 400,
    "E_TENANT_FORBIDDEN": 403,
    "E_NOT_FOUND": 404,
    "E_CONFLICT": 409,
    "E_DIM_MISMATCH": 409,
    "E_ERASED": 410,
    "E_CONFIG": 500,
    "E_INTERNAL": 500,
    "E_DEP_UNAVAILABLE": 503,
    "E_DEP_TIMEOUT": 504,
}
"""HTTP's word for our codes. 503 and 504 promise that the same request may succeed later; nothing else does."""

_OPENAI_TYPES = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
}


class HttpRefusal(Exception):
    """A refusal that only HTTP knows: who calls is unknown, too much was sent, too often."""

    field = ""
    """The one field of the request that is at fault, where it is one."""

    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.headers = status, code, message, dict(headers or {})


ErrorShape = Callable[[HttpRefusal], Response]


def refusal_of(error: Exception) -> HttpRefusal:
    """Any error as a refusal; what nobody foresaw is named by its type, and its trace goes to the log."""
    match error:
        case HttpRefusal():
            return error
        case InvalidToken():
            told = f"A valid bearer token or API key is needed: {error}."
            return HttpRefusal(401, "E_UNAUTHENTICATED", told, {"WWW-Authenticate": "Bearer"})
        case BrainError():
            headers = {"Retry-After": "1"} if error.is_retryable else {}
            told = " ".join(part for part in (error.message, error.hint) if part)
            refusal = HttpRefusal(STATUS[error.code], error.code, told, headers)
            refusal.field = error.field
            return refusal
        case ClientDisconnect():
            return HttpRefusal(400, "E_BAD_REQUEST", "The request broke off before it had arrived.")
        case TimeoutError():
            return refusal_of(timeout_error("The request took too long.", "Try again."))
        case _ if (passing := passing_error(error)) is not None:
            return refusal_of(passing)
        case _:
            log.error("http_request_failed", error=type(error).__name__, exc_info=error)
            return HttpRefusal(500, "E_INTERNAL", f"Something unforeseen happened ({type(error).__name__}).")


def plain_error(refusal: HttpRefusal) -> Response:
    """The refusal in our own shape."""
    body = {"code": refusal.code, "message": refusal.message}
    return JSONResponse(body, refusal.status, refusal.headers)


def openai_error_body(refusal: HttpRefusal) -> dict[str, Any]:
    """The refusal as OpenAI's clients read it."""
    fallback = "server_error" if refusal.status >= 500 else "invalid_request_error"
    kind = _OPENAI_TYPES.get(refusal.status, fallback)
    return {"error": {"message": refusal.message, "type": kind, "param": refusal.field or None, "code": refusal.code}}


def openai_error(refusal: HttpRefusal) -> Response:
    """The refusal as a response that OpenAI's clients raise as the error of their own that fits."""
    return JSONResponse(openai_error_body(refusal), refusal.status, refusal.headers)
