"""Documents: daily notes, MEMORY and profiles, read, traced, restored and edited."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, get_args

from pydantic import Field

from apps.documents.edits import DocumentEditor, EditResult
from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, Text, endpoint
from apps.memory_api.memories import Reason, VersionNumber
from apps.memory_api.paging import Page, PageRequest, build_page, read_cursor_text, unknown_cursor, write_cursor_text
from brain.documents.files import BaseVersion, EditedFile
from language.secrets import mask_secrets
from memory.documents.document import (
    DOCUMENT_BYTES,
    Document,
    DocumentDraft,
    DocumentKind,
    document_id,
    document_id_from_name,
    find_kind,
    without_comments,
)
from memory.documents.port import DocumentRef, version_conflict_error
from memory.errors import BrainError, bad_request

_KINDS: tuple[DocumentKind, ...] = get_args(DocumentKind)
_ONE = "/documents/{name}"
_EXAMPLE: dict[str, Any] = {"name": "MEMORY"}


class DocumentList(PageRequest):
    """Which documents; of every kind when none is named."""

    kind: DocumentKind | None = None


class OneDocument(ApiRequest):
    """Which document."""

    name: Annotated[
        str,
        Field(
            pattern="^[A-Za-z0-9_-]{1,100}$", description="MEMORY, profile, or the day of a daily note (2026-03-01)."
        ),
    ]


class DocumentEdit(OneDocument):
    """What it is to say. ``version`` is the one that was read; 0 where there was none."""

    body: Annotated[Text, Field(max_length=DOCUMENT_BYTES)]
    version: Annotated[int, Field(ge=0, le=1_000_000_000)]
    reason: Reason = ""


class DocumentRestoration(OneDocument):
    """Which version to bring back; the one before the newest when none is named."""

    version: Annotated[VersionNumber, Field(description="The one before the newest when none is named.")] = None
    reason: Reason = ""


class DocumentHead(ApiAnswer):
    """A document in a list; ``reason`` is why this version was made, ``bytes`` how long it is."""

    kind: DocumentKind
    name: str
    version: int
    bytes: int
    updated_at: datetime
    author: str
    reason: str


class DocumentBody(DocumentHead):
    """A document as a person edits it. Marks behind its lines name the memories that they were made of."""

    body: str


class DocumentText(DocumentHead):
    """A document as it reads: without marks."""

    text: str


class DocumentHistory(ApiAnswer):
    """The kept versions, oldest first."""

    versions: list[DocumentBody]


class EditAnswer(ApiAnswer):
    """What became of an edit, and the document as it stands after it."""

    outcome: str
    message: str
    document: DocumentBody


@endpoint("GET /documents", tool="documents", command="documents list", example={"limit": 20})
async def list_documents(asked: DocumentList, call: ApiCall) -> Page[DocumentHead]:
    """List documents (daily notes, MEMORY, profile) by kind, the newest daily notes first."""
    after = _read_cursor(asked.cursor)
    found = await call.memory.documents.list_documents(call.scope, asked.kind, asked.limit + 1, after)
    return build_page(found, asked.limit, lambda d: write_cursor_text(d.kind, d.name), head_view)


@endpoint(f"GET {_ONE}", example=_EXAMPLE)
async def read_document(asked: OneDocument, call: ApiCall) -> DocumentBody:
    """Read a document as a person edits it."""
    return body_view(await _fetch(asked, call))


@endpoint(f"GET {_ONE}/text", tool="document", example=_EXAMPLE)
async def show_document(asked: OneDocument, call: ApiCall) -> DocumentText:
    """Read a document by its name."""
    return text_view(await _fetch(asked, call))


@endpoint(f"GET {_ONE}/history", command="documents history", example=_EXAMPLE)
async def list_document_versions(asked: OneDocument, call: ApiCall) -> DocumentHistory:
    """List the kept versions of a document: who made each, when and why."""
    kept = await call.memory.documents.history(call.scope, document_id_from_name(call.scope, asked.name))
    return DocumentHistory(versions=[body_view(each) for each in kept])


@endpoint(
    f"POST {_ONE}/restore",
    scope="memory:write",
    command="documents restore",
    example={**_EXAMPLE, "version": 1},
)
async def restore_document(asked: DocumentRestoration, call: ApiCall) -> DocumentBody:
    """Bring a kept version back as a new one."""
    documents, wanted = call.memory.documents, document_id_from_name(call.scope, asked.name)
    version = asked.version or _previous_version(await documents.history(call.scope, wanted))
    author = call.make_author(f"restore:{asked.name}:{version}", asked.reason)
    return body_view(await documents.restore(call.scope, wanted, version, author))


@endpoint(
    f"PUT {_ONE}",
    scope="memory:write",
    example={**_EXAMPLE, "body": "# What counts\n\n- Ann is allergic to nuts.\n", "version": 0},
)
async def edit_document(asked: DocumentEdit, call: ApiCall) -> EditAnswer:
    """Edit a document: a changed line that was made of a memory corrects the memory."""
    editor = DocumentEditor(
        resources=call.resources, scope=call.scope, operator=call.identity.user, reason=call.reason(asked.reason)
    )
    return _edit_answer(await editor.apply(await _edited_copy(asked, call)))


async def _fetch(asked: OneDocument, call: ApiCall) -> Document:
    return await call.memory.documents.get(call.scope, document_id_from_name(call.scope, asked.name))


def _previous_version(kept: Sequence[Document]) -> int:
    if len(kept) == 1:
        raise bad_request("Only the newest version is kept.", "There is nothing to bring back.")
    return kept[-2].version


async def _edited_copy(asked: DocumentEdit, call: ApiCall) -> EditedFile:
    """The edit with the version that it was made of; what stands there already, however old the version, is no edit.

    Raises ``E_CONFLICT`` for a version that is not kept.
    """
    kind, name = find_kind(call.scope, asked.name)
    documents, wanted = call.memory.documents, document_id(call.scope, kind, name)
    held = await documents.find(call.scope, (wanted,))
    if not held:
        return EditedFile(draft=DocumentDraft(kind=kind, name=name, body=asked.body), base=None)
    draft = DocumentDraft(kind=kind, name=name, body=asked.body, front=held[0].front)
    if held[0].is_same_as(draft):
        return EditedFile(draft=draft, base=None)
    kept = await documents.history(call.scope, wanted)
    read = next((each for each in kept if each.version == asked.version), None)
    if read is None:
        raise version_conflict_error(draft, asked.version, held[0].version)
    base = BaseVersion(document_id=str(wanted), version=read.version, sha256=read.sha256)
    return EditedFile(draft=replace(draft, front=read.front), base=base)


def _edit_answer(done: EditResult) -> EditAnswer:
    if done.outcome == "refused":
        raise bad_request(done.message, "Read the document again.")
    if done.outcome == "conflict" or done.document is None:
        raise BrainError("E_CONFLICT", done.message, "Read it again and put the change into what it says now.")
    return EditAnswer(outcome=done.outcome, message=done.message, document=body_view(done.document))


def _read_cursor(text: str) -> DocumentRef | None:
    if not text:
        return None
    kind, name = read_cursor_text(text, 2)
    for known in _KINDS:
        if kind == known:
            return known, name
    raise unknown_cursor()


def head_view(document: Document) -> DocumentHead:
    """A document without what it says."""
    return DocumentHead.model_validate(_head(document))


def body_view(document: Document) -> DocumentBody:
    """A document with its marks."""
    return DocumentBody.model_validate({**_head(document), "body": document.body})


def text_view(document: Document) -> DocumentText:
    """A document without its marks, and without secrets that were written before they were masked."""
    text = mask_secrets(without_comments(document.body)).strip()
    return DocumentText.model_validate({**_head(document), "text": text})


def _head(document: Document) -> dict[str, Any]:
    return {
        "kind": document.kind,
        "name": document.name,
        "version": document.version,
        "bytes": len(document.body.encode()),
        "updated_at": document.updated_at,
        "author": document.author,
        "reason": document.reason,
    }
