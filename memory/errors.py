"""What can go wrong, named once: every refusal carries a code, says what happened and what to do next."""

from typing import Literal

Code = Literal[
    "E_BAD_REQUEST",
    "E_DIM_MISMATCH",
    "E_TENANT_FORBIDDEN",
    "E_DEP_TIMEOUT",
    "E_DEP_UNAVAILABLE",
    "E_NOT_FOUND",
    "E_CONFLICT",
    "E_ERASED",
    "E_CONFIG",
    "E_INTERNAL",
]

_RETRYABLE: frozenset[Code] = frozenset({"E_DEP_TIMEOUT", "E_DEP_UNAVAILABLE"})


class BrainError(ValueError):
    """A refusal that a person can act on: a stable code, what happened, and what to do about it.

    ``field`` names the one field of a request that is at fault. A ``ValueError``, because LangGraph's server hides the
    words of exceptions it does not know from the client.
    """

    def __init__(self, code: Code, message: str, hint: str = "", field: str = "") -> None:
        super().__init__(code, message, hint)
        self.code: Code = code
        self.field = field
        self.message = _sentence(message)
        self.hint = _sentence(hint)

    @property
    def is_retryable(self) -> bool:
        """Whether the same request may succeed later without being changed."""
        return self.code in _RETRYABLE

    def __str__(self) -> str:
        return " ".join(part for part in (f"{self.code}: {self.message}", self.hint) if part)


def _sentence(text: str) -> str:
    """What somebody else worded may lack its full stop, and another sentence follows."""
    return text if not text or text.endswith((".", "!", "?", "…", ";", "。")) else f"{text}."


def bad_request(message: str, hint: str = "") -> BrainError:
    """The caller's input cannot be accepted as it is."""
    return BrainError("E_BAD_REQUEST", message, hint)


def bad_field(field: str, message: str, hint: str = "") -> BrainError:
    """One field of the caller's input cannot be accepted as it is."""
    return BrainError("E_BAD_REQUEST", f"{field}: {message}", hint, field)


def config_error(message: str, hint: str = "") -> BrainError:
    """Brain's own set-up is wrong; nothing will work until a person changes it."""
    return BrainError("E_CONFIG", message, hint)


def unavailable(message: str, hint: str = "") -> BrainError:
    """Something Brain leans on is away; the same request may succeed later."""
    return BrainError("E_DEP_UNAVAILABLE", message, hint)


def timeout_error(message: str, hint: str = "") -> BrainError:
    """Something Brain leans on did not answer within its bound."""
    return BrainError("E_DEP_TIMEOUT", message, hint)


def unknown_memory() -> BrainError:
    """The same answer for an id that never existed and for somebody else's."""
    return BrainError("E_NOT_FOUND", "There is no such memory.", "The list of memories shows them.")
