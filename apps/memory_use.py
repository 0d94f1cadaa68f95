"""Pinning a memory and excluding one from use, as every door does it."""

from uuid import UUID

from brain.documents.profile_refresh import try_refresh_profile
from brain.resources import Resources
from memory.contracts import Author, ItemUse, WriteReceipt
from memory.scope import Scope


async def change_memory_use(
    resources: Resources, scope: Scope, memory_id: UUID, use: ItemUse, author: Author
) -> WriteReceipt:
    """Set how a memory is used, and bring the profile up to it; effective in the next turn.

    ``merged`` says that it was used so before. Raises ``E_NOT_FOUND``, also for another person's memory, and
    ``E_BAD_REQUEST`` for a forgotten one and for pinning one that has ended.
    """
    receipt = await resources.memory.items.set_use(scope, memory_id, use, author)
    await try_refresh_profile(resources, scope)
    return receipt
