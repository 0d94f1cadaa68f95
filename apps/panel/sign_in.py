"""Signing in with a key or a token, signing out, and choosing a language."""

from urllib.parse import unquote, urlsplit

from starlette.responses import RedirectResponse, Response

from apps.access.authentication import require_scope
from apps.access.token_keys import InvalidToken
from apps.http import metrics
from apps.panel.page import SIGN_IN, Visit
from apps.panel.session_cookie import PanelSession, delete_session, write_session
from apps.panel.words import LANGUAGE_COOKIE, LANGUAGES
from memory.errors import bad_request

HOME = "/panel"
_A_YEAR = 365 * 86_400


async def show_sign_in(visit: Visit) -> Response:
    """The form; nobody signs in to an open server."""
    if not visit.resources.settings.has_authentication:
        return visit.redirect(HOME)
    return visit.render("sign_in.html", next=_own_path(visit.read_query("next")), refused=False)


async def sign_in(visit: Visit) -> Response:
    """Start a session with a valid key or token; show the form again, with status 401, for any other."""
    session, target = PanelSession.of_credential(visit.read_field("key", 20_000)), _own_path(visit.read_field("next"))
    try:
        if not session.is_signed_in:
            raise InvalidToken("nothing was shown")
        require_scope(await session.authenticate(visit.memory.sign_outs), "memory:read")
    except InvalidToken:
        metrics.refused.labels("access").inc()
        return visit.render("sign_in.html", 401, next=target, refused=True)
    response = visit.redirect(target)
    write_session(response, visit.request, session, visit.resources.settings)
    return response


async def sign_out(visit: Visit) -> Response:
    """End the session, here and wherever its cookie was copied to."""
    await visit.session.end(visit.memory.sign_outs, visit.resources.clock())
    response = visit.redirect(SIGN_IN, "signed_out")
    delete_session(response)
    return response


async def choose_language(visit: Visit) -> Response:
    """Show the panel in this language from now on, beginning with the page that was open."""
    chosen = visit.request.path_params["language"]
    if chosen not in LANGUAGES:
        raise bad_request(f"There is no language {chosen[:20]!r}.", f"There are {', '.join(LANGUAGES)}.")
    response = RedirectResponse(_own_path(visit.read_query("next", 2_000)), 303)
    is_https = visit.request.url.scheme == "https"
    response.set_cookie(LANGUAGE_COOKIE, chosen, _A_YEAR, path=HOME, secure=is_https, httponly=True, samesite="lax")
    return response


def _own_path(address: str) -> str:
    """A page of the panel; whatever leads elsewhere leads home."""
    parts = urlsplit(address.replace("\\", "/"))
    is_own = parts.path == HOME or parts.path.startswith(f"{HOME}/")
    is_own = is_own and not {".", ".."} & set(unquote(parts.path).split("/"))
    if not is_own or parts.netloc or parts.scheme or parts.path.startswith(SIGN_IN):
        return HOME
    return f"{parts.path}?{parts.query}" if parts.query else parts.path
