"""What people attach to their messages, beside the words: as the log refers to it, and the port of its bytes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal, Protocol
from uuid import UUID

from memory.paging import Cursor
from memory.scope import Scope

MediaKind = Literal["image", "audio", "file"]
REFERENCE = "sha256:"
"""What stands before the hash where a content block names bytes that are kept here."""
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True)
class MediaBlock:
    """Something attached. ``data`` is None where only the reference is at hand.

    ``fallback`` is what its sender says is in it, for models that do not take such a block; ``name`` is a file's.
    """

    kind: MediaKind
    sha256: str
    media_type: str
    size: int
    name: str = ""
    fallback: str = ""
    width: int = 0
    height: int = 0
    data: bytes | None = field(default=None, repr=False)

    def as_reference(self) -> dict[str, Any]:
        """The content block by which log and checkpoints name it: LangChain's own, with an id in place of bytes."""
        told = {"size": self.size, "name": self.name, "text_fallback": self.fallback}
        sizes = {"width": self.width, "height": self.height}
        extras = {name: value for name, value in (told | sizes).items() if value}
        file_id = f"{REFERENCE}{self.sha256}"
        return {"type": self.kind, "file_id": file_id, "mime_type": self.media_type, "extras": extras}


@dataclass(frozen=True, kw_only=True)
class StoredMedia:
    """Bytes that are kept for a person, with when they were first attached."""

    sha256: str
    media_type: str
    created_at: datetime
    bytes: bytes


@dataclass(frozen=True, kw_only=True)
class ListedMedia:
    """What is kept of a person without its bytes, and the newest turn that carries it."""

    sha256: str
    media_type: str
    size: int
    created_at: datetime
    turns: int
    event_id: UUID
    session_id: UUID


class Media(Protocol):
    """Bytes of one person. A turn brings them in with its words; they go with the last turn that carries them.

    What only turns carry that were forgotten, or that may not be read for another reason, is not found.
    """

    async def find(self, scope: Scope, sha256s: Sequence[str]) -> Sequence[StoredMedia]:
        """The bytes of these hashes, as far as they may be read. One round trip."""
        ...

    async def list_newest(self, scope: Scope, limit: int, after: Cursor | None = None) -> Sequence[ListedMedia]:
        """What is kept, the newest first."""
        ...

    async def forget(self, scope: Scope, digest: str) -> int:
        """Let go of a person's own bytes in every turn that carries them; of how many turns they were a part."""
        ...

    async def drop_forgotten(self, scope: Scope, before: datetime) -> int:
        """Let go of what only turns carry that were forgotten before a moment; of how many turns it was a part."""
        ...


def content_sha256(text: str, media: Sequence[str]) -> str:
    """By which the log knows a message: its words, and where it has none the hashes of what it carries."""
    said = "\n".join(media) if media and not text.strip() else text
    return sha256(said.encode()).hexdigest()


def reference_of(block: Mapping[str, Any]) -> str:
    """The SHA-256 that a content block names, empty where it names no bytes of ours."""
    kind, _, digest = str(block.get("file_id") or "").partition(REFERENCE)
    return digest if not kind and is_digest(digest) else ""


def is_digest(text: str) -> bool:
    """Whether it is a SHA-256 in hexadecimal."""
    return _DIGEST.fullmatch(text) is not None
