"""A message as clients send it, and as it is kept."""

from base64 import b64encode
from hashlib import sha256
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from apps.threads.without_bytes import strip_channels
from brain.media.intake import media_of, read_attached, strip_bytes, without_bytes
from brain.media.message import read_message
from brain.settings_media import MediaLimits
from memory.errors import BrainError
from tests.pictures import a_pdf, a_png, a_wav, data_url, image_url

LIMITS = MediaLimits(blocks=2)
PNG, WAV, PDF = (b64encode(each).decode() for each in (a_png(), a_wav(), a_pdf()))
WORDS: dict[str, Any] = {"type": "text", "text": "Look"}


@pytest.mark.parametrize(
    ("block", "kind", "data"),
    [
        (image_url(a_png()), "image", a_png()),
        ({"type": "image_url", "image_url": data_url(a_png())}, "image", a_png()),
        ({"type": "input_image", "image_url": data_url(a_png(), "image/jpeg")}, "image", a_png()),
        ({"type": "input_audio", "input_audio": {"data": WAV, "format": "wav"}}, "audio", a_wav()),
        ({"type": "file", "file": {"file_data": data_url(a_pdf()), "filename": "a.pdf"}}, "file", a_pdf()),
        ({"type": "input_file", "file_data": PDF, "filename": "a.pdf"}, "file", a_pdf()),
        ({"type": "image", "base64": PNG, "mime_type": "image/png"}, "image", a_png()),
        ({"type": "image", "source_type": "base64", "data": PNG, "mime_type": "image/png"}, "image", a_png()),
        ({"type": "image", "url": data_url(a_png())}, "image", a_png()),
        ({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}, "image", a_png()),
        ({"type": "text-plain", "text": "a note", "mime_type": "text/plain"}, "file", b"a note"),
    ],
)
def test_every_form_of_a_block_is_kept_by_reference(block: dict[str, Any], kind: str, data: bytes):
    read = read_attached([WORDS, block], LIMITS)
    (media,) = read.media
    assert (media.kind, media.data, media.sha256) == (kind, data, sha256(data).hexdigest())
    words, reference = read.content
    assert words == WORDS
    assert isinstance(reference, dict)
    assert (reference["type"], reference["file_id"]) == (kind, f"sha256:{media.sha256}")
    again = media_of(reference)
    assert again is not None
    assert again.as_reference() == reference
    assert again.data is None


@pytest.mark.parametrize(
    ("block", "why"),
    [
        (image_url(b"")["image_url"] | {"type": "image_url"}, "Block 2 ('image_url')"),
        ({"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}, "nothing is fetched"),
        ({"type": "image", "url": "file:///etc/passwd"}, "nothing is fetched"),
        ({"type": "image", "source": {"type": "url", "url": "http://169.254.169.254/"}}, "nothing is fetched"),
        ({"type": "file", "file": {"file_id": "file-1"}}, "kept elsewhere"),
        ({"type": "image", "file_id": "sha256:../../etc/passwd"}, "kept elsewhere"),
        ({"type": "image_url", "image_url": {"url": "data:image/svg+xml,<svg/>"}}, "not base64"),
        ({"type": "image", "base64": "!!!"}, "not valid base64"),
        ({"type": "image", "base64": "A" * 8_000_000}, "BRAIN_MEDIA_BYTES"),
        ({"type": "hologram"}, "Block 2 ('hologram') holds nothing"),
        ({"type": "image", "base64": ["A"]}, "holds nothing"),
        ({}, "Block 2"),
    ],
    ids=str,
)
def test_what_is_not_taken_is_refused_and_names_its_block(block: dict[str, Any], why: str):
    with pytest.raises(BrainError) as refused:
        read_attached([WORDS, block], LIMITS)
    assert refused.value.code == "E_BAD_REQUEST"
    assert why in refused.value.message


def test_a_message_carries_only_so_many_blocks():
    with pytest.raises(BrainError, match="more than 2 blocks"):
        read_attached([image_url(a_png())] * 3, LIMITS)


def test_what_its_sender_says_of_a_block_is_one_bounded_line():
    block = image_url(a_png(), caption="a\ncat " * 1_000, name="../../x\n.png")
    (media,) = read_attached([block], LIMITS).media
    assert media.name == "../../x .png"
    assert media.fallback.startswith("a cat a cat")
    assert len(media.fallback) == 2_000


def test_a_picture_needs_no_words_and_a_message_needs_something():
    spoken = read_message([HumanMessage([image_url(a_png())])], LIMITS)  # pyright: ignore[reportArgumentType]
    assert (spoken.text, len(spoken.media)) == ("", 1)
    for empty in (HumanMessage(" "), HumanMessage([{"type": "text", "text": " "}])):
        with pytest.raises(BrainError, match="empty"):
            read_message([empty], LIMITS)


def test_words_alone_are_the_very_message():
    message = HumanMessage([{"type": "text", "text": "Hi", "cache_control": {"type": "ephemeral"}}])
    assert read_message([message], LIMITS).message is message
    assert without_bytes(message) is message


def test_a_checkpoint_gets_no_bytes_whichever_way_an_input_is_written():
    raw, reply = HumanMessage([WORDS, image_url(a_png())], id="m"), AIMessage("Nice")  # pyright: ignore[reportArgumentType]
    sent = {"role": "user", "content": [WORDS, image_url(a_png())]}
    values = {"messages": [reply, raw], "__start__": {"messages": [sent]}, "turn": {"text": "x"}, "ended": False}
    stripped = strip_channels(values)
    assert PNG not in str(stripped)
    referred = read_attached([WORDS, image_url(a_png())], LIMITS).content
    assert stripped["messages"][1].content == referred
    assert stripped["__start__"]["messages"][0]["content"] == referred
    assert strip_bytes({"type": "hologram", "data": "AAAA"}) == {"type": "hologram"}
    assert raw.content == [WORDS, image_url(a_png())]
    assert stripped["messages"][0] is reply
    assert stripped["turn"] is values["turn"]
