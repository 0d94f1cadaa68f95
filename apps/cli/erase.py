"""``brain erase`` and ``brain erasures``: a person for good, and how far that is."""

import json
from dataclasses import dataclass
from typing import Annotated

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.options import AsJson, PersonOptions, command, scope_from
from apps.cli.output import emit, say, show_model, show_table
from apps.cli.runner import load_settings, run
from apps.memory_api import erasures as table
from brain.resources import Resources
from evolution.erasure.job import run_erasure
from evolution.erasure.request import ErasureWish, request_erasure
from memory.erasure import Tombstone
from memory.errors import bad_request

erasures = typer.Typer(no_args_is_help=True, help="How far erasures are, legal holds, and what is promised.")


@dataclass(frozen=True, kw_only=True)
class EraseOptions(PersonOptions):
    """Who, and how much of them."""

    compartment: Annotated[str, typer.Option("--scope", help="Only this compartment, such as main.")] = ""
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for the sentence.")] = False
    json: AsJson = False


def register(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "erase")
    def erase(options: EraseOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Erase everything that is kept of a person, for good, and show the certificate."""
        settings = load_settings()
        scope = scope_from(options, settings.dm_scope)
        wish = ErasureWish(
            scope=scope, user=options.user, compartment=options.compartment or None, requested_by="tenant_admin"
        )
        typed = wish.sentence if options.yes else _ask(wish)
        done = run(lambda resources: _erase(resources, wish, typed), settings)
        if options.json:
            emit({"id": done.tombstone_id, "state": done.state, "erased": done.erased, "certificate": done.certificate})
            return
        say(f"{sum(done.erased.values()):,} rows of {options.user} are gone. The certificate of {done.tombstone_id}:")
        say(json.dumps(done.certificate, indent=1, ensure_ascii=False))


def _ask(wish: ErasureWish) -> str:
    say(f"This cannot be undone. To erase, type: {wish.sentence}")
    typed = typer.prompt("", prompt_suffix="> ", default="", show_default=False)
    if typed.strip() != wish.sentence:
        raise bad_request("That is not the sentence; nothing was erased.")
    return typed


async def _erase(resources: Resources, wish: ErasureWish, typed: str) -> Tombstone:
    """The work is queued as well: where this process dies, a worker goes on."""
    asked = await request_erasure(resources, wish, typed)
    await run_erasure(resources, asked.tenant_id, asked.tombstone_id)
    done = await resources.memory.erasures.find(asked.tenant_id, asked.tombstone_id)
    return done or asked


def _show_list(found: table.ErasureList) -> None:
    rows = [
        (each.id, each.state, f"{each.requested_at:%Y-%m-%d %H:%M}", f"{each.due_at:%Y-%m-%d}", each.requested_by)
        for each in found.erasures
    ]
    if rows:
        show_table(("erasure", "state", "asked", "due", "by"), rows)
    else:
        say("Nothing was erased.")


def _show_holds(found: table.HoldList) -> None:
    rows = [
        (each.id, each.reason, each.placed_by, f"{each.placed_at:%Y-%m-%d}", each.lifted_by or "")
        for each in found.holds
    ]
    if rows:
        show_table(("hold", "reason", "by", "since", "lifted by"), rows)
    else:
        say("There are no legal holds.")


add_endpoint(erasures, table.list_erasures, _show_list)
add_endpoint(erasures, table.get_erasure, show_model)
add_endpoint(erasures, table.place_hold, show_model)
add_endpoint(erasures, table.list_holds, _show_holds)
add_endpoint(erasures, table.lift_hold, show_model)
add_endpoint(erasures, table.get_legal_profile, show_model)
add_endpoint(erasures, table.set_legal_profile, show_model)
