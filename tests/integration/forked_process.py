"""Programs as forks of a process that has imported them and their encoder: seconds of a processor each time.

A fork is a process like any other: its environment, folder, streams and session are its own, it is told by signals, and
it can be killed. It leaves out that alone; that a command starts by itself is for other tests to show.
"""

import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from io import TextIOWrapper
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import DupFd
from os import fdopen
from pkgutil import resolve_name
from subprocess import Popen, TimeoutExpired
from typing import Any, cast

BRAIN, LANGGRAPH, MOVER = "brain", "langgraph", "mover"
_ENTRY_POINTS = {
    BRAIN: "apps.cli:app",
    LANGGRAPH: "langgraph_cli.cli:cli",
    MOVER: "tests.integration.killed_mover:main",
}

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "apps.cli",
        "apps.cli.chat_session",
        "apps.jobs.worker",
        "apps.servers.serve",
        "graphs.brain",
        "langgraph_cli.cli",
        "tests.integration.forked_process",
        "tests.integration.killed_mover",
        "tests.integration.loaded_encoder",
        "tests.integration.model_stories",
    ]
)


class ForkedProcess(Popen[bytes]):
    """A program that begins by a fork; started, told and ended like any other ``Popen``."""

    _process: BaseProcess

    def _execute_child(self, *given: Any) -> None:
        # In the order of ``Popen``'s own method, which is the same from Python 3.11 on.
        words, _, preexec_fn, _, _, folder, environment, *_ = given
        pipes, starts_session = given[10:16], given[21]
        theirs = [pipe if pipe != -1 else inherited for inherited, pipe in enumerate((pipes[0], pipes[3], pipes[5]))]
        told = _Told(list(words), dict(environment), str(folder), [*map(_Stream, theirs)], starts_session, preexec_fn)
        self._process = FORKS.Process(target=_become, args=(told,), daemon=True)
        self._process.start()
        self.pid = self._process.pid or 0
        cast("Any", self)._close_pipe_fds(*pipes)

    def _internal_poll(self, **_: object) -> int | None:
        with cast("Any", self)._waitpid_lock:
            if self.returncode is None:
                self.returncode = self._process.exitcode
        return self.returncode

    def _wait(self, timeout: float | None) -> int | None:
        if not wait([self._process.sentinel], timeout):
            raise TimeoutExpired(self.args, timeout or 0)
        return self._internal_poll()


@dataclass(frozen=True)
class _Told:
    """What ``Popen`` is told, as it is sent."""

    words: list[str]
    environment: dict[str, str]
    folder: str
    streams: list[int]
    starts_session: bool
    preexec_fn: Callable[[], None] | None


class _Stream(int):
    """A descriptor that is handed over."""

    def __reduce__(self) -> Any:
        return _handed_over, (DupFd(self),)


def _handed_over(duplicate: Any) -> int:
    return duplicate.detach()


def _become(told: _Told) -> None:
    if told.starts_session:
        os.setsid()
    for number, stream in enumerate(told.streams):
        os.dup2(stream, number)
        os.close(stream)
    if told.preexec_fn is not None:
        told.preexec_fn()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(told.folder)
    os.environ.clear()
    os.environ.update(told.environment)
    time.tzset()
    tempfile.tempdir = None
    sys.stdin, sys.stdout, sys.stderr = _text(0, "r"), _text(1, "w"), _text(2, "w", errors="backslashreplace")
    sys.stdout.reconfigure(line_buffering=sys.stdout.isatty(), write_through="PYTHONUNBUFFERED" in told.environment)
    sys.stderr.reconfigure(line_buffering=True)
    sys.path[:0] = filter(None, told.environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.modules.pop("sitecustomize", None)
    if find_spec("sitecustomize"):
        import_module("sitecustomize")
    sys.argv = told.words
    resolve_name(_ENTRY_POINTS[told.words[0]])()


def _text(number: int, mode: str, errors: str = "strict") -> TextIOWrapper:
    return cast("TextIOWrapper", fdopen(number, mode, encoding="utf-8", errors=errors, closefd=False))
