"""A tool of MCP: what a client reads of it, what it takes, and what a caller needs for it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import mcp_types
from pydantic import BaseModel, ValidationError

from apps.validation_message import validation_message
from memory.api_keys import KeyScope
from memory.errors import bad_request
from skills.context import ToolContext

A = TypeVar("A", bound=BaseModel)
Answer = dict[str, Any]
"""What a tool answers: plain JSON."""


@dataclass(frozen=True, kw_only=True)
class MemoryTool(Generic[A]):
    """``scope`` is what a key needs; a ``destructive`` tool is off unless a setting switches it on."""

    name: str
    description: str
    arguments: type[A]
    run: Callable[[A, ToolContext], Awaitable[Answer]]
    scope: KeyScope = "memory:read"
    destructive: bool = False

    @cached_property
    def definition(self) -> mcp_types.Tool:
        """The tool as a client sees it."""
        hints = mcp_types.ToolAnnotations(
            title=self.name.capitalize(),
            read_only_hint=self.scope == "memory:read",
            destructive_hint=self.destructive,
            open_world_hint=False,
        )
        schema = self.arguments.model_json_schema()
        return mcp_types.Tool(name=self.name, description=self.description, input_schema=schema, annotations=hints)

    async def call(self, arguments: object, context: ToolContext) -> Answer:
        """Run with arguments as a model wrote them. Raises ``E_BAD_REQUEST`` when they do not fit."""
        try:
            checked = self.arguments.model_validate(arguments)
        except ValidationError as error:
            raise bad_request(validation_message(error), f"Read the schema of {self.name} again.") from None
        return await self.run(checked, context)
