"""Editing one document outside of a folder: by the same rules as an edited file that is brought back."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from apps.documents_folder import export_to
from apps.documents_import import Import, ImportResult
from brain.resources import Resources
from memory.documents.document import Document, normalize_body
from memory.errors import BrainError
from memory.scope import Scope


@dataclass(frozen=True, kw_only=True)
class DocumentEdit:
    """What a person made of a version of a document. Changed lines that word a memory change the memory."""

    base: Document
    body: str
    operator: str


async def apply_edit(resources: Resources, scope: Scope, edit: DocumentEdit) -> ImportResult:
    """Save it over what stands there now. Raises ``E_CONFLICT`` when the document moved on, ``E_BAD_REQUEST``."""
    with TemporaryDirectory(prefix="brain-document-") as folder:
        file = replace(edit.base, body=normalize_body(edit.body))
        await asyncio.to_thread(export_to, Path(folder), file)
        bring = Import(resources=resources, scope=scope, folder=Path(folder), operator=edit.operator)
        (result,) = [each for each in await bring.run() if each.outcome != "passed over"]
    if result.outcome == "conflict":
        told = f"Version {result.version} was written meanwhile."
        raise BrainError("E_CONFLICT", told, "Open the document again and put your changes there.")
    if result.outcome == "refused":
        raise BrainError("E_BAD_REQUEST", result.message.removeprefix("E_BAD_REQUEST: "))
    return result
