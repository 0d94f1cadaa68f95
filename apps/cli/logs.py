"""The log of a command goes to stderr, so that stdout belongs to the answer."""

import logging
import sys

import structlog

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
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
