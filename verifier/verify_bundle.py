"""Check an exported audit chain without Brain: ``python verify_bundle.py BUNDLE --public-key HEX [--head HASH …]``.

Needs Python and the package ``cryptography``, and nothing else. Get the public key, and the heads that were published,
from somewhere else than the bundle. Ends with exit code 0 when all holds, 1 with the first position that does not, 2 on
misuse.

A bundle is a file of JSON lines in one canonical form: a header, the links of one tenant by position, each followed by
the signed checkpoint of its position if there is one, and a signature over the SHA-256 of all bytes before it.

- commitment = SHA-256 (salt, 16 bytes · text in UTF-8); a link without salt and text is of a row that was erased;
- hash = SHA-256 (hash before · position, 8 bytes · row id, 16 bytes · commitment · sealed_at · kind); before the first
  link stands the SHA-256 of the tenant's id, 16 bytes;
- a checkpoint signs ``brain chain head 1``, tenant, position, hash and signed_at, each on a line of its own (Ed25519).
"""

import argparse
import json
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NoReturn
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FORMAT = "brain-chain-1"
_HEADER = {"type", "format", "tenant_id", "exported_at", "unattested"}
_LINK = {"type", "position", "kind", "row_id", "commitment", "hash", "sealed_at", "salt", "text"}
_CHECKPOINT = {"type", "position", "hash", "signed_at", "signature", "public_key"}
_SIGNATURE = {"type", "sha256", "signature", "public_key"}
_IDS = {"tenant_id", "row_id", "salt"}
_DIGITS = {"commitment", "hash", "signature", "public_key", "sha256"}
_KINDS = {"audit", "receipt"}
_DIGITS_FORM = re.compile(r"[0-9a-f]{64}|[0-9a-f]{128}")
_HASH = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")

Entry = Mapping[str, Any]


class Broken(Exception):
    """The chain does not hold; ``position`` is the first link, or the place of one that is missing."""

    def __init__(self, position: int, reason: str) -> None:
        super().__init__(position, reason)
        self.position, self.reason = position, reason

    def __str__(self) -> str:
        return f"position {self.position}: {self.reason}"


@dataclass(frozen=True, kw_only=True)
class Report:
    """What was found to hold. Of erased rows only commitments are left; nobody attests rows from before ``began``."""

    tenant_id: str
    links: int
    intact: int
    erased: int
    checkpoints: int
    head: str
    began: str
    unattested: int


def link_hash(before: bytes, link: Entry) -> bytes:
    """The hash of a link, by the hash of the one before."""
    place = int(link["position"]).to_bytes(8, "big") + UUID(link["row_id"]).bytes
    words = f"{link['sealed_at']}{link['kind']}".encode()
    return sha256(before + place + bytes.fromhex(link["commitment"]) + words).digest()


def commitment(salt: str, text: str) -> bytes:
    """What a link says about a row without telling it."""
    return sha256(UUID(salt).bytes + text.encode()).digest()


def head_message(tenant_id: str, position: int, head: str, signed_at: str) -> bytes:
    """What the signature of a checkpoint is over."""
    return f"brain chain head 1\n{tenant_id}\n{position}\n{head}\n{signed_at}\n".encode()


def bundle_message(digest: bytes) -> bytes:
    """What the signature of a bundle is over."""
    return b"brain chain bundle 1\n" + digest


def canonical(entry: Entry) -> bytes:
    """The one way in which an entry is written."""
    return (json.dumps(entry, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n").encode()


def find_hashes(text: str) -> set[str]:
    """The hashes in what was published."""
    return set(_HASH.findall(text.lower()))


@dataclass
class ChainCheck:
    """Reads links and checkpoints by position, and raises ``Broken`` at the first that does not hold.

    ``heads`` were published: each has to be the hash of a link, or links are missing from the end.
    """

    tenant_id: str
    public_keys: Collection[bytes]
    heads: Collection[str] = ()
    position: int = 0
    signed: int = 0
    intact: int = 0
    checkpoints: int = 0
    began: str = ""
    _hash: bytes = field(default=b"", init=False)
    _missing: set[str] = field(default_factory=set[str], init=False)

    def __post_init__(self) -> None:
        self._hash = sha256(UUID(self.tenant_id).bytes).digest()
        self._missing = set(self.heads)

    def read(self, entry: Entry) -> None:
        """The next link or checkpoint."""
        try:
            if entry["type"] == "link":
                self._read_link(entry)
            elif entry["type"] == "checkpoint":
                self._read_checkpoint(entry)
            else:
                self._fail(self.position + 1, "neither a link nor a checkpoint")
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise Broken(self.position + 1, f"not readable ({type(error).__name__})") from None

    def finish(self, unattested: int = 0) -> Report:
        """Nothing follows. What is behind the last checkpoint could be anybody's."""
        if self.signed != self.position:
            self._fail(self.signed + 1, "not signed by a checkpoint")
        if self._missing:
            self._fail(self.position + 1, f"missing: the published head {min(self._missing)} is not in the chain")
        return Report(
            tenant_id=self.tenant_id,
            links=self.position,
            intact=self.intact,
            erased=self.position - self.intact,
            checkpoints=self.checkpoints,
            head=self._hash.hex(),
            began=self.began,
            unattested=unattested,
        )

    def _read_link(self, link: Entry) -> None:
        expected = self.position + 1
        if set(link) != _LINK or link["position"] != expected or link["kind"] not in _KINDS:
            self._fail(expected, "missing or out of order")
        if bytes.fromhex(link["hash"]) != link_hash(self._hash, link):
            self._fail(expected, "the hash is not that of the link and the one before")
        if (link["salt"] is None) != (link["text"] is None):
            self._fail(expected, "salt or text without the other")
        if link["salt"] is not None:
            if commitment(link["salt"], link["text"]).hex() != link["commitment"]:
                self._fail(expected, f"the {link['kind']} {link['row_id']} is not what was sealed")
            self.intact += 1
        self.position, self._hash = expected, bytes.fromhex(link["hash"])
        self.began = self.began or link["sealed_at"]
        self._missing.discard(link["hash"])

    def _read_checkpoint(self, checkpoint: Entry) -> None:
        position, head = checkpoint["position"], self._hash.hex()
        if set(checkpoint) != _CHECKPOINT or position != self.position or position == self.signed:
            self._fail(self.position, "a checkpoint is out of place")
        if checkpoint["hash"] != head:
            self._fail(position, "a checkpoint of another hash")
        message = head_message(self.tenant_id, position, head, checkpoint["signed_at"])
        if not is_signed(message, checkpoint, self.public_keys):
            self._fail(position, "the checkpoint is not signed with a known key")
        self.signed, self.checkpoints = position, self.checkpoints + 1

    def _fail(self, position: int, reason: str) -> NoReturn:
        raise Broken(position, reason)


def is_signed(message: bytes, entry: Entry, public_keys: Collection[bytes]) -> bool:
    """Whether an entry's signature is that of the key it names, and the key one of those that are trusted."""
    key = bytes.fromhex(entry["public_key"])
    if key not in public_keys:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(bytes.fromhex(entry["signature"]), message)
    except InvalidSignature:
        return False
    return True


def verify_bundle(bundle: BinaryIO, public_keys: Collection[bytes], heads: Collection[str] = ()) -> Report:
    """Read a whole bundle, a line at a time. Raises ``Broken``."""
    digest, lines = sha256(), iter(bundle)
    first = next(lines, b"")
    header = _parse(first, _HEADER, 0)
    if header["format"] != FORMAT:
        raise Broken(0, f"not a bundle of the format {FORMAT}")
    try:
        check = ChainCheck(header["tenant_id"], public_keys, heads)
    except (TypeError, ValueError, AttributeError):
        raise Broken(0, "the header names no tenant") from None
    last = first
    for line, is_last in _with_last(lines):
        digest.update(last)
        last = line
        if not is_last:
            check.read(_parse(line, None, check.position + 1))
    _check_signature(last, digest.digest(), public_keys, check.position + 1)
    return check.finish(header["unattested"])


def _with_last(lines: Iterator[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Each line, and whether it is the last one."""
    before = next(lines, None)
    for line in chain(lines, (None,)):
        if before is not None:
            yield before, line is None
        before = line


def _check_signature(line: bytes, digest: bytes, public_keys: Collection[bytes], position: int) -> None:
    entry = _parse(line, _SIGNATURE, position)
    try:
        holds = entry["sha256"] == digest.hex() and is_signed(bundle_message(digest), entry, public_keys)
    except (TypeError, ValueError):
        holds = False
    if not holds or entry["type"] != "signature":
        raise Broken(position, "the signature of the whole bundle does not hold")


def _parse(line: bytes, fields: Collection[str] | None, position: int) -> Entry:
    """An entry that is written exactly as it has to be, hexadecimal digits and ids included."""
    try:
        entry: Any = json.loads(line)
        names: set[str] = set(entry)
        holds = canonical(entry) == line and all(_has_one_form(name, entry[name]) for name in names & (_IDS | _DIGITS))
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise Broken(position, "not a line of a bundle") from None
    if not holds or (fields is not None and names != fields):
        raise Broken(position, "not written as a bundle is")
    return entry


def _has_one_form(name: str, value: str | None) -> bool:
    """Whether an id or digits are written as they always are; both could be written in other ways."""
    if value is None:
        return name == "salt"
    return str(UUID(value)) == value if name in _IDS else _DIGITS_FORM.fullmatch(value) is not None


def main() -> int:
    """Verify one file, and say what was found."""
    parser = argparse.ArgumentParser(prog="verify_bundle.py", description="Check an exported audit chain.")
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--public-key", action="append", required=True, help="64 hexadecimal digits; may be repeated")
    parser.add_argument("--head", action="append", default=[], help="a published hash, or a file with published heads")
    told = parser.parse_args()
    heads = {found for each in told.head for found in find_hashes(_text_of(each))}
    keys = {bytes.fromhex(key) for each in told.public_key for key in find_hashes(each)}
    if len(keys) < len(set(told.public_key)) or (told.head and not heads):
        parser.error("a public key or a head is not 64 hexadecimal digits")
    try:
        with told.bundle.open("rb") as bundle:
            report = verify_bundle(bundle, keys, heads)
    except Broken as broken:
        print(f"BROKEN at {broken}", file=sys.stderr)
        return 1
    print(f"{report.links} links of {report.tenant_id} hold: {report.intact} rows as sealed, {report.erased} erased.")
    print(f"{report.unattested} rows from before {report.began or 'the first link'} are not attested.")
    print(f"{report.checkpoints} signed checkpoints. Head: {report.head}")
    return 0


def _text_of(head: str) -> str:
    return Path(head).read_text("utf-8") if Path(head).is_file() else head


if __name__ == "__main__":
    sys.exit(main())
