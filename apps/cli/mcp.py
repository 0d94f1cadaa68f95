"""``brain mcp``: one person's memory for a client of MCP on this machine."""

from dataclasses import dataclass

import typer

from apps.cli.options import PersonOptions, command, scope_from
from apps.cli.runner import load_settings, run
from brain.identity import Identity
from brain.resources import Resources


@dataclass(frozen=True, kw_only=True)
class McpOptions(PersonOptions):
    """Whose memory the client gets. The options of the process decide; no message can."""


def register(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "mcp")
    def mcp(options: McpOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Serve one person's memory to a client of MCP over stdin and stdout, until the client closes them.

        BRAIN_MCP_DESTRUCTIVE=true lets the client correct and forget.
        """
        run(lambda resources: _serve(resources, options), load_settings())


async def _serve(resources: Resources, options: McpOptions) -> None:
    from mcp.server.stdio import stdio_server  # takes a second to import, which --help need not wait for

    from apps.mcp.server import McpCaller, MemoryServer

    scope = scope_from(options, resources.settings.dm_scope)
    caller = McpCaller(identity=Identity(scope=scope, tenant=options.tenant, user=options.user))
    server = MemoryServer(resources, lambda _: caller).build()
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
