"""What can be typed with a slash in a chat."""

import re
from dataclasses import dataclass

from memory.errors import bad_request

COMMANDS = {
    "/memories": "what is remembered, what matters first, or what bears on some words",
    "/attach": "send a picture, sound or file, with words or without",
    "/remember": "say that this is to be remembered, whatever it is",
    "/correct": "this is true instead of a listed memory, or of what it clearly contradicts",
    "/forget": "forget a listed memory, or what the words clearly mean",
    "/undo": "take the last change of memory back, or one of the list of a day",
    "/why": "which memories the last reply used, and why",
    "/help": "this list",
    "/quit": "leave (Ctrl-D does too)",
}
_ARGUMENTS = {
    "/memories": "[WORDS]",
    "/attach": "FILE [WORDS]",
    "/remember": "SENTENCE",
    "/correct": "[NUMBER] SENTENCE",
    "/forget": "NUMBER or WORDS",
    "/undo": "[NUMBER or list]",
}
_OPTIONAL = frozenset({"/memories", "/undo"})
_SYNTAX = {name: f"{name} {_ARGUMENTS.get(name, '')}".strip() for name in COMMANDS}

HELP = "\n".join(f"{_SYNTAX[name]:<27} {what}" for name, what in COMMANDS.items())

_COMMAND = re.compile(r"/[^\W\d_][\w-]*[?!.]*(?=\s|$)")
"""A slash and a word right at the beginning of the line: «/ 2», «/2», «/etc/hosts is mine» are messages."""

_AS_MESSAGE = "If it was meant as a message, begin the line with a space."


@dataclass(frozen=True)
class Command:
    """A command and the words behind it."""

    name: str
    words: str = ""


def read_command(line: str) -> Command | None:
    """The command that a line is, or None for a message. Raises ``E_BAD_REQUEST`` for one that makes no sense."""
    whole = line.strip()
    meant = _COMMAND.match(line)
    name, words = (meant[0].lower(), line[meant.end() :].strip()) if meant else (whole.lower(), "")
    if name in COMMANDS:
        return _require_words(Command(name, words))
    if meant is None:
        return None
    raise bad_request(f"There is no command {meant[0][:60]!r}; there are {', '.join(COMMANDS)}.", _AS_MESSAGE)


def _require_words(command: Command) -> Command:
    if command.words and command.name not in _ARGUMENTS:
        raise bad_request(f"{command.name} stands alone on its line.", _AS_MESSAGE)
    if not command.words and command.name in _ARGUMENTS and command.name not in _OPTIONAL:
        raise bad_request(f"{command.name} needs to know what.", f"Type {_SYNTAX[command.name]}.")
    return command
