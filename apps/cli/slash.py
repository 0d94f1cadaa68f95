"""Commands typed in a chat, told apart from messages that happen to begin with a slash."""

import re

from memory.errors import bad_request

COMMANDS = {
    "/why": "which memories the last reply used, and why",
    "/help": "this list",
    "/quit": "leave (Ctrl-D does too)",
}
HELP = "\n".join(f"{name:<6} {what}" for name, what in COMMANDS.items())

_COMMAND = re.compile(r"/[^\W\d_][\w-]*[?!.]*(?=\s|$)")
"""A slash and a word right at the beginning of the line: «/ 2», «/2», «/etc/hosts is mine» are messages."""

_AS_MESSAGE = "If it was meant as a message, begin the line with a space."


def command_in(line: str) -> str | None:
    """The command that a line is, or None for a message. Raises ``E_BAD_REQUEST`` for a command that there is not."""
    whole = line.strip().lower()
    if whole in COMMANDS:
        return whole
    meant = _COMMAND.match(line)
    if meant is None:
        return None
    if meant[0].lower() in COMMANDS:
        raise bad_request(f"{meant[0]} stands alone on its line.", _AS_MESSAGE)
    raise bad_request(f"There is no command {meant[0][:60]!r}; there are {', '.join(COMMANDS)}.", _AS_MESSAGE)
