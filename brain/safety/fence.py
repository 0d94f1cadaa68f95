"""The fence around text from elsewhere: tags whose names carry a code of this turn that no text inside them contains.

So whatever is quoted stands there letter by letter, and nothing in it can close its tag or open another one of ours.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from itertools import count

_CODE_LENGTH = 6
_FENCED = re.compile(r"<(?P<name>[a-z_]+_[0-9a-f]{6})(?: [^>\n]*)?>\n.*?\n</(?P=name)>", re.DOTALL)


@dataclass(frozen=True)
class Fence:
    """Writes the tags of one turn. ``code`` is six hexadecimal digits."""

    code: str

    def enclose(self, name: str, text: str, attributes: Mapping[str, str] | None = None) -> str:
        """The text, unchanged, between two tags; attributes without a value are left out."""
        told = "".join(f' {key}="{_flatten(value)}"' for key, value in (attributes or {}).items() if value)
        return f"<{name}_{self.code}{told}>\n{text}\n</{name}_{self.code}>"


def make_fence(texts: Iterable[str], turn: str) -> Fence:
    """The fence of one turn: its code depends on the turn's id alone, and on no text containing it by chance."""
    inside = "\n".join(texts).casefold()
    codes = (sha256(f"fence {turn} {attempt}".encode()).hexdigest()[:_CODE_LENGTH] for attempt in count())
    return Fence(next(code for code in codes if code not in inside))


def strip_fenced_text(prompt: str) -> str:
    """The prompt without what stands between fences: what is left speaks to the model by itself."""
    return _FENCED.sub(" ", prompt)


def _flatten(value: str) -> str:
    return escape(" ".join(value.split()))
