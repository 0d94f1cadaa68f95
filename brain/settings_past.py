"""How large a past may be that somebody brings along in the panel."""

from pydantic import Field
from pydantic_settings import BaseSettings


class PastSettings(BaseSettings):
    """A part of ``Settings``. ``past_upload_bytes`` is of one file; 0 takes none."""

    past_upload_bytes: int = Field(500_000_000, ge=0, le=8 << 30)
