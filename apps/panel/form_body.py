"""The body of a form: fields, and files where a page lets them be chosen. Nothing of it touches the disk."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from io import BytesIO
from urllib.parse import parse_qsl

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import Field, File, create_form_parser

from memory.errors import BrainError, bad_request

_MAX_FIELDS, _MAX_FILES = 100, 50
_MAX_NAME = 200
_FILES_TYPE = "multipart/form-data"


@dataclass(frozen=True)
class SentFile:
    """A file as the browser sent it. What it is, its bytes tell."""

    name: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class FormBody:
    """What was filled in."""

    fields: Mapping[str, str] = field(default_factory=dict[str, str])
    files: tuple[SentFile, ...] = ()


def parse_form(body: bytes, content_type: str) -> FormBody:
    """The form. Raises ``E_BAD_REQUEST`` for one that no browser sends."""
    try:
        if content_type.partition(";")[0].strip().lower() == _FILES_TYPE:
            return _parse_parts(body, content_type)
        text = body.decode("ascii")
        return FormBody(dict(parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS)))
    except (ValueError, FormParserError):
        raise _unreadable() from None


def _parse_parts(body: bytes, content_type: str) -> FormBody:
    """Fields and files of a form in parts; a chooser that was left empty sends a file without name and bytes."""
    fields, files = dict[str, str](), list[SentFile]()

    def take_field(found: Field) -> None:
        if len(fields) == _MAX_FIELDS:
            raise _unreadable()
        fields[(found.field_name or b"").decode()] = (found.value or b"").decode()

    def take_file(found: File) -> None:
        if len(files) == _MAX_FILES:
            raise _unreadable()
        name = (found.file_name or b"").decode("utf-8", "replace")
        held = found.file_object
        data = held.getvalue() if isinstance(held, BytesIO) else b""
        if name or data:
            files.append(SentFile(name[-_MAX_NAME:], data))

    in_memory = {"MAX_MEMORY_FILE_SIZE": len(body) + 1}
    headers = {"Content-Type": content_type.encode("latin-1")}
    parser = create_form_parser(headers, take_field, take_file, in_memory)  # pyright: ignore[reportArgumentType]
    parser.write(body)
    parser.finalize()
    return FormBody(fields, tuple(files))


def _unreadable() -> BrainError:
    return bad_request("The form cannot be read.", "Open the page again.")
