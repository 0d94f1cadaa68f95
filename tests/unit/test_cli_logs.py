"""What libraries say on stderr while a command runs, and a stderr that takes nothing."""

import io
import logging

import pytest

from apps.cli.logs import LossyStream, log_to_stderr
from brain.settings import LogLevel


@pytest.mark.parametrize(("level", "heard"), [("warning", False), ("error", False), ("info", True), ("debug", True)])
def test_a_pool_that_tries_again_is_heard_only_by_who_asked_for_more(level: LogLevel, heard: bool):
    log_to_stderr(level)
    assert logging.getLogger("psycopg.pool").isEnabledFor(logging.WARNING) is heard
    assert logging.getLogger("psycopg.pool").isEnabledFor(logging.ERROR)


def test_who_logs_goes_on_when_the_stream_is_closed():
    closed = io.StringIO()
    closed.close()
    assert LossyStream(closed).write("a line") == len("a line")
    LossyStream(closed).flush()
