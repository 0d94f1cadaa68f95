"""Ten million memories in one table, and a million people on paper.

    python -m evals.scale --home DIRECTORY --rows 1000000 10000000      # loads (20 GB, many minutes), then measures
    python -m evals.scale --month --json FILE                           # what a turn leaves in every table
    python -m evals.scale --bytes                                       # does recall hold with one byte a dimension?
    python -m evals.scale --paper [--people 1e6 --turns 1e3 --price-gb 0.1 …]

Without ``--keep`` the server's folder is removed at the end.
"""

import argparse
import asyncio
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from evals.evaluation.scratch import a_server
from evals.measure import Rounds
from evals.scale.loading import Layout
from evals.scale.month import LANGUAGES, measure_month
from evals.scale.one_byte import measure_one_byte
from evals.scale.paper import Assumptions, compute, paper_lines, read_turns, turn_lines
from evals.scale.recalling import Table, measure_cold, measure_recall
from evals.scale.server import database_of, ensure_loaded, shipped_server
from evals.scale.upkeep import measure_partitions, measure_vacuum, sizes

PARTITIONED = 1_000
"""Memories of the people who are asked about in partitions."""


def measure_tables(told: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """Load what is not there; recall, cold and interleaved; partitions of the smallest table; vacuum of all."""
    layouts = [Layout(rows=rows, dimensions=told.dimensions, sizes=tuple(told.memories)) for rows in told.rows]
    for layout in layouts:
        yield f"loading {layout.rows:,}", asyncio.run(ensure_loaded(told.home, layout))
    with shipped_server(told.home, keep=told.keep) as url:
        tables = [Table(database_of(url, layout.rows), layout) for layout in layouts]
        yield "load of the machine", os.getloadavg()
        for table in tables:
            yield f"bytes {table.layout.rows:,}", sizes(table.where.owner)
            yield from (("cold", asdict(each)) for each in measure_cold(table, told.memories))
        rounds = Rounds(calls=told.calls, repetitions=told.repetitions)
        yield from (("recall", asdict(each)) for each in asyncio.run(measure_recall(tables, told.memories, rounds)))
        least = min(tables, key=lambda table: table.layout.rows)
        for partitions in told.partitions:
            yield "partitions", asdict(measure_partitions(least, partitions, PARTITIONED))
        for table in tables if told.vacuum else ():
            yield "vacuum", asdict(measure_vacuum(table.where.owner, table.layout.rows))
        yield "load of the machine", os.getloadavg()


def measure_months(days: int) -> Iterator[tuple[str, Any]]:
    """Both languages, with rules alone and with a model that notes much."""
    with a_server(durable=False) as server:
        for language in LANGUAGES:
            for model in (False, True):
                yield "month", asdict(asyncio.run(measure_month(server, language, model=model, days=days)))


def _parse() -> tuple[argparse.Namespace, Assumptions]:
    parser = argparse.ArgumentParser(
        prog="python -m evals.scale", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--home", type=Path, default=Path("scale-server"), help="folder of the server; 20 GB and more")
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--dimensions", type=int, default=512)
    parser.add_argument("--memories", type=int, nargs="+", default=[100, 1_000, 10_000])
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--partitions", type=int, nargs="*", default=[0, 16, 64])
    parser.add_argument("--vacuum", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--keep", action="store_true", help="leave the server's folder for another run")
    parser.add_argument("--month", action="store_true")
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--bytes", action="store_true")
    parser.add_argument("--paper", action="store_true")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    for each in fields(Assumptions):
        parser.add_argument(f"--{each.name.replace('_', '-')}", type=float, default=each.default)
    told = parser.parse_args()
    return told, Assumptions(**{each.name: getattr(told, each.name) for each in fields(Assumptions)})


def main() -> None:
    """Measure or compute, and print each figure as soon as it is there."""
    told, given = _parse()
    if told.paper:
        turns = read_turns()
        print("\n".join([*turn_lines(turns), "", *paper_lines(compute(turns["mean"], given), given)]))
        return
    if told.bytes:
        print("\n".join(measure_one_byte().lines()))
        return
    figures: list[tuple[str, Any]] = []
    for name, figure in measure_months(told.days) if told.month else measure_tables(told):
        print(name, json.dumps(figure), flush=True)
        figures.append((name, figure))
        if told.json:
            told.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
