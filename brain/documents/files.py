"""A document as a Markdown file that a person can edit and bring back."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from brain.documents.front_matter import dump_front, parse_front
from memory.documents.document import (
    MEMORY_NAME,
    PROFILE_NAME,
    Document,
    DocumentDraft,
    DocumentKind,
    Front,
    digest,
    normalize_body,
)
from memory.errors import bad_request
from memory.storable_text import require_storable_text

OURS = "brain"
"""The field of the front matter that says which version the file was made of. It is no part of the document."""

_PATHS: Mapping[tuple[DocumentKind, str], str] = {
    ("memory", MEMORY_NAME): "MEMORY.md",
    ("user_profile", PROFILE_NAME): "profiles/user.md",
    ("group_profile", PROFILE_NAME): "profiles/group.md",
}
_DOCUMENTS = {path: which for which, path in _PATHS.items()}
_NOTE = re.compile(r"daily/([0-9]{4}-[0-9]{2}-[0-9]{2})\.md")
_FENCE = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class BaseVersion:
    """The version that a file was exported from."""

    document_id: str
    version: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class EditedFile:
    """What a file says, and what it was made of; None for a file that a person began."""

    draft: DocumentDraft
    base: BaseVersion | None

    @property
    def has_changes(self) -> bool:
        """Whether the file says something else than the version it was made of."""
        return self.base is None or self.base.sha256 != digest(self.draft.front, self.draft.body)


def path_of(kind: DocumentKind, name: str) -> str:
    """Where a document stands in an exported folder."""
    return f"daily/{name}.md" if kind == "daily_note" else _PATHS[kind, name]


def document_at(path: str) -> tuple[DocumentKind, str] | None:
    """Which document stands at that place of a folder; None where none does."""
    note = _NOTE.fullmatch(path)
    return ("daily_note", note[1]) if note else _DOCUMENTS.get(path)


def render_file(document: Document) -> str:
    """The document with its front matter, and with what it takes to bring an edited copy back."""
    ours = {"id": str(document.document_id), "version": document.version, "sha256": document.sha256}
    return f"---\n{dump_front({**_strip_base(document.front), OURS: ours})}---\n{document.body}"


def parse_file(kind: DocumentKind, name: str, text: str) -> EditedFile:
    """What an edited file says. Raises ``E_BAD_REQUEST`` for hostile or broken front matter and unfit text."""
    plain = require_storable_text(text).removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    fence = _FENCE.match(plain)
    if fence is None and plain.startswith("---\n"):
        raise bad_request("The front matter has no end.", "Close it with a line of three dashes.")
    front = parse_front(fence[1]) if fence else {}
    body = plain[fence.end() :] if fence else plain
    draft = DocumentDraft(kind=kind, name=name, body=normalize_body(body), front=_strip_base(front))
    return EditedFile(draft=draft, base=_parse_base(front.get(OURS)))


def _strip_base(front: Front) -> dict[str, object]:
    return {name: value for name, value in front.items() if name != OURS}


def _parse_base(told: object) -> BaseVersion | None:
    """What does not look like ours is no base: the file then counts as new, which overwrites nothing."""
    match told:
        case {"id": str(), "version": int(), "sha256": str()}:
            fields = cast("dict[str, Any]", told)
            return BaseVersion(document_id=fields["id"], version=fields["version"], sha256=fields["sha256"])
        case _:
            return None
