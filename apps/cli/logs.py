"""The log of a command goes to stderr, so that stdout belongs to the answer."""

import logging
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import TextIO, cast

import structlog

from apps.cli.output import leave_unread
from brain.settings import LogLevel

_LEVELS: dict[LogLevel, int] = {"debug": 10, "info": 20, "warning": 30, "error": 40}


_POOL = "psycopg.pool"
"""Tells of each connection that it could not open yet. It tries again, and what it gives up is an error of ours."""


def log_to_stderr(level: LogLevel) -> None:
    """One line per event from ``level`` on. Traces come without the values of variables, which may be secret."""
    logging.getLogger(_POOL).setLevel(logging.ERROR if _LEVELS[level] >= logging.WARNING else logging.WARNING)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", LossyStream(sys.stderr))),
    )


class LossyStream:
    """A stream for a log. What cannot be written is lost, and who logs goes on: no turn ends because of a log.

    That is so when the reader of a pipe has gone away, when the disk below a file is full, and after it was closed.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write as far as that is possible; how many characters were taken."""
        with self._losing():
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Pass on what was written, as far as that is possible."""
        with self._losing():
            self._stream.flush()

    @contextmanager
    def _losing(self) -> Generator[None]:
        try:
            yield
        except BrokenPipeError:
            leave_unread(self._stream)
        except (OSError, ValueError):
            pass  # full, or closed: a log cannot tell that it cannot be written
