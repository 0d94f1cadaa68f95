"""Where the database is beside its main address, and how it is spoken to."""

from urllib.parse import urlsplit

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict
from pydantic import Field, field_validator
from pydantic_settings import BaseSettings


class DatabaseSettings(BaseSettings):
    """A way past a pooler, a copy to read from, and how long the embedded server runs on when no process uses it."""

    direct_database_url: str | None = Field(None, repr=False)
    replica_database_url: str | None = Field(None, repr=False)
    database_prepare: bool | None = None
    database_idle_minutes: float = Field(10.0, ge=0, le=525_600)

    @property
    def database_patience(self) -> float:
        """The idle minutes in seconds; 0 lets it stay."""
        return self.database_idle_minutes * 60

    @field_validator(
        "database_url", "app_database_url", "direct_database_url", "replica_database_url", check_fields=False
    )
    @classmethod
    def _check_postgres_url(cls, value: str | None) -> str | None:
        if value is not None and not is_postgres_address(value):
            raise ValueError(
                "it must look like postgresql://user:password@host:5432/database, with %2F for / in the password"
                " and the like"
            )
        return value


def is_postgres_address(text: str) -> bool:
    """Whether PostgreSQL and we read it alike. What either says of one that it cannot read repeats the password."""
    try:
        ports = str(conninfo_to_dict(text).get("port") or "0")
        return urlsplit(text).scheme in {"postgresql", "postgres"} and ports.replace(",", "").isdecimal()
    except (ProgrammingError, ValueError):
        return False
