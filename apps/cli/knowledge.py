"""``brain knowledge``: what the organisation knows, added, imported, looked through, taken out and traced."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from apps.cli.byte_bar import byte_bar
from apps.cli.endpoint_commands import add_endpoint
from apps.cli.entry_point import FAILED
from apps.cli.options import AsJson, PersonOptions, TenantOptions, command, scope_from
from apps.cli.output import emit, printable, say, show_fields, show_table
from apps.cli.runner import load_settings, run
from apps.knowledge_files.files import KnowledgeFile, find_files
from apps.knowledge_files.import_run import Advance, ImportTally, ImportWish, KnowledgeImport
from apps.memory_api import bookmarks as bookmarks_api
from apps.memory_api import knowledge as knowledge_api
from apps.memory_api.bookmarks import BookmarkList, BookmarkRemoved, BookmarkView
from apps.memory_api.knowledge_entries import EntryHistory, EntryHits, EntryView
from apps.memory_api.paging import Page
from brain.knowledge_writing import embed_waiting
from brain.resources import Resources
from knowledge.entries import Author
from memory.scope import name_id

MAX_REFUSALS_NAMED = 20

knowledge = typer.Typer(no_args_is_help=True, help="What the organisation knows, beside what people told.")


@dataclass(frozen=True, kw_only=True)
class ImportOptions(PersonOptions):
    """What to read, and what holds for all of it."""

    place: Annotated[Path, typer.Argument(help="A folder or a file: Markdown, CSV or JSON Lines.")]
    owner: Annotated[str, typer.Option(help="Who answers for entries that do not say.")] = ""
    brand: Annotated[str, typer.Option(help="The brand of entries that do not say.")] = ""
    tones: Annotated[bool, typer.Option("--tones", help="Take tones as well, which steer every answer.")] = False
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class EmbedOptions(TenantOptions):
    """Whose entries."""

    json: AsJson = False


def _show_list(found: Page[EntryView]) -> None:
    rows = [(e.entry_id, e.kind, e.topic, e.source, f"{e.updated_at:%Y-%m-%d}", e.text) for e in found.items]
    if rows:
        show_table(("id", "kind", "topic", "source", "updated", "text"), rows)
    else:
        say("Nothing is known yet. 'brain knowledge import FOLDER' reads files.")


def _show_entry(entry: EntryView) -> None:
    told = entry.model_dump(exclude={"relations", "text"})
    relations = "; ".join(f"{each.subject} {each.relation} {each.object}" for each in entry.relations)
    show_fields({name: value for name, value in {**told, "relations": relations}.items() if value not in (None, "")})
    say(entry.text)


def _show_hits(found: EntryHits) -> None:
    if found.entries:
        show_table(("score", "id", "source", "text"), [(e.score, e.entry_id, e.source, e.text) for e in found.entries])
    else:
        say("Nothing was found.")


def _show_history(found: EntryHistory) -> None:
    rows = [
        (v.revision, f"{v.recorded_at:%Y-%m-%d %H:%M}", v.author, v.reason, "removed" if v.removed else v.text)
        for v in found.versions
    ]
    show_table(("revision", "when", "by", "why", "text"), rows)


def _show_removed(entry: EntryView) -> None:
    say(f"Removed: {entry.text}")


def _show_bookmarks(found: BookmarkList) -> None:
    rows = [
        (b.bookmark_id, f"{b.created_at:%Y-%m-%d}", "gone" if b.gone else "edited" if b.edited else "", b.text)
        for b in found.bookmarks
    ]
    if rows:
        show_table(("id", "since", "", "text"), rows)
    else:
        say("No bookmarks.")


def _show_bookmark(bookmark: BookmarkView) -> None:
    say(f"Bookmarked: {bookmark.text}")


def _show_unbookmarked(done: BookmarkRemoved) -> None:
    say("The bookmark is gone." if done.removed else "There is no such bookmark.")


add_endpoint(knowledge, knowledge_api.list_knowledge, _show_list)
add_endpoint(knowledge, knowledge_api.add_knowledge, _show_entry, relations=())
add_endpoint(knowledge, knowledge_api.search_knowledge, _show_hits)
add_endpoint(knowledge, knowledge_api.read_knowledge, _show_entry)
add_endpoint(knowledge, knowledge_api.list_knowledge_versions, _show_history)
add_endpoint(knowledge, knowledge_api.remove_knowledge, _show_removed)
add_endpoint(knowledge, bookmarks_api.list_bookmarks, _show_bookmarks)
add_endpoint(knowledge, bookmarks_api.add_bookmark, _show_bookmark)
add_endpoint(knowledge, bookmarks_api.remove_bookmark, _show_unbookmarked)


@command(knowledge, "import")
def import_(options: ImportOptions) -> None:
    """Read files into knowledge. Running it again adds only what is missing and changes what says something else.

    A section of Markdown is an entry, known by its file and headings; fields for all of them may stand between two
    lines of three dashes at its top. A row of CSV or a line of JSON is an entry with the fields text, and where it has
    them id, kind, topic, owner, org_tier, role, brand, platform, language, valid_from and valid_until; JSON may also
    have relations, a list of objects with subject, relation and object. A row that does not fit is told and left out.
    """
    tally = run(lambda resources: _import(resources, options), load_settings())
    _report(tally, options)
    if tally.refused:
        raise typer.Exit(FAILED)


@command(knowledge, "embed")
def embed(options: EmbedOptions) -> None:
    """Make the vectors that entries lack, as after an import without a model or with another one."""
    made = run(lambda resources: _embed(resources, options), load_settings())
    if options.json:
        emit({"embedded": made})
    else:
        say(f"{made:,} vectors made.")


async def _import(resources: Resources, options: ImportOptions) -> ImportTally:
    scope = scope_from(options, resources.settings.dm_scope)
    fields = tuple((name, getattr(options, name)) for name in ("owner", "brand") if getattr(options, name))
    by = Author(name=options.user, reason=f"imported from {options.place.name}", at=resources.clock())
    wish = ImportWish(tenant_id=scope.tenant_id, by=by, tones=options.tones, fields=fields)
    files = find_files(options.place)
    with _bar(sum(each.bytes for each in files)) as advance:
        return await KnowledgeImport(resources, wish).run(options.place, advance)


async def _embed(resources: Resources, options: EmbedOptions) -> int:
    return await embed_waiting(resources, name_id("tenant", options.tenant), lambda _: None)


@contextmanager
def _bar(size: int) -> Generator[Advance]:
    """By bytes read, with the name of the file."""
    with byte_bar() as progress:
        task = progress.add_task("", total=size)

        def advance(file: KnowledgeFile, size: int) -> None:
            progress.update(task, advance=size, description=printable(file.name))

        yield advance


def _report(tally: ImportTally, options: ImportOptions) -> None:
    for each in tally.refusals[:MAX_REFUSALS_NAMED]:
        print(printable(f"{each.file}, {each.place}: {each.why}"), file=sys.stderr)
    count = tally.count
    if options.json:
        told = {"files": tally.files, "added": count.added, "changed": count.changed, "unchanged": count.unchanged}
        emit({**told, "refused": tally.refused, "refusals": [asdict(each) for each in tally.refusals]})
        return
    if tally.refused > MAX_REFUSALS_NAMED:
        say(f"… and {tally.refused - MAX_REFUSALS_NAMED:,} more; --json tells all.")
    say(
        f"{count.added:,} entries added, {count.changed:,} changed, {count.unchanged:,} as before,"
        f" {tally.refused:,} refused, from {tally.files:,} files."
    )
