"""The knobs of SOUL: who decides on a change, and how long its replies are watched."""

from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings

from memory.soul import MAX_DAILY_PROPOSALS


class SoulSettings(BaseSettings):
    """Read from the environment with the others."""

    soul_approval: Literal["person", "none"] = "person"
    soul_watch_turns: int = Field(30, ge=30, le=100_000)
    soul_daily_proposals: int = Field(MAX_DAILY_PROPOSALS, ge=1, le=1_000)
