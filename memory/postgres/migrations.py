"""The migrations that this Brain ships, and whether what a database has been through is among them."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from memory.errors import config_error

_NUMBERED = re.compile(r"\d{4}_[a-z0-9_]+\.sql")
_QUEUE = "queue/"


@dataclass(frozen=True)
class Migration:
    """One numbered file; once it has landed, its content never changes."""

    name: str
    text: str

    @property
    def sha256(self) -> str:
        """Hex digest of the file's text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def brain_migrations() -> list[Migration]:
    """The migrations of this Brain, in order."""
    return _read_migrations(files("migrations"), _NUMBERED)


def queue_migrations() -> list[Migration]:
    """The queue's own migrations, in order."""
    return _read_migrations(files("procrastinate.sql.migrations"), re.compile(r".*\.sql"), _QUEUE)


def grants_sql() -> str:
    """What the application may do with the tables and functions that the migrations made, as SQL."""
    return files("migrations").joinpath("grants.sql").read_text("utf-8")


def read_digests(file_name: str) -> list[tuple[str, str]]:
    """Name and digest of each line of a file in ``migrations/``, written as ``sha256sum`` does."""
    lines = files("migrations").joinpath(file_name).read_text("utf-8").splitlines()
    return [(name, digest) for digest, name in (line.split("  ", 1) for line in lines)]


def require_compatible(done: Mapping[str, str], wanted: Sequence[Migration]) -> None:
    """Refuse a database that a newer Brain migrated, or one whose migrations said something else. Raises ``E_CONFIG``.

    ``done``: the digest of each applied migration by name. Earlier versions of a file that are listed are fine:
    migration 0016 brings what they made to the same schema. The queue's own migrations are the queue's business.
    """
    digests = {migration.name: migration.sha256 for migration in [*brain_migrations(), *wanted]}
    newer = [name for name in done if not name.startswith(_QUEUE) and name not in digests]
    if newer:
        raise config_error(
            f"A newer Brain has migrated this database: this one does not know {', '.join(sorted(newer))}.",
            "Update Brain, or point BRAIN_DATABASE_URL at another database.",
        )
    changed = [
        m.name for m in wanted if m.name in done and done[m.name] not in {m.sha256, *_earlier_digests().get(m.name, ())}
    ]
    if changed:
        raise config_error(
            f"{', '.join(changed)} was changed after it had been applied to this database.",
            "Restore the file and put the change into a new migration.",
        )


@cache
def _earlier_digests() -> Mapping[str, frozenset[str]]:
    """The digests that files had before they were frozen, by name."""
    listed = read_digests("earlier_digests.txt")
    return {name: frozenset(digest for each, digest in listed if each == name) for name, _ in listed}


def _read_migrations(folder: Traversable, pattern: re.Pattern[str], prefix: str = "") -> list[Migration]:
    found = (file for file in folder.iterdir() if pattern.fullmatch(file.name))
    return [Migration(prefix + file.name, file.read_text("utf-8")) for file in sorted(found, key=lambda f: f.name)]
