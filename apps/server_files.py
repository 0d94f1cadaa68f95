"""What the development server writes on disk: for its owner's eyes only, and without what people have said.

``langgraph dev`` keeps threads, runs and assistants in memory and writes them to ``.langgraph_api/`` every ten seconds
and at its end: messages in plain text that everybody on the machine may read and no forgetting reaches. The log and the
checkpoints in PostgreSQL hold the same words, so the files need only what makes an accepted run start again.
"""

import pickle
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any

from langgraph.checkpoint.memory import PersistentDict

FOLDER = Path(".langgraph_api")
"""Beside the place where the server was started."""
_RUNTIME = "langgraph_runtime_inmem.database"
_sync = PersistentDict.sync
_WAITING = frozenset({"pending", "running"})


def keep_private(folder: Path = FOLDER) -> None:
    """Close the folder to others, and leave out what people said from now on. Nothing to do for other servers."""
    if _RUNTIME not in sys.modules:
        return
    folder.mkdir(exist_ok=True)
    folder.chmod(0o700)
    for file in folder.iterdir():
        file.chmod(0o700 if file.is_dir() else 0o600)
    PersistentDict.sync = _sync_privately  # pyright: ignore[reportAttributeAccessIssue]
    operations = sys.modules[_RUNTIME].GLOBAL_STORE
    operations.dump = partial(dump_without_words, operations)


def dump_without_words(operations: Mapping[str, Any], file: IO[bytes]) -> None:
    """Write the server's own records as it reads them back, without words of which the database knows."""
    pickle.dump({**operations, **strip_words(operations)}, file, 2)


def strip_words(operations: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Threads as they were before their first run, and runs without input unless they still wait or were cut off."""
    return {
        "runs": [run if run["status"] in _WAITING else _strip_run(run) for run in operations["runs"]],
        "threads": [_strip_thread(thread) for thread in operations["threads"]],
    }


def _strip_run(run: Mapping[str, Any]) -> dict[str, Any]:
    return {**run, "kwargs": {**run["kwargs"], "input": None, "command": None}}


def _strip_thread(thread: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in thread.items() if name not in {"interrupts", "error"}}
    return {**kept, "values": None}


def _sync_privately(kept: Any) -> None:
    """Some files are made anew while the server ends, so that none can be told its mode beforehand."""
    kept.mode = 0o600
    _sync(kept)
