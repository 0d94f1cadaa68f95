"""Archives and files are somebody else's: what would hurt is refused before anything of it is read."""

import io
import json
import stat
import struct
import zipfile
from pathlib import Path

import pytest

from apps.past import json_values
from apps.past.archive import open_archive
from apps.past.json_values import read_values
from apps.past.recognition import recognise_archive
from memory.errors import BrainError
from tests.past_exports import CHATGPT, CLAUDE, OKF


def a_zip(folder: Path, *entries: tuple[str | zipfile.ZipInfo, bytes], packing: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(folder / "a.zip", "w", packing) as packed:
        for name, content in entries:
            packed.writestr(name, content)
    return folder / "a.zip"


def refusal(path: Path) -> str:
    with pytest.raises(BrainError) as refused, open_archive(path, "UTC") as archive:
        recognise_archive(archive)
    assert refused.value.code == "E_BAD_REQUEST"
    return refused.value.message


@pytest.mark.parametrize("name", ["../a.json", "/etc/a.json", "x/../../a.json", "..\\a.json", "C:/a.json"])
def test_a_path_that_leads_out_refuses_the_archive(tmp_path: Path, name: str):
    assert "points out of the archive" in refusal(a_zip(tmp_path, (name, b"[]")))


def test_a_link_refuses_the_archive_and_the_folder(tmp_path: Path):
    link = zipfile.ZipInfo("a.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert "is a link" in refusal(a_zip(tmp_path, (link, b"/etc/passwd")))
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "a.json").symlink_to("/etc/passwd")
    assert "is a link" in refusal(folder)


def test_a_bomb_is_refused_by_its_ratio_and_by_the_sum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert "grows more than" in refusal(a_zip(tmp_path, ("a.json", b" " * (8 << 20))))
    monkeypatch.setattr("apps.past.archive.MAX_BYTES", 10)
    assert "to read" in refusal(a_zip(tmp_path, ("a.json", b"[          ]"), packing=zipfile.ZIP_STORED))


def test_too_many_members_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("apps.past.archive.MAX_MEMBERS", 2)
    assert "more than 2 files" in refusal(a_zip(tmp_path, *((f"{n}.png", b"") for n in range(3))))
    folder = tmp_path / "export"
    folder.mkdir()
    for number in range(3):
        (folder / f"{number}.png").touch()
    assert "more than 2 files" in refusal(folder)


def test_a_lie_about_the_size_ends_the_reading(tmp_path: Path):
    whole = json.dumps(CHATGPT).encode()
    path = a_zip(tmp_path, ("conversations.json", whole))
    lying = path.read_bytes().replace(struct.pack("<I", len(whole)), struct.pack("<I", 20))
    path.write_bytes(lying)
    assert refusal(path)


def test_damaged_and_missing_files_are_told(tmp_path: Path):
    path = a_zip(tmp_path, ("conversations.json", json.dumps(CHATGPT).encode()))
    broken = bytearray(path.read_bytes())
    broken[60:80] = bytes(20)
    path.write_bytes(broken)
    assert refusal(path)
    assert "no file and no folder" in refusal(tmp_path / "nothing")


def test_an_encrypted_member_is_told(tmp_path: Path):
    path = a_zip(tmp_path, ("conversations.json", b"[]"))
    raw = bytearray(path.read_bytes())
    central = raw.index(b"PK\x01\x02")
    raw[6] |= 1
    raw[central + 8] |= 1
    path.write_bytes(raw)
    assert "is encrypted" in refusal(path)


def test_shards_a_folder_and_an_archive_are_one_export(tmp_path: Path):
    for number in range(2):
        (tmp_path / f"conversations-{number:03}.json").write_text(json.dumps(CHATGPT))
    (tmp_path / "user.json").write_text('{"id": "user-1"}')
    with open_archive(tmp_path, "UTC") as archive:
        found = recognise_archive(archive)
    assert (found.format.name, [each.name for each in found.members]) == (
        "chatgpt",
        ["conversations-000.json", "conversations-001.json"],
    )


def test_two_systems_at_once_are_refused_and_concepts_beside_an_export_are_not_it(tmp_path: Path):
    (tmp_path / "notes.md").write_text(OKF)
    (tmp_path / "a.json").write_text(json.dumps(CHATGPT))
    with open_archive(tmp_path, "UTC") as archive:
        assert recognise_archive(archive).format.name == "chatgpt"
    (tmp_path / "b.json").write_text(json.dumps(CLAUDE))
    assert "exports of ChatGPT and Claude" in refusal(tmp_path)


def test_activity_as_html_says_what_to_choose(tmp_path: Path):
    (tmp_path / "MyActivity.html").write_text("<html></html>")
    assert "exported as HTML" in refusal(tmp_path)


def values(raw: bytes) -> list[object]:
    return list(read_values(io.BytesIO(raw), "a.json"))


def test_values_come_one_by_one_from_an_array_and_from_lines(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(json_values, "CHUNK_BYTES", 3)
    told = [{"text": "Käse 面条 😀", "n": [1, 2.5]}, 12345, "x"]
    assert values(json.dumps(told, ensure_ascii=False).encode()) == told
    assert values("\n".join(json.dumps(each) for each in told).encode()) == told
    assert values(b"\xef\xbb\xbf [ ] ") == []
    assert values(b"") == []


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b'[{"a": 1}, {"a"', "value 2 is no JSON"),
        (b'[{"a": 1}', "in the middle of a list"),
        (b'["\xff"]', "is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'[{"a": NaN}]', "is no JSON"),
        (b"[" + b"9" * 10_000 + b"]", "is no JSON"),
        (b"PK\x03\x04", "is no JSON"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(raw: bytes, why: str):
    with pytest.raises(BrainError, match=why) as refused:
        values(raw)
    assert refused.value.code == "E_BAD_REQUEST"


def test_a_value_without_end_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(json_values, "CHUNK_BYTES", 10)
    monkeypatch.setattr(json_values, "MAX_CHARACTERS", 100)
    endless = io.BytesIO(b'["' + b"x" * 10_000)
    with pytest.raises(BrainError, match="longer than"):
        list(read_values(endless, "a.json"))
    assert endless.tell() < 1_000
