"""Whether a person's memories say what their cited turns say."""

from apps.doctor.findings import Finding, degraded_finding, ok_finding
from brain.settings import Settings
from brain.wiring import build_resources
from evolution.repair import find_unfounded
from language.secrets import mask_secrets
from memory.errors import BrainError
from memory.scope import Speaker, scope_of

_SHOWN = 5
_ADVICE = "Correct or forget them; `brain memories repair` brings back what a false slip took away, after a dry run."


async def words_finding(settings: Settings, tenant: str, user: str) -> Finding | None:
    """Living memories whose words do not stand in their cited turns; nothing where no database answers."""
    resources = build_resources(settings)
    try:
        scope = scope_of(Speaker(tenant=tenant, user=user), settings.dm_scope)
        found = await find_unfounded(resources, scope)
    except BrainError:
        return None
    finally:
        await resources.close()
    if not found:
        return ok_finding("words", f"every memory of {user} says what its turn says")
    listed = "; ".join(f"{str(each.memory_id)[:13]} “{mask_secrets(each.content)}”" for each in found[:_SHOWN])
    more = f"; {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return degraded_finding("words", f"{len(found)} memories of {user} say what nobody said: {listed}{more}", _ADVICE)
