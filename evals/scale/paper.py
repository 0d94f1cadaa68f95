"""What a million people would need, computed from measured constants and from prices and habits given as parameters."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MEASURED = Path(__file__).parents[1] / "data" / "scale.json"
TRIMMED = ("checkpoint.", "queue.")
"""Tables that upkeep keeps short: what they hold does not grow with the years."""
SECONDS_OF_MONTH = 30 * 86_400
DAYS_OF_MONTH = 30
FREEZE_AFTER = 200_000_000
"""Transactions after which PostgreSQL freezes a table whatever else it does (``autovacuum_freeze_max_age``)."""
GB, MB = 1e9, 1e6


@dataclass(frozen=True, kw_only=True)
class Assumptions:
    """What nobody can measure here. Prices are of one month, in any currency."""

    people: float = 1e6
    turns: float = 1e3
    months: float = 12
    cell_gb: float = 2_000
    full_pages: float = 2.5
    turn_ms: float = 150
    peak: float = 4
    busy: float = 0.5
    connections: float = 10
    copy_mb: float = 100
    vacuum_mb: float = 100
    price_gb: float = 0.10
    price_backup_gb: float = 0.02
    price_core: float = 25
    backups: float = 4
    replicas: float = 2


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What a turn leaves: rows and bytes (indexes included) by table, bytes of log, transactions."""

    rows: Mapping[str, float]
    size: Mapping[str, float]
    wal: float
    transactions: float

    @property
    def kept(self) -> float:
        """Bytes that stay for good."""
        return sum(size for name, size in self.size.items() if not name.startswith(TRIMMED))

    @property
    def trimmed(self) -> float:
        """Bytes that stay for a while."""
        return sum(self.size.values()) - self.kept


@dataclass(frozen=True, kw_only=True)
class Paper:
    """The sums."""

    turns: float
    kept_bytes: float
    cells: int
    turns_per_second: float
    peak_cores: float
    connections: float
    wal_gb_day: float
    backup_hours: float
    vacuum_hours: float
    freeze_days: float
    cost_storage: float
    cost_backup: float
    cost_compute: float

    @property
    def cost(self) -> float:
        """Of one person and month."""
        return self.cost_storage + self.cost_backup + self.cost_compute


def compute(turn: Turn, given: Assumptions) -> Paper:
    """All figures after ``months``, when everything has been said that is counted; money is per person and month."""
    turns = given.people * given.turns
    kept = turns * turn.kept
    cells = max(1, math.ceil(kept / (given.cell_gb * GB)))
    per_second = turns / (given.months * SECONDS_OF_MONTH)
    cores = per_second * given.peak * given.turn_ms / 1000 / given.busy
    per_day = turns / (given.months * DAYS_OF_MONTH)
    cell_bytes = kept / cells
    return Paper(
        turns=turns,
        kept_bytes=kept,
        cells=cells,
        turns_per_second=per_second,
        peak_cores=cores,
        connections=math.ceil(cores) * given.connections,
        wal_gb_day=per_day * turn.wal * given.full_pages / GB,
        backup_hours=cell_bytes / (given.copy_mb * MB) / 3600,
        vacuum_hours=cell_bytes / (given.vacuum_mb * MB) / 3600,
        freeze_days=FREEZE_AFTER / (per_day / cells * turn.transactions),
        cost_storage=kept / GB * given.replicas * given.price_gb / given.people,
        cost_backup=kept / GB * given.backups * given.price_backup_gb / given.people,
        cost_compute=cores * given.price_core / given.people,
    )


def read_turns(path: Path = MEASURED) -> dict[str, Turn]:
    """What was measured, by language and kind of run, and the mean of all."""
    measured = json.loads(path.read_text("utf-8"))["month"]
    turns = {f"{each['language']}, {'model' if each['model'] else 'rules'}": _turn(each) for each in measured}
    return {**turns, "mean": _mean(list(turns.values()))}


def _turn(month: Mapping[str, Any]) -> Turn:
    tables: Mapping[str, Mapping[str, float]] = month["tables"]
    return Turn(
        rows={name: each["rows"] for name, each in tables.items()},
        size={name: each["heap"] + each["indexes"] for name, each in tables.items()},
        wal=month["wal"],
        transactions=month["transactions"],
    )


def _mean(turns: Sequence[Turn]) -> Turn:
    names = list(dict.fromkeys(name for each in turns for name in each.rows))
    count = len(turns)
    return Turn(
        rows={name: sum(each.rows.get(name, 0) for each in turns) / count for name in names},
        size={name: sum(each.size.get(name, 0) for each in turns) / count for name in names},
        wal=sum(each.wal for each in turns) / count,
        transactions=sum(each.transactions for each in turns) / count,
    )


def turn_lines(turns: Mapping[str, Turn]) -> Iterator[str]:
    """Rows per turn by table under each kind of run, and the mean bytes."""
    mean = turns["mean"]
    yield f"{'rows per turn':<34}" + "".join(f"{name:>12}" for name in turns) + f"{'bytes':>10}"
    for table in sorted(mean.rows, key=lambda name: -mean.size[name]):
        rows = "".join(f"{each.rows.get(table, 0):>12.2f}" for each in turns.values())
        yield f"{table:<34}{rows}{mean.size[table]:>10,.0f}"
    yield f"{'bytes kept':<34}" + "".join(f"{each.kept:>12,.0f}" for each in turns.values())
    yield f"{'bytes trimmed later':<34}" + "".join(f"{each.trimmed:>12,.0f}" for each in turns.values())
    yield f"{'log (WAL), without full pages':<34}" + "".join(f"{each.wal:>12,.0f}" for each in turns.values())
    yield f"{'transactions':<34}" + "".join(f"{each.transactions:>12.1f}" for each in turns.values())


def paper_lines(paper: Paper, given: Assumptions) -> Iterator[str]:
    """Each figure beside how it comes about."""
    yield f"turns                  {paper.turns:>16,.0f}  people × turns"
    yield f"bytes kept             {paper.kept_bytes / 1e12:>13,.2f} TB  turns × bytes kept per turn"
    yield f"cells                  {paper.cells:>16,}  bytes kept ÷ {given.cell_gb:,.0f} GB a cell"
    yield f"turns a second         {paper.turns_per_second:>16,.1f}  turns ÷ {given.months:g} months"
    yield f"cores at the peak      {paper.peak_cores:>16,.1f}  turns a second × peak × {given.turn_ms:g} ms ÷ busy"
    yield f"connections            {paper.connections:>16,.0f}  a process a core × {given.connections:g}"
    yield f"log a day              {paper.wal_gb_day:>13,.1f} GB  turns a day × log per turn × {given.full_pages:g}"
    yield f"full copy of a cell    {paper.backup_hours:>14,.1f} h  bytes of a cell ÷ {given.copy_mb:g} MB/s"
    yield f"vacuum of a cell       {paper.vacuum_hours:>14,.1f} h  bytes of a cell ÷ {given.vacuum_mb:g} MB/s"
    yield f"days until freezing    {paper.freeze_days:>16,.1f}  {FREEZE_AFTER:,} ÷ transactions of a cell a day"
    yield f"storage                {paper.cost_storage:>16,.4f}  GB × {given.replicas:g} copies × {given.price_gb:g}"
    yield f"backups                {paper.cost_backup:>16,.4f}  GB × {given.backups:g} × {given.price_backup_gb:g}"
    yield f"computing              {paper.cost_compute:>16,.4f}  cores × {given.price_core:g}"
    yield f"per person and month   {paper.cost:>16,.4f}  the sum, without what models cost"
