"""Which text can name a tenant, a person, a conversation or a channel."""

import re
import unicodedata
from uuid import UUID

from memory.errors import bad_request
from memory.storable_text import require_storable_text

MAX_NAME = 512
"""Characters of a name."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_UNSEEN = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]"
)
"""What no font shows although its category is a letter's, a mark's or a symbol's: fillers, variation selectors."""
_NOT_SHOWN = frozenset({"Zs", "Cf"})
"""Spaces, and format characters such as the zero-width space."""


def require_name(kind: str, name: str | None) -> str:
    """The name itself; ``E_BAD_REQUEST`` when it is too long, has control characters, or cannot be seen."""
    if not name or len(name) > MAX_NAME or _CONTROL.search(name):
        raise bad_request(f"The {kind} name must be 1 to {MAX_NAME} characters without control characters.")
    require_storable_text(name)
    if not any(map(_is_visible, name)):
        raise bad_request(f"The {kind} name is blank.", "Use a name with at least one visible character.")
    return name


def parse_id(text: str) -> UUID:
    """The id that the text spells; ``E_BAD_REQUEST`` when it spells none."""
    try:
        return UUID(text)
    except (ValueError, AttributeError, TypeError):
        raise bad_request("That is not an id.") from None


def _is_visible(character: str) -> bool:
    """Joiners inside a word are legitimate, so a name needs one visible character, not only such."""
    return unicodedata.category(character) not in _NOT_SHOWN and not _UNSEEN.match(character)
