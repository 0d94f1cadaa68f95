"""Does anything acknowledged get lost, doubled or shown to another, whatever is killed?

``python -m evals.soak --minutes 120 --people 6 --seed 1 --json out.json``

Real servers, a worker and Brain's own PostgreSQL in a temporary home; made-up people talk to them in English and
Chinese while all of it is killed again and again. No model is called. The exit code is 1 when something was wrong.
"""

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from apps.jobs.worker import end_on_signals
from evals.soak.run import Options, soak


def render(figures: dict[str, Any]) -> str:
    """One page."""
    lines = [f"{name.replace('_', ' '):<22} {value}" for name, value in figures.items() if name != "faults"]
    faults = [f"  {each['kind']}: {each['who']}: {each['what']} ({each['times']}×)" for each in figures["faults"]]
    return "\n".join([*lines, f"{'faults':<22} {len(faults)}", *faults])


async def _soak(options: Options) -> dict[str, Any]:
    """Whoever ends it ends everything that it started as well."""
    with end_on_signals():
        return await soak(options)
    sys.exit("The soak was ended before its time.")


def main() -> None:
    """Soak, print, write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument("--people", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pause", type=float, default=6.0, help="seconds between two acts of one person")
    parser.add_argument("--storm", type=float, default=120.0, help="seconds of each storm")
    parser.add_argument("--calm", type=float, default=180.0, help="seconds of talk between a storm and the next look")
    parser.add_argument("--between-kills", type=float, default=12.0, help="seconds, on average")
    parser.add_argument("--embeddings", default="", help="none saves processor time; Brain's own otherwise")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    told = vars(parser.parse_args())
    target: Path | None = told.pop("json")
    figures = asyncio.run(_soak(Options(seconds=60 * told.pop("minutes"), **told)))
    print(render(figures))
    if target:
        target.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n")
    sys.exit(1 if figures["faults"] else 0)


if __name__ == "__main__":
    main()
