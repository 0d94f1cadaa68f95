"""``/attach``: a file becomes a block of a message."""

from base64 import b64decode
from pathlib import Path

import pytest

from apps.cli.attaching import read_attachment
from memory.errors import BrainError
from tests.pictures import a_png


def test_a_file_is_read_with_the_words_behind_it(tmp_path: Path):
    (tmp_path / "my cat.png").write_bytes(a_png())
    sent = read_attachment(f'"{tmp_path}/my cat.png" What is this?', 1_000)
    assert (sent.words, sent.block["filename"]) == ("What is this?", "my cat.png")
    assert b64decode(sent.block["base64"]) == a_png()


def test_a_file_needs_no_words(tmp_path: Path):
    (tmp_path / "cat.png").write_bytes(a_png())
    assert read_attachment(f"{tmp_path}/cat.png", 1_000).words == ""


@pytest.mark.parametrize(("typed", "why"), [("nowhere.png", "There is no file"), (".", "There is no file")])
def test_what_is_no_file_is_refused(typed: str, why: str):
    with pytest.raises(BrainError, match=why):
        read_attachment(typed, 1_000)


def test_a_large_file_is_not_read(tmp_path: Path):
    (tmp_path / "cat.png").write_bytes(a_png())
    with pytest.raises(BrainError, match="BRAIN_MEDIA_BYTES"):
        read_attachment(f"{tmp_path}/cat.png", 10)
