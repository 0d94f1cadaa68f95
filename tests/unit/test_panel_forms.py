"""Forms of the panel with files in them, and the time zone that a browser names."""

from datetime import UTC, datetime

import httpx
import pytest
from starlette.requests import Request

from apps.panel.form_body import SentFile, parse_form
from apps.panel.zones import browser_zone, show_day, show_moment
from memory.errors import BrainError


def form_with_files(**files: tuple[str, bytes]) -> tuple[bytes, str]:
    """The body that a browser sends, and its type."""
    sent = httpx.Request("POST", "http://brain", data={"words": "看 this", "once": "1"}, files=files)
    return sent.read(), sent.headers["content-type"]


def test_fields_and_files_are_read():
    data = b"\r\n--x\r\n\x00\xff" * 200_000
    found = parse_form(*form_with_files(files=("猫.png", data)))
    assert found.fields == {"words": "看 this", "once": "1"}
    assert found.files == (SentFile("猫.png", data),)


@pytest.mark.parametrize(
    "kind", ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=y"]
)
def test_a_form_that_no_browser_sends_is_refused(kind: str):
    with pytest.raises(BrainError) as refused:
        parse_form(form_with_files(files=("a", b"a"))[0], kind)
    assert refused.value.code == "E_BAD_REQUEST"


def test_a_chooser_that_was_left_empty_sends_no_file():
    body = b'--x\r\nContent-Disposition: form-data; name="files"; filename=""\r\n\r\n\r\n--x--\r\n'
    assert parse_form(body, "multipart/form-data; boundary=x").files == ()


def test_a_form_of_very_many_files_is_refused():
    part = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\na\r\n'
    with pytest.raises(BrainError):
        parse_form(part * 60 + b"--x--\r\n", "multipart/form-data; boundary=x")


@pytest.mark.parametrize(
    ("cookie", "zone"),
    [
        ("Asia%2FShanghai", "Asia/Shanghai"),
        ("Europe/Paris", "Europe/Paris"),
        ("", ""),
        ("Mars%2FOlympus", ""),
        ("..%2F..%2Fetc%2Fpasswd", ""),
        ("%2Fetc%2Fpasswd", ""),
        ("a%00b", ""),
        ("x" * 5_000, ""),
    ],
)
def test_a_zone_that_there_is_not_counts_for_none(cookie: str, zone: str):
    headers = [(b"cookie", f"brain_panel_zone={cookie}".encode())] if cookie else []
    assert browser_zone(Request({"type": "http", "headers": headers})) == zone


def test_times_are_those_of_the_readers_clock():
    at = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
    for moment in (at, at.isoformat()):
        assert show_moment(moment, "Asia/Shanghai") == "2026-03-02 07:30"
        assert show_day(moment, "Asia/Shanghai") == "2026-03-02"
        assert show_moment(moment, "UTC") == "2026-03-01 23:30"
