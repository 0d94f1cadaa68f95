"""``brain memories correct|confirm|forget|restore|pin|exclude|auto``: a person's own word about their memories."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

import typer

from apps.cli.memories import MemoryId, memories
from apps.cli.memory_ids import find_memory
from apps.cli.options import AsJson, PersonOptions, command, scope_from
from apps.cli.output import emit, say
from apps.cli.runner import load_settings, run
from brain.documents.profile_refresh import try_refresh_profile
from brain.resources import Resources
from memory.contracts import Author, ItemUse, MemoryItem, WriteReceipt
from memory.revision import last_version_in_use
from memory.scope import Scope
from memory.storable_text import require_storable_text


@dataclass(frozen=True, kw_only=True)
class WhyOptions(PersonOptions):
    """Why something is changed."""

    reason: Annotated[str, typer.Option(help="Why; kept in the history.")] = "asked for on the command line"
    key: Annotated[str, typer.Option(help="Idempotency key: the same key never writes twice.")] = ""
    json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class ChangeOptions(WhyOptions):
    """Which memory to change, and why."""

    memory: MemoryId


@dataclass(frozen=True, kw_only=True)
class CorrectOptions(ChangeOptions):
    """What is right instead."""

    content: Annotated[str, typer.Argument(help="What is true instead.")]


@dataclass(frozen=True, kw_only=True)
class MemoryRestoreOptions(ChangeOptions):
    """Which version to bring back."""

    version: Annotated[
        int, typer.Option(min=0, help="The version to bring back; the last one that was in use when none is named.")
    ] = 0


@dataclass(frozen=True)
class Change:
    """A write that somebody asks for: where, which memory, and the author with reason and key."""

    resources: Resources
    scope: Scope
    item: MemoryItem
    author: Author


@command(memories, "correct")
def correct(options: CorrectOptions) -> None:
    """Say what is true instead; it counts as confirmed by the user."""

    async def write(change: Change) -> WriteReceipt:
        content = require_storable_text(options.content)
        return await change.resources.memory.items.correct(change.scope, change.item.memory_id, content, change.author)

    _report(_apply_change(options, write), "Corrected", options)


@command(memories, "confirm")
def confirm(options: ChangeOptions) -> None:
    """Vouch for a memory."""
    _report(
        _apply_change(options, lambda c: c.resources.memory.items.confirm(c.scope, c.item.memory_id, c.author)),
        "Confirmed",
        options,
    )


@command(memories, "forget")
def forget(options: ChangeOptions) -> None:
    """Forget a memory: gone from every reading at once, kept in its history."""
    _report(
        _apply_change(options, lambda c: c.resources.memory.items.forget(c.scope, c.item.memory_id, c.author)),
        "Forgotten",
        options,
    )


@command(memories, "restore")
def restore(options: MemoryRestoreOptions) -> None:
    """Bring an earlier version back as a new one; what was forgotten comes back as it last was."""

    async def write(change: Change) -> WriteReceipt:
        items, memory_id = change.resources.memory.items, change.item.memory_id
        version = options.version or last_version_in_use(await items.history(change.scope, memory_id))
        return await items.restore(change.scope, memory_id, version, change.author)

    _report(_apply_change(options, write), "Restored", options)


@command(memories, "pin")
def pin(options: ChangeOptions) -> None:
    """Put a memory into every prompt, whatever is asked, as far as BRAIN_PIN_TOKENS reach."""
    _set_use(options, "pinned", "Pinned")


@command(memories, "exclude")
def exclude(options: ChangeOptions) -> None:
    """Keep a memory out of every prompt, recall and reply, without losing it."""
    _set_use(options, "excluded", "Excluded from use")


@command(memories, "auto")
def use_automatically(options: ChangeOptions) -> None:
    """Use a memory where it bears on what is said: neither pinned nor excluded."""
    _set_use(options, "auto", "Used where it bears on what is said")


def _set_use(options: ChangeOptions, use: ItemUse, done: str) -> None:
    async def write(change: Change) -> WriteReceipt:
        return await change.resources.memory.items.set_use(change.scope, change.item.memory_id, use, change.author)

    _report(_apply_change(options, write), done, options)


def _apply_change(options: ChangeOptions, write: Callable[[Change], Awaitable[WriteReceipt]]) -> WriteReceipt:
    async def work(resources: Resources) -> WriteReceipt:
        scope = scope_from(options, resources.settings.dm_scope)
        item = await find_memory(resources.memory.items, scope, options.memory)
        receipt = await write(Change(resources, scope, item, author_of(resources, options)))
        await try_refresh_profile(resources, scope)
        return receipt

    return run(work, load_settings())


def author_of(resources: Resources, options: WhyOptions) -> Author:
    """The person at the terminal, with reason, key and the trace of this command."""
    trace_id = f"cli:{resources.new_id()}"
    return Author(
        operator=options.user,
        reason=options.reason,
        idempotency_key=options.key or trace_id,
        at=resources.clock(),
        trace_id=trace_id,
    )


def _report(receipt: WriteReceipt, done: str, options: ChangeOptions) -> None:
    if options.json:
        emit(receipt)
    else:
        say(f"{done}: memory {receipt.memory_id}, receipt {receipt.receipt_id}, {receipt.status}.")
