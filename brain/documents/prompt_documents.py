"""The documents that stand in every prompt: MEMORY, the profile, the daily notes of yesterday and today."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from brain.documents.profile_choice import without_more
from brain.prompting.tokens import clip, count_tokens
from brain.safety.fence import Fence
from brain.safety.sanitizer import Verdict, sanitize_text
from memory.documents.daily_notes import entries_of
from memory.documents.document import Document, without_comments
from memory.documents.rows import section_ids
from memory.scope import Scope

PER_DOCUMENT = 4_000
"""The most tokens that one document takes in a prompt (S3 sections 4.1.7 and 4.3.4)."""

_SHARE = 8
"""Documents that take at most this part of a model's window are never cut, however much else there is to say."""
_WIDEST = Fence("a1b2c3")
"""No fence costs more tokens than this one."""
_STABLE_FIRST = ("memory", "daily_note", "user_profile", "group_profile")
_DEAREST_FIRST = ("user_profile", "group_profile", "memory", "daily_note")


@dataclass(frozen=True, kw_only=True)
class PromptDocument:
    """A document as a prompt shows it, before its fence. ``whole`` is False when something of it had to stay out."""

    document: Document
    text: str
    tokens: int
    whole: bool = True


def fit_documents(documents: Sequence[Document], scope: Scope, room: int = PER_DOCUMENT * 4) -> list[PromptDocument]:
    """The documents as they fit into ``room`` tokens, each within its own limit.

    A profile goes before MEMORY and both before daily notes; what is left out altogether is not in the answer, which is
    in the order of the prompt: what changes least stands first, so that providers find the same beginning again.
    """
    shown: list[PromptDocument] = []
    for document in sorted(documents, key=_priority):
        made = _fit_document(document, scope, min(PER_DOCUMENT, room))
        if made is not None:
            shown.append(made)
            room -= made.tokens
    return sorted(shown, key=lambda each: (_STABLE_FIRST.index(each.document.kind), each.document.name))


def whole_section_ids(shown: Iterable[PromptDocument]) -> frozenset[str]:
    """Ids of what recall need not bring any more, because the prompt holds it in a document that was not cut."""
    whole = (replace(each.document, body=without_more(each.document.body)) for each in shown if each.whole)
    return frozenset(str(found) for document in whole for found in section_ids(document))


def constant_section_ids(documents: Sequence[Document], window: int) -> frozenset[str]:
    """Ids of the sections that a prompt holds whatever is recalled: those of documents that surely go in whole.

    The rest of the profile counts among them: its lines are memories, which recall finds by themselves.
    """
    room = window // _SHARE
    for document in documents:
        tokens = count_tokens(document.body)
        room -= tokens
        if tokens > PER_DOCUMENT or room < 0:
            return frozenset()
    return frozenset(str(found) for document in documents for found in section_ids(document))


def tag_attributes(document: Document) -> dict[str, str]:
    """What the tag of a document says about it."""
    return {"kind": document.kind, "name": document.name, "updated": document.updated_at.date().isoformat()}


def receipt_entries(shown: Iterable[PromptDocument]) -> list[dict[str, object]]:
    """What of which version was shown, for the turn's receipt."""
    return [
        {
            "document_id": str(each.document.document_id),
            "kind": each.document.kind,
            "name": each.document.name,
            "version": each.document.version,
            "sha256": each.document.sha256,
            "tokens": each.tokens,
            "whole": each.whole,
            "sanitization": _verdict(each.text),
        }
        for each in shown
    ]


def _priority(document: Document) -> tuple[int, int]:
    """Among the daily notes, the newer one."""
    day = date.fromisoformat(document.name).toordinal() if document.kind == "daily_note" else 0
    return _DEAREST_FIRST.index(document.kind), -day


@lru_cache(maxsize=128)
def _verdict(text: str) -> Verdict:
    """A document is written out of what the person said, and shown whole behind its fence, whatever it quotes."""
    return "pass" if sanitize_text(text).verdict == "pass" else "sanitized"


def _fit_document(document: Document, scope: Scope, room: int) -> PromptDocument | None:
    fence = count_tokens(_WIDEST.enclose("document", "", tag_attributes(document)))
    made = _fit_body(without_more(document.body), document.kind == "daily_note", scope.key, room - fence)
    if made is None:
        return None
    text, whole = made
    return PromptDocument(document=document, text=text, tokens=count_tokens(text) + fence, whole=whole)


@lru_cache(maxsize=128)
def _fit_body(body: str, by_entry: bool, scope_key: str, limit: int) -> tuple[str, bool] | None:
    """The text that may be read, and whether it is all. Kept: counting full documents costs more than the rest."""
    parts = entries_of(body, scope_key) if by_entry else [without_comments(body)]
    passages = [text for part in parts if (text := part.strip())]
    if not passages or limit <= 0:
        return None
    text = "\n\n".join(passages)
    kept = _newest_entries(passages, limit) if by_entry else clip(text, limit)
    return (kept, kept == text) if kept else None


def _newest_entries(entries: Sequence[str], room: int) -> str:
    """The newest entries that fit, in order; the newest of all is shortened rather than lost."""
    kept: list[str] = []
    for entry in reversed(entries):
        shortened = clip(entry, room) if not kept else entry
        cost = count_tokens(shortened) + 2
        if cost > room + 2 * (not kept):
            break
        kept.append(shortened)
        room -= cost
    return "\n\n".join(reversed(kept))
