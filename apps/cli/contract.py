"""``brain contract``: the safety contract of a tenant, read, set from a file, and traced."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.options import AsJson, PersonOptions, command, scope_from
from apps.cli.output import emit, say, show_table
from apps.cli.runner import load_settings, run
from apps.memory_api import contracts
from apps.memory_api.contracts import ContractHistory, ContractSet, ContractView
from apps.memory_api.endpoint import ApiCall
from brain.identity import Identity
from brain.resources import Resources
from memory.errors import bad_request

contract = typer.Typer(
    no_args_is_help=True, help="What Brain keeps to whoever asks, and what your organisation adds to it."
)
_LONGEST_BYTES = 100_000


@dataclass(frozen=True, kw_only=True)
class SetOptions(PersonOptions):
    """Where the document is."""

    file: Annotated[Path, typer.Argument(help="Markdown with points under ## Anchors and ## Constraints.")]
    json: AsJson = False


@command(contract, "set")
def set_contract(options: SetOptions) -> None:
    """Add the points of a file to the safety contract, in place of what was added before."""
    settings, text = load_settings(), _read(options.file)
    who = Identity(scope=scope_from(options, settings.dm_scope), tenant=options.tenant, user=options.user)
    found = run(lambda resources: _set(resources, who, text), settings)
    if options.json:
        emit(found.model_dump(mode="json"))
    else:
        _show(found)


async def _set(resources: Resources, who: Identity, text: str) -> ContractView:
    call = ApiCall(identity=who, resources=resources, trace_id=f"cli:{resources.new_id()}", door="cli")
    return (await contracts.set_contract(ContractSet(text=text), call)).data


def _read(file: Path) -> str:
    try:
        if file.stat().st_size > _LONGEST_BYTES:
            raise bad_request(f"{file} is too long for a safety contract.")
        return file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise bad_request(f"{file} cannot be read: {error}.", "Give a text file in UTF-8.") from None


def _show(found: ContractView) -> None:
    if not found.is_readable:
        say("It cannot be read: tools that change something are blocked until it is set anew.")
        return
    for title, points in (("Anchors", found.anchors), ("Constraints", found.constraints)):
        say("\n".join((f"## {title}", "", *(f"- {point}" for point in points), "")))
    added = f"version {found.version} adds to the package" if found.text.strip() else "nothing is added to the package"
    say(f"{found.sha256[:16]}: {added}")


def _show_history(found: ContractHistory) -> None:
    rows = [
        (each.version, f"{each.created_at:%Y-%m-%d %H:%M}", each.author or "", each.sha256[:16], len(each.text))
        for each in found.versions
    ]
    if rows:
        show_table(("version", "when", "by", "sha256", "characters"), rows)
    else:
        say("Nothing was ever added.")


add_endpoint(contract, contracts.show_contract, _show)
add_endpoint(contract, contracts.list_contract_versions, _show_history)
