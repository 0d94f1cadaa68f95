"""What the development server writes on disk: for its owner's eyes only, and without what people have said.

``langgraph dev`` keeps threads, runs and assistants in memory and writes them to ``.langgraph_api/`` every ten seconds
and at its end: messages in plain text that everybody on the machine may read and no forgetting reaches. The log and the
checkpoints in PostgreSQL hold the same words, so the files need only what makes an accepted run start again.

An accepted run starts again in the database that it was accepted for, and in no other: each has a folder of its own.
"""

import pickle
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, Any

import structlog
from langgraph.checkpoint.memory import PersistentDict

log = structlog.get_logger(__name__)

FOLDER = Path(".langgraph_api")
"""Beside the place where the server was started."""
_RUNTIME = "langgraph_runtime_inmem.database"
_RECORDS, _RETRIES = ".langgraph_ops.pckl", ".langgraph_retry_counter.pckl"
_sync = PersistentDict.sync
_WAITING = frozenset({"pending", "running"})


def keep_private(folder: Path = FOLDER) -> None:
    """Close the folder to others, and leave out what people said from now on. Nothing to do for other servers."""
    if _RUNTIME not in sys.modules:
        return
    folder.mkdir(exist_ok=True)
    folder.chmod(0o700)
    for file in folder.rglob("*"):
        with suppress(FileNotFoundError):  # one that was being written has its final name now
            file.chmod(0o700 if file.is_dir() else 0o600)
    PersistentDict.sync = _sync_privately  # pyright: ignore[reportAttributeAccessIssue]
    operations = sys.modules[_RUNTIME].GLOBAL_STORE
    operations.dump = partial(dump_without_words, operations)


def open_records(database_id: str, folder: Path = FOLDER) -> None:
    """Let the server go on with the threads and runs of this database, and say which runs of others it leaves.

    It comes when the runtime has read the place that knows no database, and before it runs anything. What lay there, as
    an earlier Brain kept it, becomes this database's. Nothing to do for other servers.
    """
    if _RUNTIME not in sys.modules:
        return
    runtime, own = sys.modules[_RUNTIME], folder / database_id
    records, retries = runtime.GLOBAL_STORE, runtime.GLOBAL_RETRY_COUNTER._counters
    if Path(records.filename) == own / _RECORDS:
        return
    own.mkdir(mode=0o700, parents=True, exist_ok=True)
    records.filename, retries.filename = str(own / _RECORDS), str(own / _RETRIES)
    if (own / _RECORDS).exists():
        _read_again(records)
    elif (folder / _RECORDS).exists():
        (folder / _RECORDS).rename(own / _RECORDS)
    _tell_of_others(set(folder.glob(f"*/{_RECORDS}")) - {own / _RECORDS})


def _read_again(records: Any) -> None:
    """Replace what the runtime has read, and do as it does: runs that were cut off wait again, its assistants go."""
    read = _load(Path(records.filename))
    records.clear()
    for run in read["runs"]:
        run["status"] = "pending" if run["status"] == "running" else run["status"]
    own = [each for each in read["assistants"] if each["metadata"].get("created_by") != "system"]
    records.update(read | {"assistants": own})


def _load(file: Path) -> dict[str, list[dict[str, Any]]]:
    """What a file holds. One that cannot be read, as after a change of classes in it, is put aside."""
    try:
        return pickle.loads(file.read_bytes())
    except Exception as error:
        log.exception("records_unreadable", file=str(file), error=type(error).__name__)
        file.rename(file.with_suffix(".unreadable"))
        return {"runs": [], "assistants": []}


def _tell_of_others(files: Collection[Path]) -> None:
    for file in sorted(files):
        if count := sum(run["status"] in _WAITING for run in _load(file)["runs"]):
            log.warning("runs_left", why="accepted for another database", count=count, folder=str(file.parent))


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
