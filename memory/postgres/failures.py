"""Translates what PostgreSQL refuses into Brain's own errors."""

import json
import re
from collections.abc import Generator
from contextlib import contextmanager

import psycopg
from psycopg import errors
from psycopg.types.json import Json, Jsonb
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from memory.embedding import dimension_mismatch_error
from memory.errors import BrainError, bad_request, config_error, timeout_error, unavailable
from memory.storable_text import require_storable_text

_TRY_AGAIN = "Try again; 'brain doctor' tells whether the database is reachable."

MOVED = "BR421"
"""The SQLSTATE by which a database refuses a tenant that another one serves."""
ERASED = "BR410"
"""The SQLSTATE by which the database refuses what is closed for good."""
_NO_CONNECTION_LEFT = re.compile(r"too many (?:clients|connections)|remaining connection slots", re.IGNORECASE)
"""What a server says that refuses a connection: psycopg gives a refused connection no SQLSTATE."""
_NO_ROOM_LEFT = re.compile(r"No space left on device|Disk quota exceeded")
"""The same of one whose disk is full, as its system words it."""

_REFUSED_BY_POOLER = re.compile(
    r"SASL authentication failed|no such (?:user|database)|unsupported startup parameter|cannot find user",
    re.IGNORECASE,
)
"""How PgBouncer words a login that its configuration does not let through."""
_POOLER_REFUSES = config_error(
    "The pooler before the database refuses the login.", "docs/high-availability.md has a configuration that works."
)

_DISK_FULL = unavailable("The database has no disk space left.", "Free some, then try again.")

_TRANSLATIONS: tuple[tuple[tuple[type[Exception], ...], BrainError], ...] = (
    ((PoolTimeout, TooManyRequests), timeout_error("No database connection became free in time.", _TRY_AGAIN)),
    (
        (errors.QueryCanceled, errors.IdleInTransactionSessionTimeout, TimeoutError),
        timeout_error("The database did not answer in time.", _TRY_AGAIN),
    ),
    (
        (errors.LockNotAvailable, errors.DeadlockDetected, errors.SerializationFailure),
        timeout_error("Another transaction was in the way for too long.", "Try again."),
    ),
    (
        (errors.DuplicatePreparedStatement, errors.InvalidSqlStatementName),
        config_error(
            "A pooler mixes up prepared statements: it lends connections by the transaction.",
            "Leave BRAIN_DATABASE_PREPARE out, or set it to false.",
        ),
    ),
    (
        (errors.ReadOnlySqlTransaction,),
        unavailable("The database is a standby that nobody may write to.", "Try again when another has taken over."),
    ),
    (
        (errors.InsufficientPrivilege,),
        BrainError("E_TENANT_FORBIDDEN", "The database refused a row outside the caller's tenant, scope or user."),
    ),
    (
        (errors.UndefinedTable, errors.UndefinedColumn, errors.UndefinedFunction, errors.InvalidSchemaName),
        config_error("The database schema is older or newer than this Brain.", "Run 'brain migrate'."),
    ),
    ((errors.IntegrityError,), BrainError("E_CONFLICT", "A row contradicts what is already stored.")),
    ((errors.DataError,), bad_request("A value does not fit its column.")),
    (
        (errors.OperationalError, errors.InterfaceError, PoolClosed, OSError),
        unavailable("The database is away.", _TRY_AGAIN),
    ),
    ((psycopg.Error,), BrainError("E_INTERNAL", "The database rejected a statement of Brain's.")),
)


class MovedError(BrainError):
    """This database does not serve the tenant (now): another cell does, or will in a moment."""

    def __init__(self) -> None:
        super().__init__(
            "E_DEP_UNAVAILABLE",
            "This tenant is being moved, or lives in another cell.",
            "'brain cells list' shows where.",
        )


class ErasedError(BrainError):
    """This is closed for good: somebody is being erased, or a conversation was."""

    def __init__(self) -> None:
        super().__init__(
            "E_ERASED",
            "This was erased, or is being erased.",
            "When the erasure is completed, something new can begin under the same name.",
        )


PASSED_OVER = (MovedError, ErasedError)
"""What holds up no sweep over everybody: it is done elsewhere, or goes away."""


@contextmanager
def translate_errors() -> Generator[None]:
    """Raise ours instead of the driver's; the driver's own error stays attached as the cause."""
    try:
        yield
    except (psycopg.Error, TimeoutError, OSError) as error:
        raise brain_error_from(error) from error


@contextmanager
def translate_length_mismatch() -> Generator[None]:
    """A question's vector of another length than the stored ones has its own code, so that words can answer instead."""
    try:
        yield
    except BrainError as error:
        if "different halfvec dimensions" not in str(error.__cause__):
            raise
        raise dimension_mismatch_error(
            "The question's vector has another length than the stored ones of its model."
        ) from error


def brain_error_from(error: Exception) -> BrainError:
    """A fresh error of ours for one of the driver's. Values that the database quotes back are not repeated."""
    if getattr(error, "sqlstate", None) == ERASED:
        return ErasedError()
    if getattr(error, "sqlstate", None) == MOVED:
        return MovedError()
    if is_out_of_connections(error):
        return unavailable("The database has no connection left.", "Try again, or raise its max_connections.")
    if isinstance(error, errors.OperationalError) and _REFUSED_BY_POOLER.search(str(error)):
        return _anew(_POOLER_REFUSES)
    if is_out_of_room(error):
        return _anew(_DISK_FULL)
    for kinds, known in _TRANSLATIONS:
        if isinstance(error, kinds):
            return _anew(known)
    return BrainError("E_INTERNAL", f"The database driver failed: {type(error).__name__}.")


def _anew(known: BrainError) -> BrainError:
    return BrainError(known.code, known.message, known.hint)


def is_out_of_connections(error: Exception) -> bool:
    """Whether the server refused a connection because all that it allows are taken: that passes by itself."""
    crowded = isinstance(error, errors.TooManyConnections)
    return crowded or (isinstance(error, errors.OperationalError) and bool(_NO_CONNECTION_LEFT.search(str(error))))


def is_out_of_room(error: Exception) -> bool:
    """Whether the server's disk is full: that refuses a statement, or already the connection."""
    full = isinstance(error, errors.DiskFull)
    return full or (isinstance(error, errors.OperationalError) and bool(_NO_ROOM_LEFT.search(str(error))))


_ESCAPED_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
"""A NUL as JSON spells it; after an odd number of other backslashes it is ordinary text."""


def to_storable(value: object) -> object:
    """The parameter as it travels, JSON written out. Refuses text with NUL or broken UTF-8, which PostgreSQL lacks."""
    match value:
        case str():
            return require_storable_text(value)
        case Json() | Jsonb():
            return _to_storable_json(value)
        case list() if value and isinstance(value[0], _WITH_TEXT):
            return [to_storable(item) for item in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case _:
            return value


_WITH_TEXT = (str, Json, Jsonb, list, type(None))
"""What a list of texts may begin with; vectors, numbers, times and ids need no look."""


def _to_storable_json(value: Json | Jsonb) -> Json | Jsonb:
    text = json.dumps(value.obj, ensure_ascii=False)  # pyright: ignore[reportUnknownMemberType]
    if r"\u0000" in text and _ESCAPED_NUL.search(text):
        require_storable_text("\0")
    return type(value)(require_storable_text(text), dumps=str)
