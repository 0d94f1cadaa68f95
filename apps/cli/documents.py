"""``brain documents``: daily notes, MEMORY and profiles, read, traced, and carried to a folder and back."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.entry_point import FAILED
from apps.cli.options import AsJson, PersonOptions, command, scope_from
from apps.cli.output import emit, say, show_table
from apps.cli.runner import load_settings, run
from apps.documents.folder import PLACES, export_to
from apps.documents.import_folder import Import, ImportResult
from apps.memory_api import documents as documents_api
from apps.memory_api.documents import DocumentBody, DocumentHead, DocumentHistory
from apps.memory_api.paging import Page
from brain.documents.files import path_of, render_file
from brain.resources import Resources
from memory.documents.document import Document, document_id_from_name
from memory.errors import BrainError, bad_request

MAX_DOCUMENTS = 20_000
MAX_FILES_NAMED, MAX_WRONG_FILES_NAMED = 50, 5
"""Files that an import tells of one by one; the second where none of them is a document."""

documents = typer.Typer(no_args_is_help=True, help="See, trace, restore, export and import documents.")


@dataclass(frozen=True, kw_only=True)
class ShowOptions(PersonOptions):
    """Which version of which document."""

    name: Annotated[str, typer.Argument(help="MEMORY, profile, or the day of a daily note (2026-03-01).")]
    version: Annotated[int, typer.Option(min=0, help="An earlier version that is still kept; 0 for the newest.")] = 0
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class FolderOptions(PersonOptions):
    """Where the files are."""

    folder: Annotated[Path, typer.Argument(help="The folder of Markdown files.")]
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class ImportOptions(FolderOptions):
    """Whether to write at all."""

    dry_run: Annotated[bool, typer.Option(help="Only tell what would happen.")] = False


def _show_list(found: Page[DocumentHead]) -> None:
    rows = [(d.kind, d.name, d.version, d.bytes, f"{d.updated_at:%Y-%m-%d}", d.author) for d in found.items]
    if rows:
        show_table(("kind", "name", "version", "bytes", "updated", "by"), rows)
    else:
        say("No documents yet.")


def _show_history(found: DocumentHistory) -> None:
    rows = [
        (each.version, each.bytes, f"{each.updated_at:%Y-%m-%d %H:%M}", each.author, each.reason)
        for each in found.versions
    ]
    show_table(("version", "bytes", "when", "by", "why"), rows)


def _show_restored(document: DocumentBody) -> None:
    say(f"Restored: {document.name} is at version {document.version}.")


add_endpoint(documents, documents_api.list_documents, _show_list)
add_endpoint(documents, documents_api.list_document_versions, _show_history)
add_endpoint(documents, documents_api.restore_document, _show_restored)


@command(documents, "show")
def show(options: ShowOptions) -> None:
    """Show a document as it would stand in a file."""
    versions = run(lambda resources: _fetch_history(resources, options), load_settings())
    chosen = [each for each in versions if each.version == options.version] if options.version else versions[-1:]
    if not chosen:
        raise BrainError("E_NOT_FOUND", "This version is not kept.", "'brain documents history' lists what is.")
    if options.json:
        emit(chosen[0])
    else:
        say(render_file(chosen[0]).rstrip("\n"))


@command(documents, "export")
def export(options: FolderOptions) -> None:
    """Write all documents into a folder of Markdown files. A file with changes of its own is left alone."""
    kept = run(lambda resources: _export_documents(resources, options), load_settings())
    edited = [path for path, outcome in kept if outcome == "edited"]
    if options.json:
        emit([{"file": path, "outcome": outcome} for path, outcome in kept])
    else:
        say(_outcome_summary([outcome for _, outcome in kept]))
        for path in edited:
            say(f"{path} holds changes that were not imported; it was left alone.")
    if edited:
        raise typer.Exit(FAILED)


@command(documents, "import")
def import_(options: ImportOptions) -> None:
    """Bring edited files back. A document that moved on since the export is reported, never overwritten."""
    brought = run(lambda resources: _import_folder(resources, options), load_settings())
    if options.json:
        emit([asdict(each) for each in brought])
    else:
        _print_import(brought)
    if any(each.outcome in ("conflict", "refused") for each in brought):
        raise typer.Exit(FAILED)
    if all(each.outcome == "passed over" for each in brought):
        raise bad_request(f"{options.folder} holds no document.", f"Documents are {PLACES}.")


async def _fetch_history(resources: Resources, options: ShowOptions) -> list[Document]:
    scope = scope_from(options, resources.settings.dm_scope)
    return await resources.memory.documents.history(scope, document_id_from_name(scope, options.name))


async def _export_documents(resources: Resources, options: FolderOptions) -> list[tuple[str, str]]:
    scope = scope_from(options, resources.settings.dm_scope)
    found = await resources.memory.documents.list_documents(scope, limit=MAX_DOCUMENTS)
    return [(path_of(each.kind, each.name), export_to(options.folder, each)) for each in found]


async def _import_folder(resources: Resources, options: ImportOptions) -> list[ImportResult]:
    scope = scope_from(options, resources.settings.dm_scope)
    return await Import(
        resources=resources,
        scope=scope,
        folder=options.folder,
        operator=options.user,
        dry_run=options.dry_run,
    ).run()


def _print_import(brought: Sequence[ImportResult]) -> None:
    told = [each for each in brought if each.outcome != "unchanged"]
    most = MAX_WRONG_FILES_NAMED if all(each.outcome == "passed over" for each in brought) else MAX_FILES_NAMED
    for each in told[:most]:
        say(" — ".join(part for part in (f"{each.outcome}: {each.file}", each.message) if part))
    if len(told) > most:
        say(f"… and {len(told) - most:,} more; --json tells all.")
    say(_outcome_summary([each.outcome for each in brought]))


def _outcome_summary(outcomes: Sequence[str]) -> str:
    counted = ", ".join(f"{number} {outcome}" for outcome, number in sorted(Counter(outcomes).items()))
    return f"Files: {counted or 'none'}."
