"""What a caller is told about a request that does not fit its schema."""

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_MAX_FIELDS = 5


def validation_message(error: ValidationError) -> str:
    """Which fields do not fit and why, without their values."""
    found = error.errors(include_input=False, include_url=False, include_context=False)
    return "; ".join(f"{_name_field(each)}: {each['msg']}" for each in found[:_MAX_FIELDS])


def _name_field(error: ErrorDetails) -> str:
    return ".".join(str(part) for part in error["loc"])[:60] or "the request"
