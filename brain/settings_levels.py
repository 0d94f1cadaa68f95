"""The knobs of service levels: where figures pass and fail."""

from pydantic import field_validator
from pydantic_settings import BaseSettings

from brain.levels.bounds import parse_thresholds


class LevelSettings(BaseSettings):
    """A part of ``Settings``."""

    level_thresholds: str = ""
    """For every tenant that has not set its own."""

    @field_validator("level_thresholds")
    @classmethod
    def _check_level_thresholds(cls, value: str) -> str:
        parse_thresholds(value)
        return value
