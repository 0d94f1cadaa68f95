"""The knobs of what an organisation knows."""

from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings


class KnowledgeSettings(BaseSettings):
    """Whether knowledge is asked, how long a turn waits for it, and how much of it a process keeps."""

    knowledge: Literal["on", "off"] = "on"
    knowledge_timeout: float = Field(0.3, gt=0, le=600)
    knowledge_memory: int = Field(256, ge=1, le=100_000)
