"""The table of routes: the application's routes and the API's document are both made from it."""

from typing import Any

from apps.memory_api import recall, store, turns
from apps.memory_api.endpoint import Endpoint

ENDPOINTS: tuple[Endpoint[Any, Any], ...] = (turns.BEFORE_LLM, turns.AFTER_LLM, recall.RECALL, store.STORE_BATCH)
