"""One row of a file as an entry: the fields there are, checked, whichever the format."""

from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from apps.validation_message import validation_message
from brain.safety.sanitizer import sanitize_text
from knowledge.entries import (
    MAX_CHARACTERS,
    MAX_NAME_CHARACTERS,
    MAX_RELATIONS,
    Kind,
    KnowledgeDraft,
    Relation,
)
from memory.errors import BrainError, bad_request
from memory.storable_text import require_storable_text
from memory.zones import is_storable_moment


def _storable(text: str) -> str:
    try:
        return require_storable_text(text)
    except BrainError as error:
        raise ValueError(error.message) from None


def _as_text(value: object) -> object:
    """Numbers and nothing are what cells hold as well."""
    return "" if value is None else str(value) if isinstance(value, int | float) else value


def _as_moment(value: object) -> object:
    """A day is its beginning, and a time without a zone is UTC."""
    if value in (None, ""):
        return None
    try:
        moment = datetime.fromisoformat(str(value).strip())
    except ValueError:
        return value
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _storable_moment(moment: datetime | None) -> datetime | None:
    if moment and not is_storable_moment(moment):
        raise ValueError("It is too long ago, or too far ahead.")
    return moment


Storable = AfterValidator(_storable)
Name = Annotated[str, BeforeValidator(_as_text), Field(max_length=MAX_NAME_CHARACTERS), Storable]
Moment = Annotated[AwareDatetime | None, BeforeValidator(_as_moment), AfterValidator(_storable_moment)]


class RelationRow(BaseModel):
    """Two things by name, and what is between them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    subject: Annotated[Name, Field(min_length=1)]
    relation: Annotated[Name, Field(min_length=1)]
    object: Annotated[Name, Field(min_length=1)]


class EntryRow(BaseModel):
    """An entry of a file. Fields that are not known are ignored: files have columns of their own."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: Name = ""
    text: Annotated[str, BeforeValidator(_as_text), Field(min_length=1, max_length=MAX_CHARACTERS), Storable]
    kind: Kind = "fact"
    topic: Name = ""
    owner: Name = ""
    org_tier: Name = ""
    role: Name = ""
    brand: Name = ""
    platform: Name = ""
    language: Name = ""
    valid_from: Moment = None
    valid_until: Moment = None
    relations: Annotated[tuple[RelationRow, ...], Field(max_length=MAX_RELATIONS)] = ()


def _is_attack(row: EntryRow, source: str) -> bool:
    """Whether what it says reads like an instruction, or one of the names that stand beside it in a prompt."""
    beside = (source.replace("-", " ").replace("_", " "), row.topic, row.brand, row.platform)
    return any(sanitize_text(each).verdict == "blocked" for each in (row.text, *beside) if each)


def read_row(values: Mapping[str, Any], source: str, *, tones: bool) -> KnowledgeDraft:
    """The entry of a row. Raises ``E_BAD_REQUEST`` for what is none, for a tone that nobody asked for, and for attacks.

    A row without an id is known by its text.
    """
    told = {name: value for name, value in values.items() if not (name == "kind" and value in (None, ""))}
    text = told.get("text")
    try:
        row = EntryRow.model_validate({**told, "text": text.strip() if isinstance(text, str) else text})
    except ValidationError as error:
        raise bad_request(validation_message(error)) from None
    if row.kind == "tone" and not tones:
        raise bad_request("It is a tone, which steers every answer.", "Import it with --tones if that is meant.")
    if row.valid_from and row.valid_until and row.valid_from >= row.valid_until:
        raise bad_request("valid_until is not after valid_from.")
    if _is_attack(row, source):
        raise bad_request("It reads like an instruction to the assistant.", "Word it as what the organisation knows.")
    relations = tuple(Relation(**each.model_dump()) for each in row.relations)
    fields = row.model_dump(exclude={"id", "relations"})
    key = row.id or sha256(row.text.encode()).hexdigest()
    return KnowledgeDraft(**fields, relations=relations, source=source, source_key=key)
