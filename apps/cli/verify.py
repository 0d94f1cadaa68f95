"""``brain verify``: whether audit events and receipts are still what was sealed and signed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, TypeVar
from uuid import UUID

import typer

from apps.audit_chain.bundle import export_bundle
from apps.audit_chain.verification import Verification, verify_chain
from apps.cli.options import AsJson, TenantOptions, command
from apps.cli.output import emit, say
from apps.cli.runner import load_settings
from brain.audit_key import load_audit_key
from brain.cells import settings_of_tenant
from brain.local_postgres.startup import resolve_addresses
from brain.settings import Settings
from memory.errors import BrainError, bad_request
from memory.postgres.chain_reader import ChainReader, SignedHead, open_chain
from memory.scope import Speaker, scope_of
from verifier.verify_bundle import Broken, Report, find_hashes, verify_bundle

T = TypeVar("T")
_RESTORE = "Compare with a backup from before, and find out who could write."


@dataclass(frozen=True, kw_only=True)
class VerifyOptions(TenantOptions):
    """What to verify, against what."""

    bundle: Annotated[Path | None, typer.Argument(help="An exported bundle; without it the chain in the database.")] = (
        None
    )
    head: Annotated[
        list[str], typer.Option(help="A hash that was published, or a file with some: each must be in the chain.")
    ] = field(default_factory=list[str])
    public_key: Annotated[
        list[str], typer.Option(help="A public key that may have signed, 64 hexadecimal digits; beside the own one.")
    ] = field(default_factory=list[str])
    export: Annotated[Path | None, typer.Option(help="Write the chain into this file instead of verifying it.")] = None
    print_head: Annotated[
        bool, typer.Option("--print-head", help="Print the newest signed head, to be published elsewhere.")
    ] = False
    print_key: Annotated[bool, typer.Option("--print-key", help="Print the public key that checks signatures.")] = False
    json: AsJson = False

    def __post_init__(self) -> None:
        """One thing at a time."""
        super().__post_init__()
        if sum((self.bundle is not None, self.export is not None, self.print_head, self.print_key)) > 1:
            raise bad_request("A bundle, --export, --print-head and --print-key exclude each other.", "Choose one.")


def register(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "verify")
    def verify(options: VerifyOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Tell whether the audit chain holds; exit code 1 with the first position that does not."""
        settings = load_settings()
        if options.print_key:
            _show_keys(settings)
        elif options.print_head:
            _show_head(settings, options)
        elif options.export is not None:
            _export(settings, options, options.export)
        elif options.bundle is not None:
            _verify_bundle(settings, options, options.bundle)
        else:
            _verify_own(settings, options)


def _show_keys(settings: Settings) -> None:
    """The newest first, then those of former secrets, whose signatures the chain still has."""
    key = load_audit_key(settings)
    for each in (key.public_key, *reversed(key.former_public_keys)):
        print(each.hex())


def _show_head(settings: Settings, options: VerifyOptions) -> None:
    found: SignedHead | None = _with_chain(settings, options, lambda reader: reader.head())
    tenant_id = _tenant_id(options)
    if found is None:
        raise BrainError("E_NOT_FOUND", f"Nothing is sealed of the tenant {options.tenant}.", "A worker seals.")
    if options.json:
        told = {"tenant_id": tenant_id, "position": found.position, "hash": found.hash.hex()}
        signed = {"signature": found.signature.hex(), "public_key": found.public_key.hex()}
        emit({**told, "signed_at": found.signed_at, **signed})
        return
    print(f"{tenant_id} {found.position} {found.hash.hex()} {found.signed_at}")


def _export(settings: Settings, options: VerifyOptions, file: Path) -> None:
    key, at = load_audit_key(settings), datetime.now(UTC)
    try:
        links = _with_chain(settings, options, lambda reader: export_bundle(reader, key, file, at))
    except OSError as error:
        raise bad_request(f"{file} cannot be written: {error.strerror}.", "Name a file in a folder of yours.") from None
    if options.json:
        emit({"file": str(file), "links": links, "public_key": key.public_key.hex()})
        return
    say(f"{links:,} links in {file}, which holds what they attest in clear.")
    say(f"Anybody checks it with verify_bundle.py and the public key {key.public_key.hex()}.")


def _verify_bundle(settings: Settings, options: VerifyOptions, file: Path) -> None:
    keys = _keys(options) or load_audit_key(settings).public_keys
    try:
        with file.open("rb") as opened:
            report = verify_bundle(opened, keys, _heads(options))
    except OSError as error:
        raise bad_request(f"{file} cannot be read: {error.strerror}.", "Name an exported bundle.") from None
    except Broken as broken:
        raise _broken_error(str(file), broken) from None
    _show_report(options, Verification(report, waiting=0))


def _verify_own(settings: Settings, options: VerifyOptions) -> None:
    keys = _keys(options) | load_audit_key(settings).public_keys
    heads = _heads(options)
    try:
        found = _with_chain(settings, options, lambda reader: verify_chain(reader, keys, heads))
    except Broken as broken:
        raise _broken_error(f"the audit chain of the tenant {options.tenant}", broken) from None
    _show_report(options, found)


def _show_report(options: VerifyOptions, found: Verification) -> None:
    report: Report = found.report
    if options.json:
        emit({**asdict(report), "waiting": found.waiting})
        return
    say(f"The chain holds: {report.links:,} links, {report.checkpoints:,} signed checkpoints.")
    say(f"{report.intact:,} rows are as they were sealed, {report.erased:,} were erased since.")
    if report.unattested:
        say(f"{report.unattested:,} rows are not attested: they are from before {report.began or 'the first sealing'}.")
    if found.waiting:
        say(f"{found.waiting:,} rows wait to be sealed.")
    say(f"Head: {report.head} at position {report.links}")


def _broken_error(what: str, broken: Broken) -> BrainError:
    return BrainError("E_CONFLICT", f"Broken: {what} at {broken}", _RESTORE)


def _keys(options: VerifyOptions) -> set[bytes]:
    found = {each for told in options.public_key for each in find_hashes(told)}
    if len(found) < len(set(options.public_key)):
        raise bad_request("A public key is not 64 hexadecimal digits.", "'brain verify --print-key' prints one.")
    return {bytes.fromhex(each) for each in found}


def _heads(options: VerifyOptions) -> set[str]:
    """The hashes of each head, told as such or in a file."""
    heads: set[str] = set()
    for told in options.head:
        found = find_hashes(Path(told).read_text("utf-8") if Path(told).is_file() else told)
        if not found:
            raise bad_request(f"{told} is neither a hash nor a file with one.", "'brain verify --print-head' has one.")
        heads |= found
    return heads


def _tenant_id(options: VerifyOptions) -> UUID:
    return scope_of(Speaker(tenant=options.tenant, user="nobody")).tenant_id


def _with_chain(settings: Settings, options: VerifyOptions, work: Callable[[ChainReader], Awaitable[T]]) -> T:
    async def go() -> T:
        where = await resolve_addresses(await settings_of_tenant(settings, _tenant_id(options)))
        async with open_chain(where.owner, _tenant_id(options)) as reader:
            return await work(reader)

    return asyncio.run(go())
