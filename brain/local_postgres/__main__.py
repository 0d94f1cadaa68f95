"""The watcher of an embedded server: ``python -m brain.local_postgres FOLDER``. Brain starts it by itself."""

import sys
import time
from pathlib import Path

from brain.local_postgres.idle_watch import STAYS, hold_watch, read_patience
from brain.local_postgres.server import EmbeddedPostgres
from memory.errors import BrainError

_LOOKS = 10
"""How often it looks within its patience, as long as that is neither too often nor too seldom."""
_SHORTEST, _LONGEST = 0.1, 30.0
"""Seconds between two looks."""


def watch(server: EmbeddedPostgres) -> None:
    """End the server when nobody has used it for long enough. Returns as well when it stays or has ended.

    It decides under the folder's lock, and is gone before it lets go of that: who starts the server anew starts another
    watcher.
    """
    watching = hold_watch(server.home)
    used_at = time.time()
    while watching is not None:
        time.sleep(min(max(read_patience(server.home)[0] / _LOOKS, _SHORTEST), _LONGEST))
        try:
            with server.hold_lock():
                used_at = time.time() if server.has_clients() else used_at
                if _is_over(server, used_at):
                    watching.release()
                    return
        except BrainError:  # somebody holds the lock for long, or the server does not stop: look again
            continue


def _is_over(server: EmbeddedPostgres, used_at: float) -> bool:
    """Whether there is nothing left to watch; an idle server is ended."""
    patience, asked_at = read_patience(server.home)
    if patience <= STAYS or not server.is_running():
        return True
    if time.time() - max(used_at, asked_at) < patience:
        return False
    server.end()
    return True


if __name__ == "__main__":
    watch(EmbeddedPostgres(Path(sys.argv[1])))
