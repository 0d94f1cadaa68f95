"""Where the database is beside its main address, and how it is spoken to."""

from urllib.parse import urlsplit

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
        if value is not None and urlsplit(value).scheme not in {"postgresql", "postgres"}:
            raise ValueError("it must look like postgresql://user:password@host:5432/database")
        return value
