"""The sign of life of a chat: late enough not to flicker, gone when there is something to read."""

import sys
import time
from io import StringIO

import pytest

from apps.cli.step_spinner import NODE_LABELS, StepSpinner
from graphs.brain import builder


class Screen(StringIO):
    def isatty(self) -> bool:
        return True


def a_screen(monkeypatch: pytest.MonkeyPatch, terminal: str = "xterm") -> Screen:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", terminal)
    return screen


def test_it_names_the_step_that_has_been_running_longest_and_leaves_an_empty_line(monkeypatch: pytest.MonkeyPatch):
    screen, deadline = a_screen(monkeypatch), time.monotonic() + 20
    with StepSpinner("opening") as spinner:
        spinner.show_nodes(["retrieve", "classify_intent"])
        spinner.show_nodes([])
        while not screen.getvalue() and time.monotonic() < deadline:
            time.sleep(0.01)
    shown = screen.getvalue()
    assert " searching memory …" in shown
    assert "opening" not in shown
    assert shown.endswith("\r\x1b[2K")


def test_who_is_answered_at_once_sees_nothing_of_it(monkeypatch: pytest.MonkeyPatch):
    screen = a_screen(monkeypatch)
    with StepSpinner("opening"):
        pass
    assert screen.getvalue() == ""


@pytest.mark.parametrize("terminal", ["dumb", "none"])
def test_it_draws_on_terminals_only(monkeypatch: pytest.MonkeyPatch, terminal: str):
    screen = a_screen(monkeypatch, terminal)
    if terminal == "none":
        monkeypatch.setattr(screen, "isatty", lambda: False)
    with StepSpinner("opening") as spinner:
        assert not spinner.is_running


def test_every_step_of_a_turn_has_a_name():
    assert builder.nodes.keys() == NODE_LABELS.keys()
