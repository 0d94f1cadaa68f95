"""Which bytes are taken, by what they are and not by what is claimed."""

from collections.abc import Callable

import pytest

from brain.media.safety import Sent, Unsafe, check_media
from brain.settings_media import MediaLimits
from tests.pictures import a_gif, a_jpeg, a_pdf, a_png, a_wav, a_webp, packed

LIMITS = MediaLimits(block_bytes=200_000, pixels=1_000_000, pages=3)
ZIP = b"PK\x03\x04\x14\0\0\0"


@pytest.mark.parametrize(
    ("data", "media_type", "size"),
    [
        (a_png(3, 2), "image/png", (3, 2)),
        (a_jpeg(3, 2), "image/jpeg", (3, 2)),
        (a_gif(5, 4, frames=2), "image/gif", (5, 4)),
        (a_webp(4, 2), "image/webp", (4, 2)),
        (a_wav(), "audio/wav", (0, 0)),
        (b"ID3\4\0\0\0\0\0\0" + b"\xff\xfb\x90\x64" + bytes(16), "audio/mpeg", (0, 0)),
        (b"\xff\xfb\x90\x64" + bytes(16), "audio/mpeg", (0, 0)),
        (b"OggS\0\2" + bytes(20), "audio/ogg", (0, 0)),
        (b"fLaC\0\0\0\x22" + bytes(34), "audio/flac", (0, 0)),
        (a_pdf(pages=3), "application/pdf", (0, 0)),
        ("Käse, 奶酪\n1 < 2".encode(), "text/plain", (0, 0)),
    ],
)
def test_what_is_taken_is_known_by_its_beginning(data: bytes, media_type: str, size: tuple[int, int]):
    kept = check_media(Sent(data=data, name="a.exe"), LIMITS)
    assert (kept.media_type, (kept.width, kept.height), kept.data) == (media_type, size, data)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (bytes(10), "of an unknown type"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "markup or script"),
        (b"\xef\xbb\xbf  <!DOCTYPE html><script>alert(1)</script>", "markup or script"),
        (b"<?xml version='1.0'?><svg/>", "markup or script"),
        (b"#!/bin/sh\nrm -rf /", "a program"),
        (b"MZ\x90\0" + bytes(60), "a program"),
        (b"\x7fELF" + bytes(60), "a program"),
        (ZIP + bytes(30), "an archive"),
        (b"\x1f\x8b\x08\0" + bytes(30), "an archive"),
        (a_png() + ZIP, "an archive behind its end"),
        (a_jpeg() + bytes(1_024) + b"<script>alert(1)</script>", "markup or script behind its end"),
        (a_gif() + bytes(1_024) + b"%PDF-1.7", "a PDF behind its end"),
        (a_png(note=b"<script>alert(1)</script>"), "at once"),
        (a_png(note=b"%PDF-1.7"), "at once"),
        (a_wav() + ZIP, "something behind its end"),
        (a_png(100_000, 100_000), "pixels"),
        (a_png(1_000, 1_000, frames=2), "pixels"),
        (a_gif(1_000, 100, frames=11), "pixels"),
        (a_jpeg(60_000, 60_000), "pixels"),
        (a_webp(16_000, 16_000), "pixels"),
        (a_png()[:-12], "broken"),
        (a_png(0, 4), "broken"),
        (a_jpeg()[:-2], "broken"),
        (a_gif()[:-1], "broken"),
        (a_webp()[:-3], "broken"),
        (a_png() + bytes(200_001), "BRAIN_MEDIA_BYTES"),
        (a_pdf(pages=4), "more than 3 pages"),
        (a_pdf(packed(b"<< /Type /Page >> " * 4)), "more than 3 pages"),
        (a_pdf(b"<< /S /JavaScript /JS (app.alert(1)) >>"), "JavaScript"),
        (a_pdf(b"<< /S /J#61vaScript /JS (app.alert(1)) >>"), "JavaScript"),
        (a_pdf(packed(b"<< /S /Launch /F (calc.exe) >>")), "Launch"),
        (a_pdf(b"<< /Type /EmbeddedFile >>"), "EmbeddedFile"),
        (a_pdf(b"<< /Encrypt 3 0 R >>"), "Encrypt"),
        (a_pdf(b"<< /Filter [/FlateDecode /FlateDecode] >>"), "packed twice"),
        (a_pdf(packed(bytes(21_000_000))), "unpacks to far more"),
        (b"%PDF-1.7\n", "no end"),
    ],
    ids=str,
)
def test_what_is_not_safe_is_refused_and_says_why(data: bytes, why: str):
    with pytest.raises(Unsafe) as refused:
        check_media(Sent(data=data), LIMITS)
    assert why in refused.value.why


def test_what_a_camera_writes_behind_a_picture_is_cut_away():
    assert check_media(Sent(data=a_jpeg() + bytes(40)), LIMITS).data == a_jpeg()


@pytest.mark.parametrize("made", [a_png, a_jpeg, a_gif, a_webp])
def test_a_picture_cut_anywhere_is_refused_and_never_fails(made: Callable[[], bytes]):
    whole = made()
    for end in range(8, len(whole)):
        with pytest.raises(Unsafe):
            check_media(Sent(data=whole[:end]), LIMITS)


def test_a_stream_that_says_it_is_packed_and_is_not_does_no_harm():
    broken = packed(b"<< /Type /Page >>").replace(b"x\x9c", b"xx", 1)
    assert check_media(Sent(data=a_pdf(broken)), LIMITS).media_type == "application/pdf"
