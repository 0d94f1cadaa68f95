"""A tool: what it is for, what it takes, who may use it, how dangerous it is."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Generic, Literal, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict

from brain.identity import Identity
from brain.intent_rules import Intent
from brain.models.port import ToolSpec
from skills.context import ToolContext, ToolResult

Risk = Literal["low", "high"]
A = TypeVar("A", bound=BaseModel)


def _make_storable(text: str) -> str:
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


Words = Annotated[str, AfterValidator(_make_storable)]
"""Text that a model wrote: what no database takes is dropped from it."""


class Arguments(BaseModel):
    """Arguments as a model writes them; what nobody asked for is refused."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True, kw_only=True)
class Tool(Generic[A]):
    """``risk`` left out means high: what nobody declared is not trusted. Empty ``roles`` or ``org_tiers`` admit anyone.

    ``suits`` says from 0 to 1 how sure it is that a message of this kind asks for just this tool; ``needs`` names other
    tools it cannot work without. ``schema`` stands for that of ``arguments`` where somebody else wrote it.
    """

    name: str
    description: str
    arguments: type[A]
    run: Callable[[A, ToolContext], Awaitable[ToolResult]]
    suits: Callable[[Intent], float] = lambda _: 0.0
    risk: Risk = "high"
    capabilities: frozenset[str] = field(default_factory=frozenset[str])
    roles: frozenset[str] = field(default_factory=frozenset[str])
    org_tiers: frozenset[str] = field(default_factory=frozenset[str])
    needs: frozenset[str] = field(default_factory=frozenset[str])
    schema: Mapping[str, Any] | None = None
    names_memories: frozenset[str] = field(default_factory=frozenset[str])
    """Arguments that point at what is remembered, so that a user who asks for the tool need not repeat it."""
    preview: Callable[[A, ToolContext], Awaitable[str]] | None = None
    """A diff of what a call would change, for the person who approves it."""
    is_asked: Callable[[A, ToolContext], bool] | None = None
    """Whether the person's own words of this turn ask for a call; one that they do not ask for waits for approval."""

    @cached_property
    def spec(self) -> ToolSpec:
        """The tool as a model sees it."""
        schema = self.arguments.model_json_schema() if self.schema is None else self.schema
        return ToolSpec(name=self.name, description=self.description, parameters=schema, risk=self.risk)

    def permits(self, identity: Identity) -> bool:
        """Whether this person may use it."""
        roles_fit = not self.roles or bool(self.roles & (identity.roles | {identity.role}))
        return roles_fit and (not self.org_tiers or identity.org_tier in self.org_tiers)

    def words_in(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments without those that are a choice from a list: only words can be taken from a text."""
        known = cast("dict[str, Any]", self.spec.parameters.get("properties", {}))
        return {name: value for name, value in arguments.items() if "enum" not in known.get(name, {})}

    async def preview_call(self, arguments: object, context: ToolContext) -> str:
        """What a call would change; empty where the tool cannot tell. ``ValidationError`` for unfit arguments."""
        fit = self.arguments.model_validate(arguments)
        return await self.preview(fit, context) if self.preview else ""

    def is_unasked(self, arguments: object, context: ToolContext) -> bool:
        """Whether a call needs the person's own words and has them not. ``ValidationError`` for unfit arguments."""
        return self.is_asked is not None and not self.is_asked(self.arguments.model_validate(arguments), context)

    async def call(self, arguments: object, context: ToolContext) -> ToolResult:
        """Run with arguments as a model wrote them; pydantic's ``ValidationError`` when they do not fit."""
        return await self.run(self.arguments.model_validate(arguments), context)


def reading_tool(
    name: str,
    description: str,
    arguments: type[A],
    run: Callable[[A, ToolContext], Awaitable[ToolResult]],
    suits: Callable[[Intent], float],
) -> Tool[A]:
    """A tool that changes nothing: it only reads what is remembered of the person who asks."""
    return Tool(
        name=name,
        description=f"{description} Read-only.",
        arguments=arguments,
        run=run,
        suits=suits,
        risk="low",
        capabilities=frozenset({"memory.read"}),
    )
