"""Databases as earlier commits of Brain made them, with data in them: ``tests/data/databases``."""

from pathlib import Path
from uuid import UUID

import psycopg
from psycopg.sql import SQL, Identifier

from memory.postgres.roles import Addresses
from memory.scope import Scope

FOLDER = Path(__file__).parent / "data" / "databases"
EARLIER = sorted(path.stem for path in FOLDER.glob("*.sql"))
"""The commits whose databases there are."""
ANN = Scope(tenant_id=UUID(int=0xA), user_id=UUID(int=0xB), key="main")
"""Whose memories are in each of them."""
_DUMPED_ROLE = "brain_app"
_EXTENSIONS = ("vector", "intarray", "pg_trgm")


def load(commit: str, where: Addresses) -> None:
    """Make an empty database what it was at a commit. The application's role is made too, with another password.

    The owner must be allowed to create extensions, unless they are there.
    """
    text = (FOLDER / f"{commit}.sql").read_text("utf-8").replace(_DUMPED_ROLE, where.app_role)
    create_extensions(where.owner)
    with psycopg.connect(where.owner, autocommit=True) as connection:
        connection.execute(SQL("create role {} login password 'of-then'").format(Identifier(where.app_role)))
        connection.execute(text.encode())


def create_extensions(url: str) -> None:
    """What only an administrator may create."""
    with psycopg.connect(url, autocommit=True) as connection:
        for name in _EXTENSIONS:
            connection.execute(SQL("create extension if not exists {} with schema public").format(Identifier(name)))
