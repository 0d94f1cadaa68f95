"""A person's memory for people to read: Markdown beside the rows. Nothing of it is read back."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from apps.portability.manifest import ROWS

MEMORIES, TALK, DOCUMENTS = "memories.md", "conversations", "documents"


def write_markdown(folder: Path) -> None:
    """Write what stands in the rows as memories, conversations and documents."""
    (folder / MEMORIES).write_text("".join(_memories(folder)), "utf-8")
    sessions = {row["session_id"]: row for row in _rows(folder, "sessions")}
    said: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(folder, "conversation_events"):
        said[row["session_id"]].append(row)
    (folder / TALK).mkdir()
    for session_id, rows in said.items():
        name = f"{rows[0]['occurred_at'][:10]}-{session_id}.md"
        (folder / TALK / name).write_text("".join(_conversation(sessions[session_id], rows)), "utf-8")
    (folder / DOCUMENTS).mkdir()
    for row in _rows(folder, "documents"):
        name = "".join(each if each.isalnum() or each in "-_" else "_" for each in f"{row['kind']}-{row['name']}")
        (folder / DOCUMENTS / f"{name}.md").write_text(str(row["body"]), "utf-8")


def _memories(folder: Path) -> Iterator[str]:
    yield "# Memories\n"
    by_status: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(folder, "memory_items"):
        by_status[row["status"]].append(row)
    for status in sorted(by_status, key=lambda each: (each != "active", each)):
        yield f"\n## {status}\n\n"
        for row in sorted(by_status[status], key=lambda each: (each["observed_at"], each["item_id"])):
            yield f"- {row['observed_at'][:10]} {_one_line(row['content'])} ({row['category']})\n"


def _conversation(session: Mapping[str, Any], rows: list[dict[str, Any]]) -> Iterator[str]:
    yield f"# {_one_line(session['name'])}\n"
    for row in sorted(rows, key=lambda each: each["position"]):
        at = datetime.fromisoformat(row["occurred_at"])
        yield f"\n**{_one_line(row['speaker'])}**, {at:%Y-%m-%d %H:%M} UTC\n\n{row['text']}\n"


def _rows(folder: Path, table: str) -> Iterator[dict[str, Any]]:
    path = folder / ROWS / f"{table}.jsonl"
    if path.is_file():
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _one_line(text: str) -> str:
    return " ".join(text.split())
