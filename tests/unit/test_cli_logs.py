"""What libraries say on stderr while a command runs."""

import logging

import pytest

from apps.cli.logs import log_to_stderr
from brain.settings import LogLevel


@pytest.mark.parametrize(("level", "heard"), [("warning", False), ("error", False), ("info", True), ("debug", True)])
def test_a_pool_that_tries_again_is_heard_only_by_who_asked_for_more(level: LogLevel, heard: bool):
    log_to_stderr(level)
    assert logging.getLogger("psycopg.pool").isEnabledFor(logging.WARNING) is heard
    assert logging.getLogger("psycopg.pool").isEnabledFor(logging.ERROR)
