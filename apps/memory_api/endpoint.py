"""One entry of the table of endpoints: what is asked and answered, who may ask, what is done, and at which doors."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    TypedDict,
    TypeVar,
    Unpack,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json, to_json

from apps.access.tokens import Claims
from apps.validation_message import validation_message
from brain.context import Context
from brain.identity import Identity
from brain.resources import Resources
from memory.api_keys import KeyScope
from memory.errors import bad_request
from memory.memory_item import Author
from memory.names import MAX_NAME
from memory.ports import MemoryCore
from memory.scope import Scope
from memory.storable_text import require_storable_text

PREFIX = "/v1/memory"
Method = Literal["GET", "POST", "PUT", "PATCH", "DELETE"]
STORABLE = AfterValidator(require_storable_text)
"""Stands last, or else what stands before it is missing in the document."""
Text = Annotated[str, STORABLE]
Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$"), STORABLE]
"""A name that a person or a program gave."""


class ApiRequest(BaseModel):
    """What a request says: the names in its path, and beside them its query or its body."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ApiAnswer(BaseModel):
    """What an answer holds as ``data``."""

    model_config = ConfigDict(frozen=True, from_attributes=True)


Q = TypeVar("Q", bound=ApiRequest)
A = TypeVar("A", bound=ApiAnswer)


Door = Literal["api", "mcp", "cli", "panel"]
REASONS: Mapping[Door, str] = {
    "api": "asked for over the API",
    "mcp": "asked for by a client",
    "cli": "asked for on the command line",
    "panel": "asked for in the panel",
}
"""What the history says of a change for which nobody gave a reason."""


@dataclass(frozen=True, kw_only=True)
class ApiCall:
    """Who asks, at which door, and under which ids. ``idempotency_key`` is empty where the caller named none."""

    identity: Identity
    resources: Resources
    trace_id: str
    claims: Claims | None = None
    idempotency_key: str = ""
    door: Door = "api"

    @property
    def scope(self) -> Scope:
        """The rows that the call may see."""
        return self.identity.scope

    @property
    def memory(self) -> MemoryCore:
        """Memory Core."""
        return self.resources.memory

    @property
    def is_program(self) -> bool:
        """Whether a program asks, on whose way to a model what was planted must neither be kept nor shown."""
        return self.door in ("api", "mcp")

    @property
    def is_operator(self) -> bool:
        """Whether they run the server: scores, policies and safety rules are for them alone."""
        return self.claims is None or "admin" in self.claims.scopes

    @property
    def context(self) -> Context:
        """The same person for the steps of a turn."""
        return Context(tenant=self.identity.tenant, user=self.identity.user, resources=self.resources)

    def reason(self, given: str) -> str:
        """Why something is changed: the reason that was given, or that somebody asked for it here."""
        return given or REASONS[self.door]

    def make_author(self, act: str, reason: str = "") -> Author:
        """The person who writes. ``act`` names what is done to what: a key counts for one act alone."""
        key = f"{self.door}:{act}:{self.idempotency_key}" if self.idempotency_key else f"{self.door}:{self.trace_id}"
        return Author(
            operator=self.identity.user,
            reason=self.reason(reason),
            idempotency_key=key,
            at=self.resources.clock(),
            trace_id=self.trace_id,
        )


@dataclass(frozen=True)
class Reply(Generic[A]):
    """The data of an answer, and how they were found where that was a search."""

    data: A
    degraded: tuple[str, ...] = ()
    retrieval_trace: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class Endpoint(Generic[Q, A]):
    """``scope`` is what a key needs. ``request`` also holds the names in the path; ``example`` is a request.

    ``tool`` names it among the tools of MCP, ``command`` on the command line; empty where it does not stand there, as
    ``path`` is where it has no address over HTTP. Where the method has no body, what is not in the path comes in the
    query. A ``destructive`` tool is off unless a setting switches it on.
    """

    name: str
    doc: str
    request: type[Q]
    answer: type[A]
    function: Callable[[Q, ApiCall], Awaitable[A | Reply[A]]]
    method: Method
    path: str
    scope: KeyScope = "memory:read"
    status: int = 200
    tool: str = ""
    command: str = ""
    destructive: bool = False
    example: Mapping[str, Any] = field(default_factory=dict[str, Any])

    async def __call__(self, asked: Q, call: ApiCall) -> Reply[A]:
        """Do it, for a caller who may."""
        found = await self.function(asked, call)
        return found if isinstance(found, Reply) else Reply(found)

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return self.doc.partition("\n")[0]

    @property
    def has_body(self) -> bool:
        """Whether a request says what it wants in its body."""
        return self.method in ("POST", "PUT", "PATCH") and bool(self.request.model_fields.keys() - self.path_names)

    @property
    def path_names(self) -> frozenset[str]:
        """The names that stand in the path."""
        return frozenset(part[1:-1] for part in self.path.split("/") if part.startswith("{"))

    def read_body(self, body: bytes, path: Mapping[str, str]) -> Q:
        """A request from JSON, whose types are taken at their word. Raises ``E_BAD_REQUEST``."""
        whole = to_json({**_read_object(body), **path}) if path else body
        return self._read(lambda: self.request.model_validate_json(whole, strict=True))

    def read_query(self, query: Mapping[str, str | list[str]]) -> Q:
        """A request from text alone. Raises ``E_BAD_REQUEST``."""
        return self._read(lambda: self.request.model_validate_strings(query))

    def read(self, values: object) -> Q:
        """A request from values, as a model or a form gave them. Raises ``E_BAD_REQUEST``."""
        return self._read(lambda: self.request.model_validate(values))

    def _read(self, read: Callable[[], Q]) -> Q:
        try:
            return read()
        except ValidationError as error:
            raise bad_request(validation_message(error), f"The API's document tells what {self.name} takes.") from None


AnyEndpoint = Endpoint[Any, Any]
Function = Callable[[Any, ApiCall], Awaitable[Any]]


class Doors(TypedDict, total=False):
    """What of an ``Endpoint`` is said where it is written."""

    scope: KeyScope
    status: int
    tool: str
    command: str
    destructive: bool
    example: Mapping[str, Any]


def endpoint(route: str = "", **doors: Unpack[Doors]) -> Callable[[Function], AnyEndpoint]:
    """Make an entry of the table of a function, whose types and docstring tell the rest.

    ``route`` is a method and the path behind ``/v1/memory``.
    """

    def build(function: Function) -> AnyEndpoint:
        hints = get_type_hints(function)
        answer = get_args(hints["return"])[0] if get_origin(hints["return"]) is Reply else hints["return"]
        method, _, path = route.partition(" ")
        return Endpoint(
            name=function.__name__,
            doc=inspect.getdoc(function) or "",
            request=hints["asked"],
            answer=answer,
            function=function,
            method=cast("Method", method),
            path=f"{PREFIX}{path}" if path else "",
            **doors,
        )

    return build


def _read_object(body: bytes) -> Mapping[str, Any]:
    try:
        found = from_json(body, allow_inf_nan=False)
    except ValueError:
        raise bad_request("The body is no JSON.") from None
    if not isinstance(found, dict):
        raise bad_request("The body must be a JSON object.")
    return cast("Mapping[str, Any]", found)
