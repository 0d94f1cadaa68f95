"""The list of erasures outside the database goes on after a crash or a full disk cut off its last line."""

from pathlib import Path
from uuid import UUID

import pytest

from brain.audit_key import AuditKey
from brain.erasure_list import ErasureList
from memory.erasure import ErasureRequest
from tests.contract.builders import an_erasure_request


def an_erasure(number: int) -> ErasureRequest:
    return an_erasure_request(UUID(int=1), UUID(int=2), tombstone_id=UUID(int=number))


@pytest.mark.parametrize("left", [1, 100])
def test_a_line_that_was_cut_off_is_replaced_by_the_next(left: int, tmp_path: Path):
    kept = ErasureList(tmp_path / "list.jsonl", AuditKey.derive(bytes(32)))
    for number in (3, 4):
        kept.append(an_erasure(number))
    lines = kept.file.read_bytes().splitlines(keepends=True)
    kept.file.write_bytes(lines[0] + lines[1][:left])
    assert [each.tombstone_id.int for each in kept.read()] == [3]
    for number in (5, 4):
        kept.append(an_erasure(number))
    assert [each.tombstone_id.int for each in kept.read()] == [3, 5, 4]
