"""What a caller is told about a request that does not fit its schema."""

from pydantic import ValidationError

_MAX_FIELDS = 5


def validation_message(error: ValidationError) -> str:
    """Which fields do not fit and why, without their values."""
    found = error.errors(include_input=False, include_url=False, include_context=False)
    return "; ".join(
        f"{'.'.join(str(part) for part in each['loc'])[:60]}: {each['msg']}" for each in found[:_MAX_FIELDS]
    )
