"""How fast does a past come along: messages in the log and found by their words, beside plain inserts of the same?

``python -m evals.import_speed --messages 100000 --json out.json``

A made-up export of ChatGPT, each person's message with a reply of some sentences, is read by the path of ``brain past
import`` into a database of its own. The seconds of the processor are counted beside the clock's: the machine may be
busy with other things. The server's are its own processes', as the kernel counts them.
"""

import argparse
import asyncio
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import psycopg
from rich.console import Console
from rich.table import Table

from apps.calibration.measurement import a_database
from apps.past.import_past import PastImporter, remove_past
from brain.identity import Identity
from brain.recall import RecallRequest, recall
from brain.resources import Resources
from evals.contenders import brain_database, resources
from evals.evaluation.scratch import a_server
from evals.made_up_talk import sayings
from memory.postgres.roles import Addresses
from memory.scope import Speaker, scope_of

TALK = 10
"""Messages of a conversation."""
SENTENCES = 4
"""Of a reply."""
BEGINNING = 1_700_000_000
ASKED = "Where did the heron land? heron"
MARKED = "A heron landed on the roof of the town hall."
_PLAIN = "insert into plain (id, said, at) values (gen_random_uuid(), %s, to_timestamp(%s))"


@dataclass(frozen=True, kw_only=True)
class ImportSpeed:
    """Of one run; ``processor`` seconds are of this process, ``server`` those of PostgreSQL."""

    messages: int
    megabytes: float
    seconds: float
    processor: float
    server: float
    plain_seconds: float
    again_seconds: float
    removal_seconds: float
    found: bool

    @property
    def milliseconds_per_message(self) -> float:
        """Of the processor, the server's too."""
        return 1_000 * (self.processor + self.server) / self.messages


def made_up_export(messages: int) -> list[dict[str, Any]]:
    """So many messages in conversations of ``TALK``; one of them can be asked for."""
    said = [each.text for each in sayings(messages, seed=1)]
    said[messages // 2 - messages // 2 % 2] = MARKED
    return [_talk(start, said[start : start + TALK], said) for start in range(0, messages, TALK)]


def _talk(start: int, texts: list[str], said: list[str]) -> dict[str, Any]:
    nodes: dict[str, Any] = {}
    for number, text in enumerate(texts):
        reply = ". ".join(said[(start + number + more) % len(said)] for more in range(SENTENCES))
        is_reply = number % 2 == 1
        message = {
            "id": f"{start}-{number}",
            "author": {"role": "assistant" if is_reply else "user"},
            "create_time": BEGINNING + start * 60 + number,
            "content": {"content_type": "text", "parts": [reply if is_reply else text]},
        }
        parent = f"n{number - 1}" if number else None
        nodes[f"n{number}"] = {"id": f"n{number}", "message": message, "parent": parent, "children": []}
    told = {"conversation_id": str(start), "title": f"Talk {start}", "current_node": f"n{len(texts) - 1}"}
    return told | {"mapping": nodes}


async def measure(messages: int, url: str | None) -> ImportSpeed:
    """Import, import again, ask, take back."""
    with a_server(url) as server, tempfile.TemporaryDirectory() as folder:
        async with a_database(server) as where, brain_database(where) as database:
            file = Path(folder) / "conversations.json"
            file.write_text(json.dumps(made_up_export(messages)))
            return await _measure(resources(database, None), where, file, messages)


async def _measure(brain: Resources, where: Addresses, file: Path, messages: int) -> ImportSpeed:
    owner = _owner()
    server, processor, begun = _server_seconds(where), process_time(), perf_counter()
    tally = await _importer(brain, owner).run(file)
    seconds, processor = perf_counter() - begun, process_time() - processor
    server = _server_seconds(where) - server
    begun = perf_counter()
    await _importer(brain, owner).run(file)
    again = perf_counter() - begun
    asked = await recall(brain, owner.scope, RecallRequest(text=ASKED, at=brain.clock()))
    assert tally.import_id is not None
    begun = perf_counter()
    await remove_past(brain, owner, tally.import_id)
    removal = perf_counter() - begun
    return ImportSpeed(
        messages=tally.added,
        megabytes=file.stat().st_size / 1e6,  # noqa: ASYNC240 - nobody waits
        seconds=seconds,
        processor=processor,
        server=server,
        plain_seconds=_insert_plainly(where, file),
        again_seconds=again,
        removal_seconds=removal,
        found=any(MARKED in each.candidate.text for each in asked.ranked),
    )


def _owner() -> Identity:
    return Identity(scope=scope_of(Speaker(tenant="imported", user="ann")), tenant="imported", user="ann")


def _importer(brain: Resources, owner: Identity) -> PastImporter:
    return PastImporter(brain, owner, "UTC", lambda done, total, messages: None)


def _server_seconds(where: Addresses) -> float:
    """Of the processor, of all that PostgreSQL does for this database; the server is on this machine."""
    with psycopg.connect(where.owner) as connection:
        pids = [pid for (pid,) in connection.execute("select pid from pg_stat_activity").fetchall()]
    return sum(map(_seconds_of, pids))


def _seconds_of(pid: int) -> float:
    try:
        told = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def _insert_plainly(where: Addresses, file: Path) -> float:
    """The same words, a row each in a transaction per conversation, and nothing to find them by."""
    talks = json.loads(file.read_text())
    with psycopg.connect(where.owner) as connection:
        connection.execute("create table plain (id uuid primary key, said text not null, at timestamptz not null)")
        connection.commit()
        begun = perf_counter()
        for talk in talks:
            messages = [node["message"] for node in talk["mapping"].values()]
            rows = [(each["content"]["parts"][0], each["create_time"]) for each in messages]
            connection.cursor().executemany(_PLAIN, rows)
            connection.commit()
        return perf_counter() - begun


def _table(speed: ImportSpeed) -> Table:
    table = Table(title=f"{speed.messages:,} messages, {speed.megabytes:.0f} MB")
    for column in ("what", "how much"):
        table.add_column(column)
    table.add_row("seconds, in the log and found by words", f"{speed.seconds:.0f}")
    table.add_row("seconds of the processor: Brain, PostgreSQL", f"{speed.processor:.0f}, {speed.server:.0f}")
    table.add_row("milliseconds of the processor per message", f"{speed.milliseconds_per_message:.2f}")
    table.add_row("seconds, plain inserts of the same words", f"{speed.plain_seconds:.0f}")
    table.add_row("seconds, the same file again", f"{speed.again_seconds:.1f}")
    table.add_row("seconds, taken back", f"{speed.removal_seconds:.0f}")
    table.add_row("the message asked for is found", str(speed.found))
    return table


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.import_speed", description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--url", help="a superuser's URL of a server on this machine; else an embedded one is started")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    told = parser.parse_args()
    speed = asyncio.run(measure(told.messages, told.url))
    Console().print(_table(speed))
    if told.json:
        told.json.write_text(json.dumps(asdict(speed), indent=2))


if __name__ == "__main__":
    main()
