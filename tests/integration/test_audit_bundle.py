"""An exported chain: a stranger finds every change of it, with one file and a public key."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from io import BytesIO
from json import loads
from pathlib import Path
from random import Random

import psycopg
import pytest

import verifier.verify_bundle as stand_alone
from apps.audit_chain.bundle import BundleWriter, export_bundle
from brain.audit_key import AuditKey
from memory.postgres.chain_reader import open_chain
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.audit_keys import ENVIRONMENT, KEY
from tests.integration.brain_process import Brain, as_url
from tests.integration.chains import seal, write_audit, write_receipts
from verifier.verify_bundle import Broken, Report, verify_bundle

EDITS = 1_000
Lines = list[bytes]


@pytest.fixture
async def bundle(database: Database, test_addresses: Addresses, scope: Scope, tmp_path: Path) -> Path:
    """Twenty-four links under four checkpoints, some of rows that are gone."""
    with psycopg.connect(test_addresses.owner, autocommit=True) as owner:
        for number in range(4):
            write_receipts(owner, scope, 5)
            write_audit(owner, scope, f"»{number}« 记忆")
            while await seal(database):  # others may have written to the session's database
                pass
        owner.execute(
            "delete from brain.memory_receipts where tenant_id = %s and details ->> 'text' = 'boat 2'",
            (scope.tenant_id,),
        )
    async with open_chain(test_addresses.owner, scope.tenant_id) as reader:
        assert await export_bundle(reader, KEY, tmp_path / "bundle", datetime(2026, 11, 24, tzinfo=UTC)) == 24
    return tmp_path / "bundle"


def check(text: bytes, *heads: str) -> Report:
    return verify_bundle(BytesIO(text), {KEY.public_key}, heads)


def is_found(text: bytes, *heads: str) -> bool:
    try:
        check(text, *heads)
    except Broken:
        return True
    return False


def one_byte(random: Random, text: bytes) -> bytes:
    place = random.randrange(len(text))
    return text[:place] + bytes([text[place] ^ random.randrange(1, 256)]) + text[place + 1 :]


def order(random: Random, text: bytes) -> bytes:
    lines = text.splitlines(keepends=True)
    first, second = random.sample(range(len(lines)), 2)
    lines[first], lines[second] = lines[second], lines[first]
    return b"".join(lines)


def omission(random: Random, text: bytes) -> bytes:
    lines = text.splitlines(keepends=True)
    del lines[random.randrange(len(lines))]
    return b"".join(lines)


def cut(random: Random, text: bytes) -> bytes:
    return text[: random.randrange(len(text))]


def doubling(random: Random, text: bytes) -> bytes:
    lines = text.splitlines(keepends=True)
    lines.insert(random.randrange(len(lines) + 1), random.choice(lines))
    return b"".join(lines)


def signed_anew(lines: Sequence[bytes], key: AuditKey = KEY) -> bytes:
    """What somebody with a key makes of the lines of a bundle."""
    made = BytesIO()
    writer = BundleWriter(made)
    for line in lines:
        writer.write(loads(line))
    writer.sign(key)
    return made.getvalue()


def omission_at_the_tail(random: Random, text: bytes) -> bytes:
    """By the owner, who signs the rest: it ends with an earlier checkpoint."""
    *lines, _ = text.splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines, 1) if b'"type":"checkpoint"' in line]
    return signed_anew(lines[: random.choice([0, *ends[:-1]]) or 1])


WAYS: Sequence[Callable[[Random, bytes], bytes]] = (
    one_byte,
    one_byte,
    order,
    omission,
    cut,
    doubling,
    omission_at_the_tail,
)


def test_each_of_a_thousand_random_edits_is_found(bundle: Path):
    random, text = Random(26), bundle.read_bytes()
    head = check(text).head
    missed, made = list[str](), 0
    while made < EDITS:
        way = random.choice(WAYS)
        edited = way(random, text)
        if edited == text:  # two equal lines that changed places would be no edit
            continue
        made += 1
        if not is_found(edited, head):
            missed.append(way.__name__)
    assert missed == []


def test_a_bundle_tells_what_holds(bundle: Path):
    report = check(bundle.read_bytes())
    assert (report.links, report.intact, report.erased, report.checkpoints) == (24, 20, 4, 4)
    assert bundle.stat().st_mode & 0o777 == 0o600


def test_an_end_that_the_owner_left_out_is_found_by_a_published_head_alone(bundle: Path):
    text = bundle.read_bytes()
    shorter = omission_at_the_tail(Random(1), text)
    assert not is_found(shorter)
    with pytest.raises(Broken, match="published head") as broken:
        check(shorter, check(text).head)
    assert broken.value.position == check(shorter).links + 1


def test_an_edited_link_is_found_even_if_its_owner_signs_the_bundle_anew(bundle: Path):
    random = Random(5)
    *lines, _ = bundle.read_bytes().splitlines(keepends=True)
    places = [number for number, line in enumerate(lines) if b'"type":"link"' in line]
    for number in places:
        for _ in range(20):
            entry = loads(lines[number])
            name = random.choice(sorted(set(entry) - {"type"}))
            if entry[name] is None:
                continue
            edited = {**entry, name: _another(random, entry[name])}
            changed = [*lines[:number], stand_alone.canonical(edited), *lines[number + 1 :]]
            with pytest.raises(Broken) as broken:
                check(signed_anew(changed))
            assert broken.value.position == entry["position"], name


def _another(random: Random, value: object) -> object:
    if isinstance(value, int):
        return value + random.choice((-1, 1, 7))
    text = str(value)
    place = random.randrange(len(text))
    return text[:place] + random.choice(sorted(set("0123456789abcdef") - {text[place]})) + text[place + 1 :]


def test_what_another_key_signed_is_not_believed(bundle: Path):
    *lines, _ = bundle.read_bytes().splitlines(keepends=True)
    assert is_found(signed_anew(lines, AuditKey.derive(b"f" * 32)))


def test_the_verifier_works_alone(bundle: Path, tmp_path: Path):
    alone = shutil.copy(stand_alone.__file__, tmp_path / "alone.py")
    told = [sys.executable, "-I", str(alone), str(bundle), "--public-key", KEY.public_key.hex()]
    (tmp_path / "heads").write_text(f"published: {check(bundle.read_bytes()).head}\n")
    done = subprocess.run([*told, "--head", str(tmp_path / "heads")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "24 links" in done.stdout
    bundle.write_bytes(one_byte(Random(3), bundle.read_bytes()))
    done = subprocess.run(told, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "BROKEN at position" in done.stderr


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(test_addresses.owner), tmp_path, settings=ENVIRONMENT)


def test_the_command_verifies_exports_and_publishes(brain: Brain, test_addresses: Addresses, tmp_path: Path):
    assert brain.ask("verify", "--print-head").code == 1
    brain.says("My boat is called Petrel", "What is my boat called?")
    assert brain.ask("worker", "--until-idle").code == 0
    found = brain.ask("verify", "--json").json
    assert found["links"] == found["intact"] > 3
    assert found["waiting"] == 0
    head = brain.ask("verify", "--print-head").out
    assert found["head"] in head
    (tmp_path / "head").write_text(head)
    exported = brain.ask("verify", "--export", "chain", "--json").json
    assert exported["links"] == found["links"]
    assert brain.ask("verify", "--print-key").out.strip() == exported["public_key"] == KEY.public_key.hex()
    for what in ([], ["chain"]):
        assert brain.ask("verify", *what, "--head", "head").code == 0
    lines = (tmp_path / "chain").read_bytes().splitlines(keepends=True)
    (tmp_path / "chain").write_bytes(b"".join(lines[:-3]))
    with psycopg.connect(test_addresses.owner, autocommit=True) as owner:
        changed = owner.execute(
            "update brain.memory_receipts r set details = '{}' from brain.chain_links l where l.tenant_id = %s"
            " and l.kind = 'receipt' and r.tenant_id = l.tenant_id and r.receipt_id = l.row_id returning l.position",
            (found["tenant_id"],),
        ).fetchall()
    refused = brain.ask("verify")
    assert refused.code == 1
    assert f"position {min(changed)[0]}:" in refused.err
    assert brain.ask("verify", "chain").code == 1
