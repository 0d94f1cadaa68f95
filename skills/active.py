"""The skills of this process as they are now: Brain's own, those that were added, and those of MCP servers."""

from functools import lru_cache

from brain.settings import Settings
from brain.settings_skills import McpServer, parse_servers
from memory.errors import config_error
from skills.loading import load_skills
from skills.registry import Registry


async def load_registry(settings: Settings) -> Registry:
    """All skills that can be used; servers that cannot be reached are named. Raises ``E_CONFIG``."""
    registry = load_skills(settings)
    if not settings.mcp_servers:
        return registry
    from skills.mcp_tools import load_mcp_skills  # takes 0.5 s to import, which others need not wait for

    skills, unavailable = await load_mcp_skills(_servers(settings.mcp_servers))
    return registry.with_skills(skills, unavailable)


async def close_skills(settings: Settings) -> None:
    """End what this loop's skills hold open."""
    if settings.mcp_servers:
        from skills.mcp_connection import close_connections  # as above

        await close_connections()


@lru_cache(maxsize=8)
def _servers(told: str) -> dict[str, McpServer]:
    try:
        return parse_servers(told)
    except ValueError as error:
        raise config_error(f"BRAIN_MCP_SERVERS: {error}.") from None
