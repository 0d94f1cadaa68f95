"""The table of routes: the application's routes and the API's document are both made from it."""

from typing import Any

from apps.memory_api import (
    changes,
    conflicts,
    documents,
    memories,
    new_memories,
    operations,
    recall,
    receipts,
    sessions,
    store,
    turns,
    versions,
)
from apps.memory_api.endpoint import Endpoint

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (
    turns.BEFORE_LLM,
    turns.AFTER_LLM,
    recall.RECALL,
    *memories.ENDPOINTS,
    *new_memories.ENDPOINTS,
    *versions.ENDPOINTS,
    *changes.ENDPOINTS,
    *conflicts.ENDPOINTS,
    *documents.ENDPOINTS,
    *sessions.ENDPOINTS,
    *receipts.ENDPOINTS,
    *operations.ENDPOINTS,
    store.STORE_BATCH,
)
