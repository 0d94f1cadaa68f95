"""The knobs of telemetry. Where it goes is told by OpenTelemetry's own variables (``OTEL_…``)."""

from pydantic import Field
from pydantic_settings import BaseSettings


class TelemetrySettings(BaseSettings):
    """A part of ``Settings``. Nothing leaves the process unless ``otel`` is on; words and names only if asked for."""

    otel: bool = False
    otel_content: bool = False
    otel_users: bool = False
    otel_queue: int = Field(4_096, ge=64, le=1_000_000)
