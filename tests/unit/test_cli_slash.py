"""What is typed with a slash: commands, mistyped commands, and messages that only look like one."""

import pytest

from apps.cli.chat_commands import COMMANDS, HELP, Command, read_command
from memory.errors import BrainError


@pytest.mark.parametrize("line", ["/why", " /why ", "/WHY", "/quit", "/help\t"])
def test_a_command_is_known_however_it_is_typed(line: str):
    assert read_command(line) == Command(line.strip().lower())


@pytest.mark.parametrize(
    "line",
    [
        "Hello",
        "",
        "/ 2",
        "/2 of it",
        "/",
        "//",
        "/etc/hosts is mine",
        "/etc/hosts",
        "/home/ann.txt holds it",
        "look at /why",
        " /tmp is full",
        "12/2 is six",
    ],
)
def test_a_slash_alone_makes_no_command(line: str):
    assert read_command(line) is None


@pytest.mark.parametrize(
    "line", ["/nonsense", "/nonsense with words", "/WYH", "/帮助", "/forget-me", "/tmp is full", "/why?"]
)
def test_a_command_that_there_is_not_is_refused_with_those_that_there_are(line: str):
    with pytest.raises(BrainError, match="E_BAD_REQUEST: There is no command") as refused:
        read_command(line)
    assert all(name in refused.value.message for name in COMMANDS)
    assert "begin the line with a space" in refused.value.hint


def test_a_command_with_words_behind_it_is_told_to_stand_alone():
    with pytest.raises(BrainError, match="/help stands alone on its line"):
        read_command("/help me")


def test_help_names_every_command():
    assert [line.split()[0] for line in HELP.splitlines()] == list(COMMANDS)


@pytest.mark.parametrize(
    ("line", "name", "words"),
    [
        ("/forget 2", "/forget", "2"),
        ("/FORGET  my old address ", "/forget", "my old address"),
        ("/correct 1 我住在上海。", "/correct", "1 我住在上海。"),
        ("/remember I like /etc", "/remember", "I like /etc"),
        ("/memories", "/memories", ""),
        ("/memories tea", "/memories", "tea"),
    ],
)
def test_words_behind_a_command_are_its_argument(line: str, name: str, words: str):
    assert read_command(line) == Command(name, words)


@pytest.mark.parametrize("line", ["/forget", "/remember ", "/correct"])
def test_a_command_that_needs_words_says_which(line: str):
    with pytest.raises(BrainError, match=f"{line.strip()} needs to know what") as refused:
        read_command(line)
    assert refused.value.hint.startswith(f"Type {line.strip()} ")


def test_a_space_makes_a_message_of_a_command_with_words():
    assert read_command(" /forget 2") is None
