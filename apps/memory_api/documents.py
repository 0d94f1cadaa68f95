"""Documents: daily notes, MEMORY and profiles, read and edited."""

from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from apps.documents.edits import DocumentEditor, EditResult
from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, Endpoint, Reply, Text
from apps.memory_api.memories import Reason
from apps.memory_api.paging import Page, PageRequest, build_page, read_cursor_text, unknown_cursor, write_cursor_text
from brain.documents.files import BaseVersion, EditedFile
from memory.documents.document import DOCUMENT_BYTES, Document, DocumentDraft, DocumentKind, document_id, profile_kind
from memory.documents.port import DocumentRef, version_conflict_error
from memory.errors import BrainError, bad_request


class DocumentList(PageRequest):
    """Which documents; of every kind when none is named."""

    kind: DocumentKind | None = None


class OneDocument(ApiRequest):
    """Which document: MEMORY, profile, or the day of a daily note."""

    kind: DocumentKind
    name: Annotated[str, Field(pattern="^[A-Za-z0-9-]{1,100}$")]


class DocumentEdit(OneDocument):
    """What it is to say. ``version`` is the one that was read; 0 where there was none."""

    body: Annotated[Text, Field(max_length=DOCUMENT_BYTES)]
    version: Annotated[int, Field(ge=0, le=1_000_000_000)]
    reason: Reason = "asked for over the API"


class DocumentHead(ApiAnswer):
    """A document in a list."""

    kind: DocumentKind
    name: str
    version: int
    updated_at: datetime
    author: str


class DocumentText(DocumentHead):
    """A document. Marks behind its lines name the memories that they were made of."""

    body: str


class EditAnswer(ApiAnswer):
    """What became of an edit, and the document as it stands after it."""

    outcome: str
    message: str
    document: DocumentText


async def list_documents(asked: DocumentList, call: ApiCall) -> Reply[Page[DocumentHead]]:
    """By kind, the newest daily notes first."""
    after = _read_cursor(asked.cursor)
    documents = call.resources.memory.documents
    found = await documents.list_documents(call.scope, asked.kind, asked.limit + 1, after)
    return Reply(build_page(found, asked.limit, lambda d: write_cursor_text(d.kind, d.name), _head))


async def read_document(asked: OneDocument, call: ApiCall) -> Reply[DocumentText]:
    """A document as a person edits it."""
    wanted = document_id(call.scope, asked.kind, asked.name)
    return Reply(_text(await call.resources.memory.documents.get(call.scope, wanted)))


async def edit_document(asked: DocumentEdit, call: ApiCall) -> Reply[EditAnswer]:
    """Bring an edit back: a changed line that was made of a memory corrects the memory."""
    if asked.kind in ("user_profile", "group_profile") and asked.kind != profile_kind(call.scope):
        raise bad_request(f"There is no {asked.kind} here.", f"The profile is a {profile_kind(call.scope)}.")
    editor = DocumentEditor(
        resources=call.resources, scope=call.scope, operator=call.identity.user, reason=asked.reason
    )
    done = await editor.apply(await _edited_copy(asked, call))
    return Reply(_edit_answer(done))


async def _edited_copy(asked: DocumentEdit, call: ApiCall) -> EditedFile:
    """The edit with the version that it was made of; what stands there already, however old the version, is no edit.

    Raises ``E_CONFLICT`` for a version that is not kept.
    """
    documents, wanted = call.resources.memory.documents, document_id(call.scope, asked.kind, asked.name)
    held = await documents.find(call.scope, (wanted,))
    if not held:
        return EditedFile(draft=DocumentDraft(kind=asked.kind, name=asked.name, body=asked.body), base=None)
    draft = DocumentDraft(kind=asked.kind, name=asked.name, body=asked.body, front=held[0].front)
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
    return EditAnswer(outcome=done.outcome, message=done.message, document=_text(done.document))


def _read_cursor(text: str) -> DocumentRef | None:
    if not text:
        return None
    kind, name = read_cursor_text(text, 2)
    for known in _KINDS:
        if kind == known:
            return known, name
    raise unknown_cursor()


def _head(document: Document) -> DocumentHead:
    return DocumentHead.model_validate(document)


def _text(document: Document) -> DocumentText:
    return DocumentText.model_validate(document)


_KINDS: tuple[DocumentKind, ...] = ("daily_note", "memory", "user_profile", "group_profile")
_ONE = "/v1/memory/documents/{kind}/{name}"
_NOTE: dict[str, Any] = {"kind": "memory", "name": "MEMORY"}

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    Endpoint(
        method="GET",
        path="/v1/memory/documents",
        summary="List documents.",
        request=DocumentList,
        answer=Page[DocumentHead],
        run=list_documents,
        example={"limit": 20},
    ),
    Endpoint(
        method="GET",
        path=_ONE,
        summary="Read a document.",
        request=OneDocument,
        answer=DocumentText,
        run=read_document,
        example=_NOTE,
    ),
    Endpoint(
        method="PUT",
        path=_ONE,
        summary="Edit a document.",
        request=DocumentEdit,
        answer=EditAnswer,
        run=edit_document,
        scope="memory:write",
        example={**_NOTE, "body": "# What counts\n\n- Ann is allergic to nuts.\n", "version": 0},
    ),
)
