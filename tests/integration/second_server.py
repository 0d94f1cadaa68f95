"""PostgreSQL's own programs, and a second server to restore into."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from brain.local_postgres.server import EmbeddedPostgres

SCHEMAS = ("--schema=brain", "--schema=queue", "--schema=checkpoint")


@dataclass(frozen=True)
class SecondServer:
    """An embedded server of its own, with its own transaction numbers, and the programs that came with it."""

    server: EmbeddedPostgres
    url: str

    def run(self, program: str, *arguments: str) -> str:
        """What a program of PostgreSQL prints. Raises ``CalledProcessError`` when it fails."""
        found = next((self.server.home / "postgres").glob(f"engine-*/.pg0/installation/*/bin/{program}"))
        return subprocess.run([str(found), *arguments], check=True, capture_output=True, text=True).stdout

    def schema_of(self, url: str, role: str) -> str:
        """The schema of a database with its grants, in which the application's role is called ``app``."""
        lines = self.run("pg_dump", "--schema-only", *SCHEMAS, url).replace(role, "app").splitlines()
        return "\n".join(line for line in lines if not line.startswith("\\"))

    def copy(self, source: str, target: str, folder: Path) -> None:
        """Dump a database and restore it into another one, without the owners and grants of the first."""
        dump = str(folder / "brain.dump")
        self.run("pg_dump", "--format=custom", f"--file={dump}", source)
        self.run("pg_restore", "--no-owner", "--no-acl", f"--dbname={target}", dump)
