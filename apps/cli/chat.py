"""``brain chat``: talk, ask why, leave."""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Annotated

import typer

from apps.cli.approvals import PendingApproval
from apps.cli.chat_session import ChatSession
from apps.cli.conversation import OnToken, TurnReport
from apps.cli.entry_point import FAILED, print_error, to_brain_error
from apps.cli.options import AsJson, PersonOptions, command, time_zones
from apps.cli.output import emit, printable, say
from apps.cli.runner import load_settings
from apps.cli.why import explain
from brain.approval import ApprovalRequest
from brain.context import Context
from brain.resources import Resources
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
_PROMPT = "you   > "
_REPLY = "brain > "


@dataclass(frozen=True, kw_only=True)
class ChatOptions(PersonOptions):
    """Who talks, and how."""

    session: Annotated[
        str, typer.Option(help="Continue this session; a new one, named by date and time, when empty.")
    ] = ""
    time_zone: Annotated[str, typer.Option(help="IANA zone of the person who talks.", autocompletion=time_zones)] = ""
    message: Annotated[
        list[str], typer.Option("--message", "-m", help="Say this instead of asking; may be repeated.")
    ] = field(default_factory=list[str])
    json: AsJson = False


def register(app: typer.Typer) -> None:
    """Add the command."""

    @command(app, "chat")
    def chat(options: ChatOptions) -> None:  # pyright: ignore[reportUnusedFunction]
        """Talk to Brain. Without --message it reads what is typed, or the lines of a pipe.

        /why tells which memories the last reply used, /help what else there is. Any other line is a message, or the
        decision on what waits for approval.
        """
        settings = load_settings()
        try:
            with ChatSession(settings, lambda resources: _context(options, resources)) as talk:
                dialogue = Dialogue(talk, options)
                dialogue.run_prompt() if dialogue.is_interactive() else dialogue.run_script()
        except KeyboardInterrupt:
            return
        if options.message and dialogue.failures:
            raise typer.Exit(FAILED)


@dataclass
class Dialogue:
    """What is read and printed while talking. A turn that fails is told, and the conversation goes on."""

    talk: ChatSession
    options: ChatOptions
    last: TurnReport | None = None
    failures: int = 0
    pending: PendingApproval | None = None

    def is_interactive(self) -> bool:
        """Whether somebody types and reads; a script gets no welcome, no prompt and no hints."""
        wanted = not self.options.message and not self.options.json
        return wanted and sys.stdin.isatty() and sys.stdout.isatty()

    def run_script(self) -> None:
        """Say what the command line or a pipe says, each once the memory work of the one before is done."""
        self._await_decision(self._find_pending())
        for line in self.options.message or _lines(""):
            before = self.last
            if not self._handle_line(line):
                return
            if self.last is not None and self.last is not before and not self.pending:
                self.talk.wait_for_memory(self.last)

    def run_prompt(self) -> None:
        """Read what a person types until the end of input, ``/quit`` or Ctrl-C."""
        say(self._welcome())
        self._await_decision(self._find_pending())
        for line in _lines(_PROMPT):
            if not self._handle_line(line):
                break
        else:
            say("")
        if self.last is not None and not self.pending:
            self.talk.wait_for_memory(self.last)

    def _welcome(self) -> str:
        model = "" if self.talk.has_model else " No language model is configured: replies come from memory alone."
        return f"Session {self.talk.session!r}. /help lists what you can type.{model}"

    def _handle_line(self, line: str) -> bool:
        """Do what a line asks for; False when it asks to leave."""
        try:
            match command_in(line):
                case "/quit":
                    return False
                case "/help":
                    self._print({"commands": COMMANDS}, HELP)
                case "/why":
                    self._print_why()
                case _:
                    self._take_line(line)
        except BrokenPipeError:
            raise  # nobody listens any more: that ends the conversation, not the turn
        except Exception as error:
            self._report_error(error)
        return True

    def _print_why(self) -> None:
        found = self.talk.why(self.last) if self.last else []
        text = "\n".join(explain(found)) if self.last else "Nothing has been said yet."
        self._print({"why": [asdict(reason) for reason in found]}, text)

    def _print(self, value: object, text: str) -> None:
        if self.options.json:
            emit(value)
        else:
            say(text)

    def _report_error(self, error: Exception) -> None:
        self.failures += 1
        if self.pending:
            self._await_decision(self.pending.request)
        print_error(error)
        if self.options.json:
            ours = to_brain_error(error)
            refusal = {"code": ours.code, "message": ours.message, "hint": ours.hint}
            emit({"error": refusal, "session": self.talk.session})

    def _take_line(self, line: str) -> None:
        """A decision on what waits, or else a message, which goes on without it."""
        pending = self.pending
        if pending is None or not pending.decide(line):
            self._take_turn(lambda on_token: self.talk.say(line, on_token))
        elif pending.is_decided:
            self._take_turn(lambda on_token: self.talk.decide(pending.decisions, on_token))
        else:
            self._show_pending()

    def _take_turn(self, turn: Callable[[OnToken], TurnReport]) -> None:
        if self.options.json:
            self.last = turn(lambda _: None)
            emit(self.last)
        else:
            voice = ReplyPrinter(_REPLY if sys.stdout.isatty() else "")
            try:
                self.last = turn(voice.speak)
            finally:
                voice.end()
        self._await_decision(self.last["approval"])

    def _await_decision(self, request: ApprovalRequest | None) -> None:
        self.pending = PendingApproval(request) if request else None
        self._show_pending()

    def _find_pending(self) -> ApprovalRequest | None:
        """Only a session that is continued can wait for something."""
        return self.talk.pending_approval() if self.options.session else None

    def _show_pending(self) -> None:
        """The report of ``--json`` holds the request already."""
        if self.pending and not self.options.json:
            say(self.pending.describe())


@dataclass
class ReplyPrinter:
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
