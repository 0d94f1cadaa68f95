"""A pseudo-terminal with a program in it: what a person would type, and what they would see."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.integration.forked_process import ForkedProcess

ENTER, INTERRUPT, END, BREAK_LINE, UP = "\r", "\x03", "\x04", "\x1b\r", "\x1b[A"
_STYLES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]")
_SIZE = struct.pack("HHHH", 24, 80, 0, 0)


@dataclass
class Terminal:
    """The near end. ``seen`` is what came so far and was not looked for yet, with its control sequences."""

    process: subprocess.Popen[bytes]
    end: int
    patience: float
    seen: str = ""

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self.end, text.encode())

    def wait_for(self, text: str) -> str:
        """All up to the text, which is taken from what was seen, in plain letters. Fails when it does not come."""
        deadline = time.monotonic() + self.patience
        while text not in _plain(self.seen):
            assert time.monotonic() < deadline, f"{text!r} did not come; there is {_plain(self.seen)[-500:]!r}"
            self._read(0.2)
        before, _, self.seen = _plain(self.seen).partition(text)
        return before

    def wait_for_end(self) -> int:
        """The exit code."""
        deadline = time.monotonic() + self.patience
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"still running; there is {_plain(self.seen)[-500:]!r}"
            self._read(0.2)
        return self.process.returncode

    def _read(self, seconds: float) -> None:
        if select.select([self.end], [], [], seconds)[0]:
            try:
                self.seen += os.read(self.end, 65_536).decode(errors="replace")
            except OSError:  # the far end is closed
                time.sleep(0.05)


@contextmanager
def a_terminal(
    command: Sequence[str], environment: Mapping[str, str], folder: Path, patience: float
) -> Generator[Terminal]:
    """The program in a terminal of 80 columns; ended at the latest when the block is left."""
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, _SIZE)
    process = ForkedProcess(
        command,
        stdin=far,
        stdout=far,
        stderr=far,
        env={**environment, "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"},
        cwd=folder,
        start_new_session=True,
        preexec_fn=_take_terminal,
    )
    os.close(far)
    try:
        yield Terminal(process, near, patience)
    finally:
        process.kill()
        process.wait()
        os.close(near)


def _take_terminal() -> None:
    """Make it the one from which Ctrl-C comes, also where the tests were started by a shell that ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _plain(text: str) -> str:
    return _STYLES.sub("", text)
