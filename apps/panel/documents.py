"""Documents: which there are, each as it reads, its kept versions, and editing it."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from apps.documents.edits import DocumentEditor
from apps.http.errors import HttpRefusal, refusal_of
from apps.panel.memory_history import WordChange, compare_lines
from apps.panel.page import REASON, Visit
from brain.documents.files import BaseVersion, EditedFile
from memory.documents.document import Document, DocumentDraft, document_id_from_name, normalize_body, without_comments
from memory.errors import BrainError, bad_request

_MOST = 500
_LONGEST = 70_000


@dataclass(frozen=True)
class DocumentStep:
    """A kept version, and the lines by which it differs from the one before."""

    document: Document
    lines: tuple[WordChange, ...]


async def list_documents(visit: Visit) -> Response:
    """All documents of the person."""
    found = await visit.memory.documents.list_documents(visit.scope, limit=_MOST)
    return visit.render("documents.html", documents=found)


async def show_document(visit: Visit) -> Response:
    """A document without the marks that only an editor needs, and what its versions changed."""
    versions = await _fetch_versions(visit)
    steps = await asyncio.to_thread(_compare_versions, versions)
    current = versions[-1]
    return visit.render("document.html", document=current, text=_read_text(current), steps=steps)


async def edit_document(visit: Visit) -> Response:
    """The form with the document's source."""
    current = (await _fetch_versions(visit))[-1]
    return visit.render("document_edit.html", document=current, body=current.body, refusal=None)


async def save_document(visit: Visit) -> Response:
    """Save what was edited; what cannot be saved is shown again with the reason, so that nothing is lost."""
    body, version = visit.read_field("body", _LONGEST), visit.read_field("version", 10)
    versions = await _fetch_versions(visit)
    try:
        base = next((each for each in versions if str(each.version) == version), None)
        if base is None:
            raise BrainError("E_CONFLICT", "The version that you edited is not kept any more.", "Open it again.")
        has_changed = await _apply_edit(visit, base, body)
    except BrainError as error:
        return _show_again(visit, versions, body, refusal_of(error))
    return visit.redirect(_page_of(visit), "saved" if has_changed else "unchanged")


async def _apply_edit(visit: Visit, base: Document, body: str) -> bool:
    """Save what was made of a version, and tell whether it says something new. Raises ``BrainError``."""
    editor = DocumentEditor(resources=visit.resources, scope=visit.scope, operator=visit.identity.user, reason=REASON)
    draft = DocumentDraft(kind=base.kind, name=base.name, body=normalize_body(body), front=base.front)
    read = BaseVersion(document_id=str(base.document_id), version=base.version, sha256=base.sha256)
    result = await editor.apply(EditedFile(draft=draft, base=read))
    if result.outcome == "conflict":
        raise BrainError("E_CONFLICT", result.message, "Open the document again and put your changes there.")
    if result.outcome == "refused":
        raise bad_request(result.message)
    return result.outcome != "unchanged"


async def restore_document(visit: Visit) -> Response:
    """Bring a kept version back as a new one."""
    version = visit.read_field("version", 10)
    if not (version.isascii() and version.isdigit()):
        raise bad_request("A version is a number.", "Choose one of the history.")
    name = document_id_from_name(visit.scope, visit.request.path_params["name"])
    await visit.memory.documents.restore(visit.scope, name, int(version), visit.author())
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
