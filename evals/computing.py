"""How much processor time an answer takes, here and in the server: what other programs hardly disturb."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import psycopg

from evals.measure import Call


@dataclass(frozen=True, kw_only=True)
class Computing:
    """Milliseconds of processor time per call; ``server`` is None where the server's processes cannot be seen."""

    python: float
    server: float | None


async def measure_computing(calls: Mapping[str, Call], times: int, owner_url: str) -> dict[str, Computing]:
    """Each contender by itself, one call after another."""
    return {name: await _measure_call(call, times, lambda: _server_seconds(owner_url)) for name, call in calls.items()}


async def _measure_call(call: Call, times: int, server: Callable[[], float | None]) -> Computing:
    await call(0)
    here, there = process_time(), server()
    for number in range(1, times + 1):
        await call(number)
    spent, served = process_time() - here, server()
    known = None if there is None or served is None else (served - there) * 1000 / times
    return Computing(python=spent * 1000 / times, server=known)


def _server_seconds(owner_url: str) -> float | None:
    """What this database's sessions have computed so far, on a Linux machine that runs the server itself.

    Parallel workers are gone before they can be asked; a statement that uses them looks cheaper than it is.
    """
    with psycopg.connect(owner_url, autocommit=True) as connection:
        if connection.info.host not in {"127.0.0.1", "localhost"}:
            return None
        rows = connection.execute(
            "select pid from pg_stat_activity"
            " where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()"
        ).fetchall()
    try:
        return sum(int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for (pid,) in rows) / 1e9
    except OSError:
        return None
