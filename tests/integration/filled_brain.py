"""A Brain with something to back up, and a backup of it."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from apps.backups.manifest import find_backup
from tests.conftest import a_database
from tests.integration.brain_process import Brain, as_url

SAID = ("I live in Ghent.", "My cat is called Moos.", "我喜欢喝茶。")


@contextmanager
def a_filled_brain(server_url: str, home: Path, folder: Path, log_level: str) -> Generator[Brain]:
    """Somebody who has said something, and whose memory has grown."""
    chosen = {"BRAIN_HOME": str(home), "BRAIN_LOG_LEVEL": log_level, "BRAIN_AUDIT_KEY": ""}
    with a_database(server_url) as where:
        brain = Brain(as_url(where.owner), folder, settings=chosen)
        brain.learns(*SAID)
        yield brain


def back_up(brain: Brain, parent: Path) -> Path:
    """A backup of that."""
    done = brain.ask("backup", str(parent), "--json")
    assert done.code == 0, done.err
    return Path(done.json["folder"])


def saved_rows(folder: Path) -> dict[str, int]:
    """How many rows of each table are in the newest backup; when that of before was made is noted beside."""
    return {name: count for name, count in find_backup(folder).manifest.rows.items() if name != "brain.last_done"}
