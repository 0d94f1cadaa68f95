"""The embedded database's part of the settings."""

from pydantic import Field
from pydantic_settings import BaseSettings


class DatabaseSettings(BaseSettings):
    """How long the embedded server runs on when no process uses it."""

    database_idle_minutes: float = Field(10.0, ge=0, le=525_600)

    @property
    def database_patience(self) -> float:
        """The same in seconds; 0 lets it stay."""
        return self.database_idle_minutes * 60
