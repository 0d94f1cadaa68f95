"""The line that a person types: editing, history, several lines."""

from collections.abc import Iterator, Sequence

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from apps.cli.chat_commands import COMMANDS

PROMPT = "you   > "
_CONTINUED = "      . "


class ChatPrompt:
    """Enter sends; Alt-Enter, or a backslash before Enter, begins a new line; Tab completes commands.

    What is typed is kept in no file: it may be what memory has to forget. The arrow keys find what was typed before
    in this chat and what ``earlier`` says of the session.
    """

    def __init__(self, earlier: Sequence[str] = ()) -> None:
        self._session: PromptSession[str] = PromptSession(
            PROMPT,
            history=InMemoryHistory(earlier),
            multiline=True,
            key_bindings=_key_bindings(),
            prompt_continuation=_CONTINUED,
            completer=WordCompleter([*COMMANDS], sentence=True),
            complete_while_typing=False,
        )

    def lines(self) -> Iterator[str]:
        """What is typed, until Ctrl-D on an empty line. Ctrl-C discards the line at hand."""
        while True:
            try:
                yield self._session.prompt()
            except EOFError:
                return
            except KeyboardInterrupt:
                continue


def _key_bindings() -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("enter")
    def send(event: KeyPressEvent) -> None:  # pyright: ignore[reportUnusedFunction]
        buffer = event.current_buffer
        if buffer.document.current_line_before_cursor.endswith("\\"):
            buffer.delete_before_cursor()
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    @bindings.add("escape", "enter")
    def break_line(event: KeyPressEvent) -> None:  # pyright: ignore[reportUnusedFunction]
        event.current_buffer.insert_text("\n")

    return bindings
