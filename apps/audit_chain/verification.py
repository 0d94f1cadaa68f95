"""Verifies the chain in the database: what is there now against what was sealed and signed."""

from collections.abc import AsyncGenerator, Collection
from dataclasses import dataclass

from memory.postgres.chain_reader import ChainLink, ChainReader
from verifier.verify_bundle import ChainCheck, Entry, Report


@dataclass(frozen=True)
class Verification:
    """What was found to hold, and how many rows wait to be sealed."""

    report: Report
    waiting: int


async def verify_chain(reader: ChainReader, public_keys: Collection[bytes], heads: Collection[str]) -> Verification:
    """Read the whole chain of a tenant. Raises ``Broken`` with the first position that does not hold."""
    check = ChainCheck(str(reader.tenant_id), public_keys, heads)
    async for entry in chain_entries(reader):
        check.read(entry)
    counts = await reader.counts()
    report = check.finish(counts.unattested)
    return Verification(report, waiting=max(0, counts.salted - report.intact))


async def chain_entries(reader: ChainReader) -> AsyncGenerator[Entry]:
    """Links and checkpoints in the order and the form in which a bundle has them."""
    async for link in reader.links():
        yield _link_entry(link)
        if link.signature is not None:
            yield _checkpoint_entry(link)


def _link_entry(link: ChainLink) -> Entry:
    return {
        "type": "link",
        "position": link.position,
        "kind": link.kind,
        "row_id": str(link.row_id),
        "commitment": link.commitment.hex(),
        "hash": link.hash.hex(),
        "sealed_at": link.sealed_at,
        "salt": None if link.salt is None else str(link.salt),
        "text": link.attested,
    }


def _checkpoint_entry(link: ChainLink) -> Entry:
    return {
        "type": "checkpoint",
        "position": link.position,
        "hash": (link.signed_hash or b"").hex(),
        "signed_at": link.signed_at,
        "signature": (link.signature or b"").hex(),
        "public_key": (link.public_key or b"").hex(),
    }
