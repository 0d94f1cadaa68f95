"""``brain chat``: talk, ask why, leave."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated

import typer

from apps.cli.conversation import TurnReport
from apps.cli.door import FAILED, as_ours, refuse
from apps.cli.options import AsJson, Person, command
from apps.cli.output import emit, printable, say
from apps.cli.running import configured
from apps.cli.talk import Talk
from apps.cli.why import explain
from brain.context import Context
from brain.resources import Resources

_PROMPT = "you   > "
_REPLY = "brain > "
_HELP = "/why   which memories the last reply used, and why\n/help  this list\n/quit  leave (Ctrl-D does too)"


@dataclass(frozen=True, kw_only=True)
class ChatOptions(Person):
    """Who talks, and how."""

    session: Annotated[
        str, typer.Option(help="Continue this session; a new one, named by date and time, when empty.")
    ] = ""
    time_zone: Annotated[str, typer.Option(help="IANA zone of the person who talks.")] = ""
    message: Annotated[
        list[str], typer.Option("--message", "-m", help="Say this instead of asking; may be repeated.")
    ] = field(default_factory=list[str])
    json: AsJson = False


def register(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "chat")
    def chat(options: ChatOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Talk to Brain. Without --message it reads what is typed, or the lines of a pipe."""
        settings = configured()
        try:
            with Talk(settings, lambda resources: _context(options, resources)) as talk:
                dialogue = Dialogue(talk, options)
                dialogue.scripted() if options.message else dialogue.typed()
        except KeyboardInterrupt:
            return
        if options.message and dialogue.failures:
            raise typer.Exit(FAILED)


@dataclass
class Dialogue:
    """What is read and printed while talking. A turn that fails is told, and the conversation goes on."""

    talk: Talk
    options: ChatOptions
    last: TurnReport | None = None
    failures: int = 0

    def scripted(self) -> None:
        """Say what the command line says, each once the memory work of the one before is done."""
        for message in self.options.message:
            self.last = None
            self._turn(message)
            if self.last is not None:
                self.talk.settle(self.last)

    def typed(self) -> None:
        """Read lines until the end of input, ``/quit`` or Ctrl-C."""
        interactive = sys.stdin.isatty() and not self.options.json
        if interactive:
            say(self._welcome())
        for line in _lines(_PROMPT if interactive else ""):
            if line.strip() == "/quit":
                break
            self._line(line)
        if interactive:
            say("")
        if self.last is not None:
            self.talk.settle(self.last)

    def _welcome(self) -> str:
        model = "" if self.talk.has_model else " No language model is configured: replies come from memory alone."
        return f"Session {self.talk.session!r}. /help lists what you can type.{model}"

    def _line(self, line: str) -> None:
        match line.strip():
            case "/help":
                say(_HELP)
            case "/why":
                self._why()
            case _:
                self._turn(line)

    def _why(self) -> None:
        if self.last is None:
            say("Nothing has been said yet.")
            return
        try:
            say("\n".join(explain(self.talk.why(self.last))))
        except Exception as error:
            refuse(error)

    def _turn(self, text: str) -> None:
        try:
            self.last = self._told(text)
        except BrokenPipeError:
            raise  # nobody listens any more: that ends the conversation, not the turn
        except Exception as error:
            self.failures += 1
            refuse(error)
            if self.options.json:
                ours = as_ours(error)
                refusal = {"code": ours.code, "message": ours.message, "hint": ours.hint}
                emit({"error": refusal, "session": self.talk.session})

    def _told(self, text: str) -> TurnReport:
        if self.options.json:
            report = self.talk.say(text, lambda _: None)
            emit(report)
            return report
        voice = Voice(_REPLY if sys.stdout.isatty() else "")
        try:
            return self.talk.say(text, voice.speak)
        finally:
            voice.end()


@dataclass
class Voice:
    """The reply on the screen, word by word as it comes; nothing is printed for a turn that says nothing."""

    label: str
    speaking: bool = False

    def speak(self, token: str) -> None:
        """Print the next piece."""
        print(("" if self.speaking else self.label) + printable(token), end="", flush=True)
        self.speaking = True

    def end(self) -> None:
        """Finish the line."""
        if self.speaking:
            print(flush=True)


def _context(options: ChatOptions, resources: Resources) -> Context:
    return Context(
        tenant=options.tenant,
        user=options.user,
        channel=options.channel,
        session=options.session,
        time_zone=options.time_zone,
        resources=resources,
    )


def _lines(prompt: str) -> Iterator[str]:
    """Typed or piped lines; the end of input ends them."""
    while True:
        try:
            yield input(prompt)
        except EOFError:
            return
