"""Settings of skills and of MCP servers. What cannot be used is told in one line at start."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings

_PLACE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_SERVER = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
MAX_SERVERS, MAX_SERVER_NAME = 20, 24


class McpServer(BaseModel):
    """One MCP server: a program that is started, or an address. What it does not declare counts as high risk.

    ``risk`` declares tools by the server's own names; ``sentences`` are what people say who need them, without which
    they are offered in every turn. Empty ``roles`` and ``org_tiers`` admit anyone.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = Field(default_factory=dict[str, str], repr=False)
    cwd: str | None = None
    url: str = ""
    headers: Mapping[str, str] = Field(default_factory=dict[str, str], repr=False)
    risk: Mapping[str, Literal["low", "high"]] = Field(default_factory=dict[str, Literal["low", "high"]])
    tools: tuple[str, ...] | None = Field(None, description="Only these tools; all of them when left out.")
    sentences: Annotated[tuple[str, ...], Field(max_length=200)] = ()
    able: str = Field("", max_length=200)
    roles: frozenset[str] = frozenset()
    org_tiers: frozenset[str] = frozenset()
    timeout: float = Field(10.0, gt=0, le=60)

    @model_validator(mode="after")
    def _has_one_place(self) -> "McpServer":
        if bool(self.command) == bool(self.url):
            raise ValueError("needs either a command or a url")
        if self.url and not self.url.startswith(("http://", "https://")):
            raise ValueError("url must begin with http:// or https://")
        return self


_SERVERS = TypeAdapter(dict[str, McpServer])


class SkillSettings(BaseSettings):
    """``skills`` are places of skills (``module:name``), ``mcp_servers`` a JSON file or JSON text."""

    skills: str = ""
    skills_only: str = ""
    mcp_servers: str = Field("", repr=False)

    @field_validator("skills")
    @classmethod
    def _names_places(cls, value: str) -> str:
        wrong = [each for each in split_names(value) if not _PLACE.fullmatch(each)]
        if wrong:
            raise ValueError(f"{wrong[0]!r} is no module:name")
        return value

    @field_validator("mcp_servers")
    @classmethod
    def _reads_servers(cls, value: str) -> str:
        parse_servers(value)
        return value


def split_names(value: str) -> tuple[str, ...]:
    """Names between commas, each once."""
    return tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))


def parse_servers(value: str) -> dict[str, McpServer]:
    """The servers by name, from JSON text or a file of it. Raises ``ValueError``, and repeats no secret."""
    text = value.strip()
    if not text:
        return {}
    if not text.startswith("{"):
        try:
            text = Path(text).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"the file cannot be read ({type(error).__name__})") from None
    try:
        told = json.loads(text)
    except ValueError:
        raise ValueError("it is no JSON") from None
    return _check_servers(told)


def _check_servers(told: object) -> dict[str, McpServer]:
    """Under ``mcpServers``, as other clients of the protocol have it, or as they are."""
    inner = cast("dict[str, object]", told).get("mcpServers", cast("object", told)) if isinstance(told, dict) else told
    try:
        servers = _SERVERS.validate_python(inner)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        raise ValueError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    wrong = [name for name in servers if not _SERVER.fullmatch(name) or len(name) > MAX_SERVER_NAME]
    if wrong:
        raise ValueError(f"{wrong[0]!r} is no name of a server: up to {MAX_SERVER_NAME} small letters, digits and _")
    if len(servers) > MAX_SERVERS:
        raise ValueError(f"there are more than {MAX_SERVERS} servers")
    return servers
