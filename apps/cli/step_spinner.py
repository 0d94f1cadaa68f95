"""A sign of life for somebody who waits: it names the step at hand."""

import os
import sys
import threading
from collections.abc import Sequence
from itertools import cycle
from types import TracebackType
from typing import Self

DELAY = 0.3
"""Seconds of waiting before it shows itself."""
_FRAME = 0.1
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_ERASE = "\r\x1b[2K"

NODE_LABELS = {
    "open_session": "reading the session",
    "classify_intent": "understanding the message",
    "rewrite_query": "rewording the question",
    "retrieve": "searching memory",
    "retrieve_rewritten": "searching memory again",
    "consult_knowledge": "consulting knowledge",
    "rerank": "ranking memories",
    "sanitize": "checking memories",
    "change_memory": "changing memory",
    "approve": "asking for approval",
    "assemble": "putting the prompt together",
    "check_guard": "checking the prompt",
    "respond": "answering",
    "dispatch_tools": "using tools",
    "capture_signals": "storing the turn",
}


class StepSpinner:
    """Turns on stderr, if that is a terminal, from ``DELAY`` seconds after the block begins until it ends or stops."""

    def __init__(self, label: str = "") -> None:
        self._label = label
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._spin, name="brain-spinner", daemon=True)

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def is_running(self) -> bool:
        """Whether somebody watches."""
        return self._thread.is_alive()

    def show(self, label: str) -> None:
        """Name the step at hand; any thread may."""
        self._label = label

    def show_nodes(self, running: Sequence[str]) -> None:
        """Name the node that has been running longest; between two nodes the last one."""
        if running:
            self._label = NODE_LABELS.get(running[0], running[0])

    def stop(self) -> None:
        """Disappear; again changes nothing."""
        self._over.set()
        if self.is_running:
            self._thread.join()

    def _spin(self) -> None:
        if self._over.wait(DELAY):
            return
        for frame in cycle(_FRAMES):
            print(f"{_ERASE}{frame} {self._label} …", end="", file=sys.stderr, flush=True)
            if self._over.wait(_FRAME):
                break
        print(_ERASE, end="", file=sys.stderr, flush=True)
