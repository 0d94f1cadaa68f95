"""How clients name a conversation and the person who talks."""

import re
from collections.abc import Mapping

from starlette.requests import Request

from apps.chat_api.request import ChatRequest
from apps.http.caller import CHAT_HEADERS, USER_HEADERS
from memory.names import MAX_NAME, require_name

_NAMED = "chat:"
UNNAMED = "chat "
"""Before the id under which a conversation is kept to which its client gives no name."""
_UNNAMED = re.compile(UNNAMED + r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CHAT_FIELDS = ("conversation_id", "chat_id")
_NONE = frozenset({"", "new", "null", "none", "undefined", "pending"})
"""What clients send for a conversation that has no name yet."""
_TEMPORARY = "local:"
"""Open WebUI's name for all temporary chats of a browser tab together."""


def session_name_of(request: Request, asked: ChatRequest) -> str | None:
    """The client's own name of the conversation, from a header or from ``metadata``; None where it gives none."""
    told = [request.headers.get(name) for name in CHAT_HEADERS]
    told += [_text(asked.metadata or {}, name) for name in _CHAT_FIELDS]
    name = next((each.strip() for each in told if each and _is_name(each.strip())), None)
    return require_name("conversation", f"{_NAMED}{name}"[: MAX_NAME + 1]) if name else None


def is_of_client(session_name: str) -> bool:
    """Whether a chat client keeps the conversation, under its own name or under one that it was given here."""
    return session_name.startswith(_NAMED) or is_unnamed(session_name)


def is_unnamed(session_name: str) -> bool:
    """Whether a conversation has a name that was given here, for want of its client's."""
    return _UNNAMED.fullmatch(session_name) is not None


def user_told(request: Request, asked: ChatRequest) -> str | None:
    """The person whom the client names; counts only for keys that speak on behalf of others."""
    told = [asked.user, *(request.headers.get(name) for name in USER_HEADERS)]
    return next((each.strip() for each in told if each and _is_name(each.strip())), None)


def _is_name(text: str) -> bool:
    """Whether a client filled its template in, and means one conversation by it."""
    return text.lower() not in _NONE and not text.startswith((_TEMPORARY, "{{"))


def _text(fields: Mapping[str, object], name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) else None
