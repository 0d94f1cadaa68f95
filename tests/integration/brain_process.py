"""The ``brain`` command as its own process, as a person or a script runs it."""

import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import structlog
from psycopg import conninfo
from typer.testing import CliRunner

from apps.cli import app
from tests.audit_keys import ENVIRONMENT
from tests.integration.forked_process import BRAIN, ForkedProcess

COMMAND = Path(sys.executable).with_name("brain")
PATIENCE = 180.0
"""Seconds after which a command counts as hanging."""


def as_url(conninfo_text: str) -> str:
    """The URL of libpq's own ``key=value`` spelling, which is what ``BRAIN_DATABASE_URL`` takes."""
    parts = conninfo.conninfo_to_dict(conninfo_text)
    user, password, host = (quote(str(parts[name]), safe="") for name in ("user", "password", "host"))
    return f"postgresql://{user}:{password}@{host}:{parts['port']}/{parts['dbname']}"


@dataclass(frozen=True)
class Outcome:
    """What a process said and how it ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Stdout as one JSON object per line; anything else on it fails the test."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def json(self) -> Any:
        """Stdout as one JSON value."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Brain:
    """Runs commands against one database, in a tenant of the test's own, with nothing else of our environment."""

    database_url: str
    folder: Path
    tenant: str = field(default_factory=lambda: f"tenant {uuid4()}")
    settings: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def environment(self) -> dict[str, str]:
        """What the process sees."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
        return kept | ENVIRONMENT | {"BRAIN_DATABASE_URL": self.database_url} | dict(self.settings)

    def run(self, *arguments: str, said: bytes | None = None) -> Outcome:
        """Run to the end, with ``said`` on stdin."""
        with self.running(*arguments) as process:
            out, err = process.communicate(said, PATIENCE)
        return Outcome(process.returncode, out.decode(), err.decode())

    def ask(self, *arguments: str, said: bytes = b"") -> Outcome:
        """Run to the end in this process, which is quicker and leaves out nothing but the start."""
        names = [name for name in os.environ if name.startswith(("BRAIN_", "OPENAI_"))]
        gone: dict[str, str | None] = dict.fromkeys(names)
        told = ENVIRONMENT | {"BRAIN_DATABASE_URL": self.database_url} | dict(self.settings)
        runner = CliRunner(env=gone | told)
        with chdir(self.folder):
            done = runner.invoke(app, self.command(arguments), input=said)
        structlog.reset_defaults()  # the command logged to a stderr that is closed now
        return Outcome(done.exit_code, done.stdout, done.stderr)

    @contextmanager
    def running(self, *arguments: str) -> Generator[subprocess.Popen[bytes]]:
        """A command that goes on while the test does something; ended at the latest when the block is left."""
        process = ForkedProcess(
            [BRAIN, *self.command(arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment,
            cwd=self.folder,
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    with suppress(BrokenPipeError):
                        pipe.close()

    def says(self, *messages: str, user: str = "ann", session: str = "") -> list[dict[str, Any]]:
        """Turns of one conversation, as reports."""
        spoken = [part for message in messages for part in ("--message", message)]
        named = ["--session", session] if session else []
        done = self.ask("chat", "--user", user, *named, "--json", *spoken)
        assert done.code == 0, done.err
        return done.lines

    def learns(self, *messages: str, session: str = "") -> None:
        """Turns of one conversation, and all that is done behind them, however busy the machine is."""
        self.says(*messages, session=session)
        worked = self.ask("worker", "--until-idle")
        assert worked.code == 0, worked.err

    def command(self, arguments: Sequence[str]) -> list[str]:
        """The tenant goes where a command takes one."""
        of_all = {"backup", "cells", "db", "doctor", "jobs", "migrate", "restore", "worker"}
        has_tenant = arguments[0] not in of_all and arguments[:2] != ("keys", "rotate-master")
        return [*arguments, *(["--tenant", self.tenant] if has_tenant else [])]


def type_line(program: subprocess.Popen[bytes], text: str) -> None:
    """What somebody types into a program that runs."""
    assert program.stdin is not None
    program.stdin.write(f"{text}\n".encode())
    program.stdin.flush()
