"""A form that carries a file: as large as it may be, read to disk and never whole into memory."""

import asyncio
import re
import shutil
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import BinaryIO

from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from apps.http.errors import HttpRefusal
from apps.panel.page import Form, Visit, require_token
from memory.errors import bad_request

UPLOAD_SECONDS = 900.0
"""For the whole file to arrive."""
_MAX_FIELDS = 10
_MAX_NAME_CHARACTERS = 100


@asynccontextmanager
async def receive_file(visit: Visit, most: int) -> AsyncGenerator[tuple[Form, Path]]:
    """The fields of the form and its one file, which is there until this is left.

    Raises ``E_BAD_REQUEST`` for a form without one, ``HttpRefusal`` 413 for one that is too large.
    """
    request = visit.request
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise bad_request("The form carries no file.", "Choose one.")
    parser = MultiPartParser(request.headers, _bounded(request.stream(), most), max_files=1, max_fields=_MAX_FIELDS)
    try:
        async with asyncio.timeout(UPLOAD_SECONDS):
            received = await parser.parse()
    except (MultiPartException, KeyError, UnicodeDecodeError):
        raise bad_request("The form cannot be read.", "Open the page again.") from None
    except TimeoutError:
        raise HttpRefusal(408, "E_BAD_REQUEST", "The file did not arrive in time.") from None
    try:
        fields = {name: value for name, value in received.multi_items() if isinstance(value, str)}
        require_token(visit, fields)
        file = next((each for _, each in received.multi_items() if isinstance(each, UploadFile)), None)
        if file is None or not file.filename:
            raise bad_request("The form carries no file.", "Choose one.")
        with TemporaryDirectory(prefix="brain-past-") as folder:
            path = Path(folder, _safe_name(file.filename))
            await asyncio.to_thread(_copy, file.file, path)
            yield fields, path
    finally:
        await received.close()


def _copy(source: BinaryIO, path: Path) -> None:
    with path.open("wb") as kept:
        shutil.copyfileobj(source, kept)


async def _bounded(stream: AsyncIterator[bytes], most: int) -> AsyncGenerator[bytes]:
    size = 0
    async for piece in stream:
        size += len(piece)
        if size > most:
            told = f"The file is larger than {most:,} bytes; BRAIN_PAST_UPLOAD_BYTES sets how large it may be."
            raise HttpRefusal(413, "E_BAD_REQUEST", told, {"Connection": "close"})
        yield piece


def _safe_name(given: str) -> str:
    """The last part of a name, without anything that means something to a file system."""
    name = re.sub(r"[^\w.\- ()]", "_", PurePosixPath(given.replace("\\", "/")).name).strip(". ")
    return name[-_MAX_NAME_CHARACTERS:] or "export"
