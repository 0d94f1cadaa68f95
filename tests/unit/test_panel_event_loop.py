"""Histories are compared in a thread: hostile texts of one person keep nobody else waiting."""

import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest

from apps.panel import documents, one_memory
from apps.panel.page import Visit
from memory.documents.document import Document


class HistoryVisit:
    """A visit to the page of a memory or a document; ``render`` gives what the template gets."""

    scope = None

    def __init__(self) -> None:
        async def find_none(*_: object) -> list[object]:
            return []

        self.memory = SimpleNamespace(transcripts=SimpleNamespace(uses=find_none))

    def render(self, _template: str, **values: Any) -> dict[str, Any]:
        return values


def name_thread(*_: object) -> list[str]:
    """A comparison that tells where it runs."""
    return [threading.current_thread().name]


async def test_the_versions_of_a_memory_are_compared_in_a_thread(monkeypatch: pytest.MonkeyPatch):
    async def trace(_: Visit) -> object:
        return SimpleNamespace(item=SimpleNamespace(memory_id=None), versions=[1, 2])

    monkeypatch.setattr(one_memory, "trace_memory", trace)
    monkeypatch.setattr(one_memory, "describe_history", name_thread)
    page = cast("dict[str, Any]", await one_memory.show_memory(cast("Visit", HistoryVisit())))
    assert page["steps"] != name_thread()
    assert page["older"] == 1


async def test_the_versions_of_a_document_are_compared_in_a_thread(monkeypatch: pytest.MonkeyPatch):
    async def fetch(_: Visit) -> list[object]:
        return [SimpleNamespace(body="a\n"), SimpleNamespace(body="b\n")]

    def step(_old: Document | None, _new: Document) -> str:
        return threading.current_thread().name

    monkeypatch.setattr(documents, "_fetch_versions", fetch)
    monkeypatch.setattr(documents, "_step", step)
    page = cast("dict[str, Any]", await documents.show_document(cast("Visit", HistoryVisit())))
    assert len(page["steps"]) == 2
    assert name_thread()[0] not in page["steps"]
