"""One entry of the table of routes: what a request says, what it is answered, who may ask, and what is run."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import from_json, to_json

from apps.access.tokens import Claims
from apps.validation_message import validation_message
from brain.context import Context
from brain.identity import Identity
from brain.resources import Resources
from memory.api_keys import KeyScope
from memory.contracts import Author
from memory.errors import bad_request
from memory.names import MAX_NAME
from memory.scope import Scope
from memory.storable_text import require_storable_text

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


@dataclass(frozen=True, kw_only=True)
class ApiCall:
    """Who asks, and under which ids. ``idempotency_key`` is empty where the caller named none."""

    identity: Identity
    resources: Resources
    trace_id: str
    claims: Claims | None = None
    idempotency_key: str = ""

    @property
    def scope(self) -> Scope:
        """The rows that the call may see."""
        return self.identity.scope

    @property
    def context(self) -> Context:
        """The same person for the steps of a turn."""
        return Context(tenant=self.identity.tenant, user=self.identity.user, resources=self.resources)

    def make_author(self, act: str, reason: str) -> Author:
        """The person who writes. ``act`` names what is done to what: a key counts for one act alone."""
        key = f"api:{act}:{self.idempotency_key}" if self.idempotency_key else f"api:{self.trace_id}"
        return Author(
            operator=self.identity.user,
            reason=reason,
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

    Where the method has no body, what is not in the path comes in the query.
    """

    method: Method
    path: str
    summary: str
    request: type[Q]
    answer: type[A]
    run: Callable[[Q, ApiCall], Awaitable[Reply[A]]]
    scope: KeyScope = "memory:read"
    status: int = 200
    example: Mapping[str, Any] = field(default_factory=dict[str, Any])

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

    def _read(self, read: Callable[[], Q]) -> Q:
        try:
            return read()
        except ValidationError as error:
            raise bad_request(validation_message(error), f"The API's document tells what {self.path} takes.") from None


def _read_object(body: bytes) -> Mapping[str, Any]:
    try:
        found = from_json(body, allow_inf_nan=False)
    except ValueError:
        raise bad_request("The body is no JSON.") from None
    if not isinstance(found, dict):
        raise bad_request("The body must be a JSON object.")
    return cast("Mapping[str, Any]", found)
