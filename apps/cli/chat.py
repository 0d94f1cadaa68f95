"""``brain chat``: talk, ask why, leave."""

import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from typing import Annotated

import typer

from apps.cli.approvals import ApprovalDialog
from apps.cli.attaching import read_attachment
from apps.cli.chat_commands import COMMANDS, HELP, Command, read_command
from apps.cli.chat_memory_commands import MemoryCommands
from apps.cli.chat_session import ChatSession
from apps.cli.conversation import DEAF, TurnListener, TurnReport
from apps.cli.entry_point import FAILED, print_error, to_brain_error
from apps.cli.options import AsJson, PersonOptions, command, time_zones
from apps.cli.output import emit, printable, say
from apps.cli.quiet_terminal import quiet_terminal
from apps.cli.runner import load_settings
from apps.cli.step_spinner import StepSpinner
from apps.cli.why import explain
from brain.approval import ApprovalRequest
from brain.context import Context
from brain.resources import Resources
from language.detection import language_of
from language.tables import text
from skills.loading import load_skills

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

        /help lists the commands, such as /memories, /forget and /why. Any other line is a message, or the decision on
        what waits for approval. Ctrl-C stops an answer, Ctrl-D ends the chat; Alt-Enter, or a backslash at the end of
        a line, begins a new one.
        """
        settings = load_settings()
        load_skills(settings)
        try:
            with (
                quiet_terminal() if is_interactive(options) else nullcontext(),
                ChatSession(settings, lambda resources: _context(options, resources)) as talk,
            ):
                dialogue = Dialogue(talk, options)
                dialogue.run_prompt() if is_interactive(options) else dialogue.run_script()
        except KeyboardInterrupt:
            return
        if options.message and dialogue.failures:
            raise typer.Exit(FAILED)


def is_interactive(options: ChatOptions) -> bool:
    """Whether somebody types and reads; a script gets no welcome, no prompt and no hints."""
    wanted = not options.message and not options.json
    return wanted and sys.stdin.isatty() and sys.stdout.isatty()


@dataclass
class Dialogue:
    """What is read and printed while talking. A turn that fails is told, and the conversation goes on."""

    talk: ChatSession
    options: ChatOptions
    last: TurnReport | None = None
    learning: TurnReport | None = None
    """The last turn that memory works on behind the conversation."""
    failures: int = 0
    pending: ApprovalDialog | None = None

    def __post_init__(self) -> None:
        self.memory = MemoryCommands(self.talk, self.options.json)

    def run_script(self) -> None:
        """Say what the command line or a pipe says, each once the memory work of the one before is done."""
        self.talk.load()
        self._await_decision(self._find_pending())
        for line in self.options.message or _piped_lines():
            before = self.last
            if not self._handle_line(line):
                return
            if self.last is not None and self.last is not before and not self.pending:
                self.talk.wait_for_memory(self.last)

    def run_prompt(self) -> None:
        """Read what a person types until Ctrl-D or ``/quit``."""
        from apps.cli.chat_prompt import ChatPrompt  # a script need not wait for the editor of lines

        self.talk.start_loading()
        say(self._welcome())
        self._await_decision(self._find_pending())
        earlier = self.talk.earlier_messages() if self.options.session else []
        for line in ChatPrompt(earlier).lines():
            if line.strip() and not self._answer(line):
                break
        if self.last is not None and not self.pending:
            self.talk.wait_for_memory(self.last)

    def _answer(self, line: str) -> bool:
        """Like ``_handle_line``; Ctrl-C stops what it does, and the conversation goes on."""
        try:
            return self._handle_line(line)
        except KeyboardInterrupt:
            say("Stopped.")
            self._await_decision(self.talk.pending_approval())
            return True

    def _welcome(self) -> str:
        model = "" if self.talk.has_model else " No language model is configured: replies come from memory alone."
        return f"Session {self.talk.session!r}. /help lists what you can type.{model}"

    def _handle_line(self, line: str) -> bool:
        """Do what a line asks for; False when it asks to leave."""
        try:
            command = read_command(line)
            if command is None:
                self._take_line(line)
            elif command.name == "/quit":
                return False
            else:
                self._do(command)
        except BrokenPipeError:
            raise  # nobody listens any more: that ends the conversation, not the turn
        except Exception as error:
            self._report_error(error)
        return True

    def _do(self, command: Command) -> None:
        match command.name:
            case "/help":
                self._print({"commands": COMMANDS}, HELP)
            case "/why":
                self._print_why()
            case "/attach":
                self._attach(command.words)
            case "/remember":
                self._say(text("skills.remember", language_of(command.words)).format(words=command.words))
            case _:
                self._change_memory(command)

    def _attach(self, typed: str) -> None:
        sent = read_attachment(typed, self.talk.media_bytes)
        self._take_turn(lambda listener: self.talk.say(sent.words, listener, sent.block))

    def _change_memory(self, command: Command) -> None:
        """List or change what is noted by now, with what the last turn said."""
        if self.learning is not None:
            self.talk.wait_for_memory(self.learning)
        match command.name:
            case "/memories":
                self.memory.show_list(command.words)
            case "/forget":
                self.memory.forget(command.words)
            case "/undo":
                self.memory.undo(command.words)
            case _:
                self.memory.correct(command.words)

    def _print_why(self) -> None:
        found = self.talk.why(self.last) if self.last else []
        text = "\n".join(explain(found, language_of(self.last["reply"]))) if self.last else "Nothing has been said yet."
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
            self._say(line)
        elif pending.is_decided:
            self._take_turn(lambda listener: self.talk.decide(pending.decisions, listener))
        else:
            self._show_pending()

    def _say(self, line: str) -> None:
        self._take_turn(lambda listener: self.talk.say(line, listener))

    def _take_turn(self, turn: Callable[[TurnListener], TurnReport]) -> None:
        if self.options.json:
            self.last = turn(DEAF)
            emit(self.last)
        else:
            self.last = _print_turn(turn)
        if not self.last["change"]:
            self.learning = self.last
        self._await_decision(self.last["approval"])

    def _await_decision(self, request: ApprovalRequest | None) -> None:
        self.pending = ApprovalDialog(request) if request else None
        self._show_pending()

    def _find_pending(self) -> ApprovalRequest | None:
        """Only a session that is continued can wait for something."""
        return self.talk.pending_approval() if self.options.session else None

    def _show_pending(self) -> None:
        """The report of ``--json`` holds the request already."""
        if self.pending and not self.options.json:
            say(self.pending.describe())


def _print_turn(turn: Callable[[TurnListener], TurnReport]) -> TurnReport:
    with StepSpinner("reading the session") as spinner:
        voice = ReplyPrinter(_REPLY if sys.stdout.isatty() else "", spinner)
        try:
            return turn(TurnListener(on_token=voice.speak, on_nodes=spinner.show_nodes))
        finally:
            voice.end()


@dataclass
class ReplyPrinter:
    """The reply on the screen, word by word as it comes; nothing is printed for a turn that says nothing."""

    label: str
    spinner: StepSpinner
    speaking: bool = False

    def speak(self, token: str) -> None:
        """Print the next piece."""
        self.spinner.stop()
        print(("" if self.speaking else self.label) + printable(token), end="", flush=True)
        self.speaking = True

    def end(self) -> None:
        """Finish the line."""
        self.spinner.stop()
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


def _piped_lines() -> Iterator[str]:
    """The lines of stdin; its end ends them."""
    while True:
        try:
            yield input()
        except EOFError:
            return
