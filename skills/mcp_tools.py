"""The tools of MCP servers as Brain's own: under a prefix, behind the gate, and everything that they say untrusted."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping

import mcp_types
import structlog
from pydantic import BaseModel, ConfigDict

from brain.safety.sanitizer import sanitize_text
from brain.settings_skills import McpServer
from skills.context import ToolContext, ToolResult
from skills.mcp_connection import SkillUnavailable, connection_to
from skills.skill import Skill
from skills.tool import Tool

log = structlog.get_logger(__name__)

SEPARATOR = "__"
"""Between the name of a server and that of a tool; no tool of ours has it in its name."""
MAX_TOOLS, MAX_NAME, MAX_DESCRIPTION, MAX_SCHEMA = 32, 64, 600, 6_000
MAX_ANSWER_CHARACTERS = 20_000
_NAME = re.compile(r"[A-Za-z0-9_-]+")


class AnyArguments(BaseModel):
    """Arguments that the server itself looks at."""

    model_config = ConfigDict(extra="allow")


async def load_mcp_skills(servers: Mapping[str, McpServer]) -> tuple[list[Skill], tuple[str, ...]]:
    """The skills of the servers that can be reached, and the names of the others."""
    found = await asyncio.gather(*(_load_skill(name, server) for name, server in servers.items()))
    skills = [each for each in found if isinstance(each, Skill)]
    return skills, tuple(each for each in found if isinstance(each, str))


async def _load_skill(name: str, server: McpServer) -> Skill | str:
    try:
        listed = await connection_to(name, server).list_tools()
    except SkillUnavailable:
        return name
    return Skill(
        name=f"mcp:{name}",
        tools=tuple(_tools_of(name, server, listed)),
        sentences=server.sentences,
        roles=server.roles,
        org_tiers=server.org_tiers,
        able=server.able,
        source=f"MCP server {name}",
        own_capabilities=frozenset({f"mcp.{name}"}),
    )


def _tools_of(name: str, server: McpServer, listed: tuple[mcp_types.Tool, ...]) -> Iterator[Tool[AnyArguments]]:
    """Those that may be offered: well named, bounded, and described without an attempt to steer the model."""
    wanted = [each for each in listed if server.tools is None or each.name in server.tools]
    seen = set[str]()
    for each in wanted[:MAX_TOOLS]:
        full, schema = f"{name}{SEPARATOR}{each.name}", dict(each.input_schema)
        described = json.dumps(schema, ensure_ascii=False)
        told = f"{each.name}\n{each.description or ''}\n{described}"
        fits = _NAME.fullmatch(each.name) and len(full) <= MAX_NAME and len(described) <= MAX_SCHEMA
        if not fits or full in seen or schema.get("type") != "object" or sanitize_text(told).verdict != "pass":
            log.warning("mcp_tool_left_out", server=name, tool=each.name[:MAX_NAME])
            continue
        seen.add(full)
        yield Tool(
            name=full,
            description=" ".join((each.description or each.name).split())[:MAX_DESCRIPTION],
            arguments=AnyArguments,
            schema=schema,
            run=_caller(name, server, each.name),
            risk=server.risk.get(each.name, "high"),
            capabilities=frozenset({f"mcp.{name}"}),
        )


def _caller(name: str, server: McpServer, tool: str) -> Callable[[AnyArguments, ToolContext], Awaitable[ToolResult]]:
    async def call(arguments: AnyArguments, context: ToolContext) -> ToolResult:
        answer = await connection_to(name, server).call(tool, arguments.model_dump(mode="json"))
        text = _read_answer(answer)
        return ToolResult(text=text, failed="TOOL_REFUSED" if answer.is_error else "")

    return call


def _read_answer(answer: mcp_types.CallToolResult) -> str:
    """The words of an answer, bounded; what is no words is named."""
    parts = (
        block.text if isinstance(block, mcp_types.TextContent) else f"[{block.type} left out]"
        for block in answer.content
    )
    return "\n".join(parts)[:MAX_ANSWER_CHARACTERS].replace("\x00", "")
