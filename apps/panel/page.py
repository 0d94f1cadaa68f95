"""What every page asks first: who looks, may they, and does a form come from a page of ours?"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from apps.access.authentication import require_scope
from apps.access.caller import act_for
from apps.access.token_keys import InvalidToken
from apps.chat_api.answering import ChatService
from apps.http import metrics
from apps.http.body_limit import ArrivingBodies
from apps.http.caller import Caller
from apps.http.errors import HttpRefusal, refusal_of
from apps.http.shared_limits import SharedLimits
from apps.memory_api.endpoint import AnyEndpoint, ApiCall
from apps.panel.form_body import SentFile, parse_form
from apps.panel.rendering import add_security_headers, environment
from apps.panel.session_cookie import PanelSession, delete_session, read_session, write_session
from apps.panel.words import WORDS, describe_nothing, label_for, language_for, words_for
from apps.panel.zones import browser_zone
from brain.context import Context
from brain.identity import Identity, identity_of_user
from brain.resources import Resources
from language.detection import Language
from memory.api_keys import KeyScope
from memory.errors import BrainError, bad_request
from memory.ports import MemoryCore
from memory.scope import Scope as MemoryScope
from memory.storable_text import require_storable_text

SIGN_IN = "/panel/sign-in"
_FORM_BYTES, _SIGN_IN_BYTES = 1_000_000, 65_536
"""Of a form, which the longest document fits into, and of one by somebody who is not known yet."""

Form = dict[str, str]


@dataclass(frozen=True, kw_only=True)
class Visit:
    """One request to the panel by somebody who may make it."""

    request: Request
    session: PanelSession
    caller: Caller
    form: Form
    files: tuple[SentFile, ...] = ()
    is_paused: bool = False
    """Whether the person has stopped Brain from remembering, which every page says."""

    @property
    def service(self) -> ChatService:
        """What the server holds while it lives."""
        return self.request.app.state.chat

    @property
    def resources(self) -> Resources:
        """Memory, models, time and ids."""
        return self.service.resources

    @property
    def memory(self) -> MemoryCore:
        """Memory Core."""
        return self.resources.memory

    @property
    def language(self) -> Language:
        """In which language the page is."""
        return language_for(self.request)

    @property
    def zone(self) -> str:
        """The time zone of what is shown: the reader's where the browser tells it, otherwise the server's."""
        return browser_zone(self.request) or self.resources.settings.time_zone

    @property
    def user(self) -> object | None:
        """The verified identity as a run takes it; None on an open server."""
        return self.caller.user_named(None)

    @property
    def identity(self) -> Identity:
        """Whose memory is shown."""
        return identity_of_user(Context(), self.user)

    @property
    def scope(self) -> MemoryScope:
        """The rows that are theirs."""
        return self.identity.scope

    def may(self, scope: KeyScope) -> bool:
        """Whether they may do this; on an open server everybody may."""
        return self.caller.claims is None or scope in self.caller.claims.scopes

    def read_query(self, name: str, most: int = 500) -> str:
        """Read a parameter of the address; empty when it is missing. Raises ``E_BAD_REQUEST`` for what nobody types."""
        return _check_text(self.request.query_params.get(name, ""), most).strip()

    def read_field(self, name: str, most: int = 2_000) -> str:
        """Read a field of the form. Raises ``E_BAD_REQUEST`` when it is missing, too long or cannot be stored.

        Browsers end lines with ``\\r\\n``.
        """
        if name not in self.form:
            raise bad_request(f"The form lacks {name}.", "Open the page again.")
        return _check_text(self.form[name].replace("\r\n", "\n"), most).strip()

    async def ask(self, endpoint: AnyEndpoint, **values: object) -> Any:
        """Do at the memory API what is asked for here. A form that is sent twice, by a double click, does it once.

        Raises ``E_BAD_REQUEST`` for values that the endpoint does not take.
        """
        return (await endpoint(endpoint.read(values), self.call())).data

    def call(self) -> ApiCall:
        """The visit as a call of the memory API."""
        return ApiCall(
            identity=self.identity,
            resources=self.resources,
            trace_id=f"panel:{self.resources.new_id()}",
            claims=self.caller.claims,
            idempotency_key=self.read_field("once", 64) if self.form else "",
            door="panel",
        )

    def render(self, template: str, status: int = 200, **values: object) -> Response:
        """Render a template as the response."""
        return render_page(self, template, status, **values)

    def redirect(self, path: str, done: str = "") -> Response:
        """Lead to another page, which says what was done."""
        return RedirectResponse(f"{path}?done={quote(done)}" if done else path, 303)


ShowPage = Callable[[Visit], Awaitable[Response]]


@dataclass(frozen=True)
class PanelPage:
    """An address of the panel: what makes its page, and what a caller needs for it (None: not even a sign-in)."""

    show: ShowPage
    needs: KeyScope | None = "memory:read"
    takes_files: bool = False
    """Whether its form may carry files, as large together as a request may be."""
    reads_form: bool = False
    """Whether it reads its form itself, because the file in it is too large to be held."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a page, also when it is a refusal."""
        request = Request(scope, receive)
        settings = request.app.state.chat.resources.settings
        known = read_session(request, settings)
        session = known or PanelSession()
        async with AsyncExitStack() as admission:
            response = await self._answer(request, session, admission)
            if known is None and request.method == "GET" and not _comes_from_elsewhere(request):
                write_session(response, request, session, settings)
            await add_security_headers(response)(scope, receive, send)

    async def _answer(self, request: Request, session: PanelSession, admission: AsyncExitStack) -> Response:
        """The page. ``admission`` keeps the tenant's place until all of it is sent."""
        visit = Visit(request=request, session=session, caller=Caller(), form={})
        if request.method == "GET" and _comes_from_elsewhere(request):
            return render_page(visit, "again.html")
        try:
            if self.needs is None:
                return await self.show(await _read_form(visit, _SIGN_IN_BYTES))
            claims = await session.authenticate(visit.memory.sign_outs)
            require_scope(claims, self.needs)
            visit = replace(visit, caller=Caller(claims))
            limits: SharedLimits = request.app.state.limits
            limits.count(visit.caller.tenant)
            if self.reads_form:
                _require_own_page(request)
            else:
                visit = await _read_form(
                    visit, visit.resources.settings.request_bytes if self.takes_files else _FORM_BYTES
                )
            await admission.enter_async_context(limits.admit(visit.caller.tenant))
            admission.enter_context(act_for(visit.caller.tenant_id))
            return await self.show(await _note_pause(visit))
        except InvalidToken:
            metrics.refused.labels("access").inc()
            return _send_to_sign_in(request, session)
        except Exception as error:
            return _show_refusal(visit, refusal_of(error))


async def _note_pause(visit: Visit) -> Visit:
    """The visit with what a page says of remembering; the page of health is there without a database."""
    if visit.request.method != "GET" or visit.request.url.path == "/panel/health":
        return visit
    current = await visit.memory.pauses.list_current(visit.scope)
    return replace(visit, is_paused=any(each.session_id is None for each in current))


def _comes_from_elsewhere(request: Request) -> bool:
    """Whether a link of another site leads here: the browser then keeps our cookie back, until it asks once more."""
    return request.headers.get("sec-fetch-site") == "cross-site"


def render_page(visit: Visit, template: str, status: int = 200, **values: object) -> Response:
    """A page in the person's language."""
    language = visit.language

    def phrase(key: str, **more: object) -> str:
        return words_for(key, language, **more)

    def label(kind: str, name: str) -> str:
        return label_for(kind, name, language)

    text = environment.get_template(template).render(
        visit=visit,
        language=language,
        zone=visit.zone,
        done=_find_notice(visit),
        once=secrets.token_urlsafe(12),
        t=phrase,
        label=label,
        why_nothing=partial(describe_nothing, language=language),
        **values,
    )
    return HTMLResponse(text, status, {"Content-Language": language})


def _find_notice(visit: Visit) -> str:
    """The notice that the address names; an unknown name gives none, so that a link cannot put text on the page."""
    return WORDS[visit.language].get(f"done.{visit.request.query_params.get('done', '')}", "")


async def _read_form(visit: Visit, most: int) -> Visit:
    """Read the form that came with the visit into it. Raises ``HttpRefusal`` 403 for one of a page that is not ours."""
    if visit.request.method != "POST":
        return visit
    _require_own_page(visit.request)
    bodies: ArrivingBodies = visit.request.app.state.bodies
    body = await bodies.read(visit.request, visit.caller.tenant if visit.caller.claims else "", most)
    kind = visit.request.headers.get("content-type", "")
    sent = await asyncio.to_thread(parse_form, body, kind)  # a megabyte of percent signs takes seconds
    form = dict(sent.fields)
    require_token(visit, form)
    return replace(visit, form=form, files=sent.files)


def require_token(visit: Visit, form: dict[str, str]) -> None:
    """Take the token out of a form. Raises ``HttpRefusal`` 403 unless it is that of the session."""
    if not secrets.compare_digest(form.pop("form_token", "").encode(), visit.session.form_token.encode()):
        raise _foreign_form()


def _require_own_page(request: Request) -> None:
    """Raise ``HttpRefusal`` 403 unless ``Origin`` names this host; a browser sends it with every form."""
    origin, host = urlsplit(request.headers.get("origin", "")), request.headers.get("host", "")
    if not host or origin.netloc.lower() != host.lower() or origin.scheme not in {"http", "https"}:
        raise _foreign_form()


def _foreign_form() -> HttpRefusal:
    metrics.refused.labels("forgery").inc()
    return HttpRefusal(403, "E_TENANT_FORBIDDEN", "This form does not come from a page of the panel, or is too old.")


def _check_text(text: str, most: int) -> str:
    if len(text) > most:
        raise bad_request(f"That is longer than {most:,} characters.", "Shorten it.")
    return require_storable_text(text)


def _send_to_sign_in(request: Request, session: PanelSession) -> Response:
    """Redirect to the sign-in page, with a notice where a session has just ended."""
    wanted = quote(request.url.path) if request.method == "GET" else ""
    ended = "&done=ended" if session.is_signed_in else ""
    response = RedirectResponse(f"{SIGN_IN}?next={wanted}{ended}", 303)
    if session.is_signed_in:
        delete_session(response)
    return response


def _show_refusal(visit: Visit, refusal: HttpRefusal) -> Response:
    response = render_page(visit, "refusal.html", refusal.status, refusal=refusal)
    response.headers.update(refusal.headers)
    return response


async def refuse_unknown(visit: Visit) -> Response:
    """The page for an address that there is not."""
    raise BrainError("E_NOT_FOUND", "There is nothing here.")
