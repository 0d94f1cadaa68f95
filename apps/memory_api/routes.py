"""The table of endpoints, from which every door is made: HTTP with its document, MCP, the command line, the client."""

from typing import cast

from apps.memory_api import (
    accesses,
    alerts,
    bookmarks,
    changes,
    chosen_memories,
    client_tools,
    conflicts,
    contracts,
    documents,
    erasures,
    experience,
    experiments,
    knowledge,
    levels,
    media,
    memories,
    new_memories,
    operations,
    overview,
    past,
    promotions,
    recall,
    receipts,
    remembering,
    sessions,
    skills,
    soul,
    store,
    turns,
    versions,
)
from apps.memory_api.endpoint import AnyEndpoint, Endpoint

_MODULES = (
    turns,
    recall,
    overview,
    memories,
    chosen_memories,
    new_memories,
    versions,
    changes,
    conflicts,
    documents,
    sessions,
    media,
    past,
    remembering,
    receipts,
    operations,
    store,
    client_tools,
    accesses,
    erasures,
    contracts,
    skills,
    promotions,
    experience,
    knowledge,
    bookmarks,
    soul,
    experiments,
    levels,
    alerts,
)

ENDPOINTS: tuple[AnyEndpoint, ...] = tuple(
    cast("AnyEndpoint", each) for module in _MODULES for each in vars(module).values() if isinstance(each, Endpoint)
)
"""In the order in which documents and lists tell of them."""
HTTP_ENDPOINTS = tuple(each for each in ENDPOINTS if each.path)
"""Those with an address."""
