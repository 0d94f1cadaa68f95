"""Settings of serving: how a process leaves, and the budgets of a turn's stages."""

from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings


class ServingSettings(BaseSettings):
    """A part of ``Settings``.

    ``stop_notice``: seconds between the signal to end and the end of listening, for a balancer to look elsewhere.
    The budgets are milliseconds; ``stage_seconds`` is how long a stage may be a fifth above its own, ``stage_load`` how
    many turns at once count as load, ``stage_recovery`` the seconds of calm after which something comes back.
    """

    stop_notice: float = Field(0.0, ge=0, le=600)
    stage_budgets: Literal["on", "off"] = "on"
    stage_open: int = Field(20, ge=1, le=60_000)
    stage_intent: int = Field(30, ge=1, le=60_000)
    stage_retrieval: int = Field(220, ge=1, le=60_000)
    stage_context: int = Field(60, ge=1, le=60_000)
    stage_jitter: int = Field(70, ge=0, le=60_000)
    stage_window: float = Field(5.0, ge=0.5, le=600)
    stage_seconds: float = Field(600.0, ge=1, le=86_400)
    stage_load: int = Field(8, ge=0, le=100_000)
    stage_recovery: float = Field(30.0, ge=1, le=86_400)
