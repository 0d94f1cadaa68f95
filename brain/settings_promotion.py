"""Knobs of what grows out of many people's conversations: promotion, and the agent's own experience."""

from pydantic import Field
from pydantic_settings import BaseSettings


class PromotionSettings(BaseSettings):
    """A part of ``Settings``."""

    promotion_people: int = Field(3, ge=2, le=1_000)
    """How many people have to tell the same before it is proposed; 2 at least, so that nobody's words stand alone."""
