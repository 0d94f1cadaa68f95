"""JSON of any size, one value after the other: the elements of an array, or values that follow each other."""

import codecs
import json
from collections.abc import Iterator
from typing import IO, Never

from memory.errors import BrainError, bad_request

CHUNK_BYTES = 1 << 20
MAX_CHARACTERS = 64 << 20
"""Characters of one value: a conversation, a memory, or a file that is one object."""
_SPACE = " \t\r\n"


def read_values(source: IO[bytes], name: str) -> Iterator[object]:
    """The values of a file, none of them kept. Raises ``E_BAD_REQUEST`` where it is no JSON, too large or too deep."""
    text = _Text(source, name)
    in_array = text.peek() == "["
    if in_array:
        text.skip()
    while (mark := text.peek()) and not (in_array and mark == "]"):
        if in_array and mark == "," and text.values:
            text.skip()
        yield text.take()
    if in_array and not mark:
        raise text.refusal("ends in the middle of a list")


class _Text:
    """What was read of a file and is not used yet."""

    def __init__(self, source: IO[bytes], name: str) -> None:
        self._source, self._name = source, name
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._scan = json.JSONDecoder(parse_constant=_refuse_constant).raw_decode
        self._text, self._at, self._is_over = "", 0, False
        self.values = 0

    def peek(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._text) or self._is_over:
                return self._text[self._at : self._at + 1]
            self._read(CHUNK_BYTES)

    def skip(self) -> None:
        """Pass over one character."""
        self._at += 1

    def take(self) -> object:
        """The next value; as much is read as it needs."""
        self.peek()
        more = CHUNK_BYTES
        while True:
            try:
                value, end = self._scan(self._text, self._at)
            except RecursionError:
                raise self.refusal("is nested too deeply") from None
            except ValueError as error:
                if self._is_over or not isinstance(error, json.JSONDecodeError):
                    raise self.refusal("is no JSON") from None
                if len(self._text) - self._at > MAX_CHARACTERS:
                    raise self.refusal(
                        f"is no JSON, or longer than {MAX_CHARACTERS >> 20} million characters"
                    ) from None
                self._read(more)
                more *= 2
            else:
                if end < len(self._text) or self._is_over or not isinstance(value, int | float):
                    self._at, self.values = end, self.values + 1
                    return value
                self._read(more)  # a number may go on behind what was read

    def refusal(self, why: str) -> BrainError:
        """What is wrong, and with which value."""
        return bad_request(f"{self._name[:200]!r}: value {self.values + 1} {why}.", "Ask for the export again.")

    def _read(self, size: int) -> None:
        raw = self._source.read(size)
        self._is_over = not raw
        try:
            self._text = self._text[self._at :] + self._decode(raw, self._is_over)
        except UnicodeDecodeError:
            raise self.refusal("is not UTF-8") from None
        self._at = 0


def _refuse_constant(name: str) -> Never:
    raise ValueError(name)
