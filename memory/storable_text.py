"""Which text can be stored at all: PostgreSQL holds neither NUL nor broken Unicode."""

from memory.errors import bad_request


def require_storable_text(text: str) -> str:
    """The text itself; ``E_BAD_REQUEST`` when it cannot be stored."""
    if "\x00" in text:
        raise bad_request("The text contains a NUL character, which cannot be stored.", "Remove it and send again.")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise bad_request("The text is not valid Unicode.", "Send it as UTF-8.") from None
    return text
