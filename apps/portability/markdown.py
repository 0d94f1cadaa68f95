"""A person's memory for people to read: Markdown beside the rows, and what they attached. Nothing of it is read back.

A past may be long and a picture large: of a conversation only where its lines begin is kept, of files one at a time.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from apps.portability.manifest import ROWS
from memory.media import reference_of

MEMORIES, TALK, DOCUMENTS, MEDIA = "memories.md", "conversations", "documents", "media"
ENDINGS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
    "audio/wav": "wav",
    "audio/mpeg": "mp3",
    "audio/ogg": "ogg",
    "audio/flac": "flac",
    "application/pdf": "pdf",
    "text/plain": "txt",
}
"""How the name of a file ends, by its media type."""


def write_markdown(folder: Path) -> None:
    """Write what stands in the rows as memories, conversations, documents and files."""
    (folder / MEMORIES).write_text("".join(_memories(folder)), "utf-8")
    _write_media(folder)
    _write_talk(folder)
    (folder / DOCUMENTS).mkdir()
    for row in _rows(folder, "documents"):
        name = "".join(each if each.isalnum() or each in "-_" else "_" for each in f"{row['kind']}-{row['name']}")
        (folder / DOCUMENTS / f"{name}.md").write_text(str(row["body"]), "utf-8")


def _write_media(folder: Path) -> None:
    for row in _rows(folder, "media"):
        (folder / MEDIA).mkdir(exist_ok=True)
        data = bytes.fromhex(row["bytes"].removeprefix("\\x"))
        (folder / MEDIA / _file_name(row["sha256"], row["media_type"])).write_bytes(data)


def _write_talk(folder: Path) -> None:
    (folder / TALK).mkdir()
    sessions = {row["session_id"]: str(row["name"]) for row in _rows(folder, "sessions")}
    lines: dict[str, list[tuple[int, int]]] = defaultdict(list)
    path = folder / ROWS / "conversation_events.jsonl"
    if not path.is_file():
        return
    with path.open("rb") as rows:
        at = 0
        for line in rows:
            row = json.loads(line)
            lines[row["session_id"]].append((row["position"], at))
            at += len(line)
        for session_id, places in lines.items():
            said = [_line_at(rows, at) for _, at in sorted(places)]
            name = f"{said[0]['occurred_at'][:10]}-{session_id}.md"
            (folder / TALK / name).write_text("".join(_conversation(sessions[session_id], said)), "utf-8")


def _line_at(rows: BinaryIO, at: int) -> dict[str, Any]:
    rows.seek(at)
    return json.loads(rows.readline())


def _memories(folder: Path) -> Iterator[str]:
    yield "# Memories\n"
    by_status: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(folder, "memory_items"):
        by_status[row["status"]].append(row)
    for status in sorted(by_status, key=lambda each: (each != "active", each)):
        yield f"\n## {status}\n\n"
        for row in sorted(by_status[status], key=lambda each: (each["observed_at"], each["item_id"])):
            yield f"- {row['observed_at'][:10]} {_one_line(row['content'])} ({row['category']})\n"


def _conversation(name: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    yield f"# {_one_line(name)}\n"
    for row in rows:
        at = datetime.fromisoformat(row["occurred_at"])
        yield f"\n**{_one_line(row['speaker'])}**, {at:%Y-%m-%d %H:%M} UTC\n\n{row['text']}\n"
        yield from _attachments(row["content"])


def _attachments(blocks: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for block in blocks:
        if digest := reference_of(block):
            name = str(block.get("extras", {}).get("name") or block["type"])
            yield f"\n[{_one_line(name)}](../{MEDIA}/{_file_name(digest, block['mime_type'])})\n"


def _file_name(digest: str, media_type: str) -> str:
    return f"{digest}.{ENDINGS.get(media_type, 'bin')}"


def _rows(folder: Path, table: str) -> Iterator[dict[str, Any]]:
    path = folder / ROWS / f"{table}.jsonl"
    if path.is_file():
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _one_line(text: str) -> str:
    return " ".join(text.split())
