"""A refusal is a sentence that a person can act on."""

import pytest

from memory.errors import BrainError, bad_request


@pytest.mark.parametrize(
    ("message", "hint", "told"),
    [
        ("No such day", "Say another", "E_BAD_REQUEST: No such day. Say another."),
        ("No such day.", "", "E_BAD_REQUEST: No such day."),
        ("Really?", "Run it: UPDATE x;", "E_BAD_REQUEST: Really? Run it: UPDATE x;"),
    ],
)
def test_every_part_of_a_refusal_ends_as_a_sentence(message: str, hint: str, told: str):
    assert str(bad_request(message, hint)) == told


def test_what_a_library_worded_is_ended_as_well():
    error = BrainError("E_CONFIG", "BRAIN_PORT: Input should be a valid integer")
    assert error.message == "BRAIN_PORT: Input should be a valid integer."
