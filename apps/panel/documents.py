"""Documents: which there are, each as it reads, its kept versions, and editing it."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from apps.http.errors import HttpRefusal, refusal_of
from apps.memory_api import documents as api
from apps.panel.markdown import render_markdown
from apps.panel.memory_history import WordChange, compare_lines
from apps.panel.page import Visit
from language.secrets import mask_secrets
from memory.documents.document import Document, document_id_from_name, without_comments
from memory.errors import BrainError

MAX_LISTED = 500
MAX_BODY_CHARACTERS = 70_000


@dataclass(frozen=True)
class DocumentStep:
    """A kept version, and the lines by which it differs from the one before."""

    document: Document
    lines: tuple[WordChange, ...]


async def list_documents(visit: Visit) -> Response:
    """All documents of the person."""
    found = await visit.memory.documents.list_documents(visit.scope, limit=MAX_LISTED)
    return visit.render("documents.html", documents=found)


async def show_document(visit: Visit) -> Response:
    """A document without the marks that only an editor needs, and what its versions changed."""
    versions = await _fetch_versions(visit)
    steps = await asyncio.to_thread(_compare_versions, versions)
    current = versions[-1]
    text = await asyncio.to_thread(render_markdown, mask_secrets(_read_text(current)))
    return visit.render("document.html", document=current, text=text, steps=steps)


async def edit_document(visit: Visit) -> Response:
    """The form with the document's source."""
    current = (await _fetch_versions(visit))[-1]
    return visit.render("document_edit.html", document=current, body=current.body, refusal=None)


async def save_document(visit: Visit) -> Response:
    """Save what was edited; what cannot be saved is shown again with the reason, so that nothing is lost."""
    body, version = visit.read_field("body", MAX_BODY_CHARACTERS), visit.read_field("version", 10)
    name = visit.request.path_params["name"]
    versions = await _fetch_versions(visit)
    try:
        done = await visit.ask(api.edit_document, name=name, body=body, version=version)
    except BrainError as error:
        return _show_again(visit, versions, body, refusal_of(error))
    return visit.redirect(_page_of(visit), "unchanged" if done.outcome == "unchanged" else "saved")


async def restore_document(visit: Visit) -> Response:
    """Bring a kept version back as a new one."""
    name, version = visit.request.path_params["name"], visit.read_field("version", 10)
    await visit.ask(api.restore_document, name=name, version=version)
    return visit.redirect(_page_of(visit), "restored")


def _show_again(visit: Visit, versions: list[Document], body: str, refusal: HttpRefusal) -> Response:
    """After a conflict the form is still of the version that was edited: sent again, it is refused again."""
    version = visit.read_field("version", 10)
    edited = next((each for each in versions if str(each.version) == version), versions[-1])
    return visit.render("document_edit.html", refusal.status, document=edited, body=body, refusal=refusal)


async def _fetch_versions(visit: Visit) -> list[Document]:
    name = document_id_from_name(visit.scope, visit.request.path_params["name"])
    return await visit.memory.documents.history(visit.scope, name)


def _read_text(document: Document) -> str:
    """The document as it reads: without marks, and without the empty lines that they leave."""
    return re.sub(r"\n{3,}", "\n\n", without_comments(document.body)).strip()


def _page_of(visit: Visit) -> str:
    return f"/panel/documents/{visit.request.path_params['name']}"


def _compare_versions(versions: Sequence[Document]) -> list[DocumentStep]:
    """One step for each version, newest first; few are kept (``memory.documents.document.KEPT``)."""
    before: list[Document | None] = [None, *versions[:-1]]
    return [_step(old, new) for old, new in zip(before, versions, strict=True)][::-1]


def _step(old: Document | None, new: Document) -> DocumentStep:
    before = without_comments(old.body) if old else ""
    return DocumentStep(new, compare_lines(before, without_comments(new.body)))
