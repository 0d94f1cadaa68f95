"""PostgreSQL's own programs for dumping and restoring: those of the embedded engine, or newer ones of the machine."""

import asyncio
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from psycopg import conninfo

from brain.local_postgres.server import EmbeddedPostgres
from memory.errors import BrainError, config_error

_VERSION = re.compile(r"\b(\d+)(?:\.\d+)*\b")
_DIES_WITH_PARENT = 1
NEW_FORM = 17
"""The PostgreSQL whose dumps older ones cannot take."""
_LOG_TAIL_LINES = 6
"""Lines of a program's complaint that are told."""
OnLine = Callable[[str], None]


def find_program(engine: EmbeddedPostgres, name: str, server_major: int) -> Path:
    """The oldest program at hand that can speak with a server of this major version. Raises ``E_CONFIG``."""
    installed = shutil.which(name)
    at_hand = [each for each in (engine.find_program(name), Path(installed) if installed else None) if each]
    able = {major_of(each): each for each in reversed(at_hand) if _can_serve(major_of(each), server_major)}
    if able:
        return able[min(able)]
    raise config_error(
        f"There is no {name} for PostgreSQL {server_major} on this machine.",
        f"Install its client programs (postgresql-client-{server_major} in Debian) and try again.",
    )


def _can_serve(major: int, server_major: int) -> bool:
    """From 17 on they set what older servers do not know, and write what older programs do not read."""
    return major >= server_major and (server_major >= NEW_FORM or major < NEW_FORM)


def major_of(program: Path) -> int:
    """Which PostgreSQL a program belongs to."""
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    found = _VERSION.search(told)
    return int(found[1]) if found else 0


async def run_program(program: Path, address: str, arguments: Sequence[str], on_line: OnLine) -> None:
    """Run it against a database to its end; ``on_line`` hears what it says. Raises ``E_DEP_UNAVAILABLE``.

    It ends with this process, also where that is killed.
    """
    parts = {name: str(value) for name, value in conninfo.conninfo_to_dict(address).items()}
    secret = {"PGPASSWORD": parts.pop("password")} if "password" in parts else {}
    where = conninfo.make_conninfo("", **parts)
    process = await asyncio.create_subprocess_exec(
        program,
        *arguments,
        "--dbname",
        where,
        env={**os.environ, **secret, "LC_ALL": "C"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        preexec_fn=_die_with_parent if sys.platform == "linux" else None,
    )
    said: list[str] = []
    try:
        assert process.stderr is not None
        async for line in process.stderr:
            said.append(line.decode(errors="replace").strip())
            on_line(said[-1])
        status = await process.wait()
    except BaseException:
        process.kill()
        await process.wait()
        raise
    if status:
        complaint = " ".join([each for each in said if "error" in each.lower()] or said[-_LOG_TAIL_LINES:])
        raise BrainError("E_DEP_UNAVAILABLE", f"{program.name} failed: {complaint[:600]}", "Nothing was left behind.")


async def read_program(program: Path, arguments: Sequence[str]) -> str:
    """What a program prints that needs no database. Raises ``E_DEP_UNAVAILABLE``."""
    process = await asyncio.create_subprocess_exec(
        program,
        *arguments,
        env={**os.environ, "LC_ALL": "C"},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        preexec_fn=_die_with_parent if sys.platform == "linux" else None,
    )
    printed, said = await process.communicate()
    if process.returncode:
        complaint = said.decode(errors="replace").strip()[:600]
        raise BrainError("E_DEP_UNAVAILABLE", f"{program.name} failed: {complaint}", "Nothing was left behind.")
    return printed.decode()


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, signal.SIGKILL)
