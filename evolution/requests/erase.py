"""Being erased for good: the sentence is shown, and whoever types it is erased when the turn has ended."""

from brain.identity import Identity
from brain.resources import Resources
from brain.state import MemoryChange
from evolution.erasure.request import ErasureWish, request_erasure
from evolution.requests.request_state import RequestState, RequestUpdate


async def erase(state: RequestState) -> RequestUpdate:
    """Show the sentence, or take it at its word; a legal hold is told of before anything is promised."""
    run = state.run
    wish = ErasureWish(scope=run.query.scope, user=run.user)
    if run.turn["text"].strip() != wish.sentence:
        return {"change": run.conclude("erase", "asked", new=wish.sentence, carried={"erasing": True})}
    erasures = run.context.resources.memory.erasures
    held = await erasures.is_held(wish.scope.tenant_id, wish.scope.user_id)
    return {"change": run.conclude("erase", "refused" if held else "done")}


async def erase_asker(change: MemoryChange | None, identity: Identity, resources: Resources) -> None:
    """Begin what the turn promised, as the last thing that it does: from then on nothing of the person is written."""
    if change is not None and (change["act"], change["outcome"]) == ("erase", "done"):
        wish = ErasureWish(scope=identity.scope, user=identity.user)
        await request_erasure(resources, wish, wish.sentence)
