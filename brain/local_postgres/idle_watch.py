"""Who ends the embedded server when nobody has used it for a while: a process of its own, as any user may be killed.

Used is a server to which somebody is connected, or that was asked for: ``database.idle`` holds the seconds of patience,
and its time of change is when a process asked last. The only watcher holds ``watch.lock``.
"""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread

from filelock import FileLock, Timeout

STAYS = 0.0
"""Seconds of patience of a server that is not ended."""


def note_use(home: Path, patience: float | None) -> None:
    """Tell that the server was asked for, and have it watched; whoever does holds the folder's lock.

    Where that cannot be written, as on a full disk, the server is there all the same.
    """
    told = read_patience(home)[0] if patience is None else patience
    draft = home / "database.idle.new"
    with suppress(OSError):
        draft.write_text(str(told))
        draft.replace(home / "database.idle")
        if told > STAYS and (free := hold_watch(home)) is not None:
            free.release()
            _start_watcher(home)


def read_patience(home: Path) -> tuple[float, float]:
    """Seconds of patience, and when the server was asked for last. Where nothing can be read it stays."""
    note = home / "database.idle"
    try:
        return float(note.read_text()), note.stat().st_mtime
    except (OSError, ValueError):
        return STAYS, 0.0


def hold_watch(home: Path) -> FileLock | None:
    """The lock of the only watcher, which the kernel releases of a killed one; None where somebody has it."""
    lock = FileLock(home / "watch.lock", timeout=0, mode=0o600, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        return None
    return lock


def _start_watcher(home: Path) -> None:
    """It outlives this process, and the terminal that this one was started in; where it ends before, it is reaped."""
    watcher = subprocess.Popen(
        [sys.executable, "-P", "-m", "brain.local_postgres", str(home.resolve())],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    Thread(target=watcher.wait, name="watcher of the database", daemon=True).start()
