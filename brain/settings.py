"""Every knob of Brain, read from the environment (``BRAIN_…``, ``.env``) in this one place."""

import os
import sys
from base64 import b64decode
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit, urlunsplit
from zoneinfo import available_timezones

from platformdirs import user_data_path
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import SettingsConfigDict

from brain.approval import parse_acts
from brain.embeddings.local import DEFAULT_MODEL
from brain.settings_access import AccessSettings
from brain.settings_alerts import AlertSettings
from brain.settings_cells import CellSettings
from brain.settings_database import DatabaseSettings
from brain.settings_knowledge import KnowledgeSettings
from brain.settings_levels import LevelSettings
from brain.settings_media import MediaSettings
from brain.settings_past import PastSettings
from brain.settings_promotion import PromotionSettings
from brain.settings_routing import RoutingSettings
from brain.settings_serving import ServingSettings
from brain.settings_skills import SkillSettings
from brain.settings_soul import SoulSettings
from brain.settings_telemetry import TelemetrySettings
from memory.errors import config_error
from memory.scope import DmScope

EmbeddingKind = Literal["none", "encoder", "openai", "torch", "local"]
CrossEncoderKind = Literal["none", "torch", "local"]
LogLevel = Literal["debug", "info", "warning", "error"]

PAUSE, PAUSE_WITH_MODEL = 0.5, 20.0
"""Rules read each turn as it comes; a model reads all that was said until somebody paused."""
_AUDIT_KEY_BYTES = 32
_EMBEDDING_FORMS = "none, encoder, openai:MODEL, torch:NAME_OR_PATH, local or local:NAME_OR_PATH"
_CROSS_ENCODER_FORMS = "none, torch:NAME_OR_PATH or local:NAME_OR_PATH"


def default_data_dir() -> Path:
    """Where the embedded database lives: the person's own data folder, or for root one that others can enter."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/brain")
    old = Path.home() / "Library" / "Application Support" / "brain"
    if sys.platform == "darwin" and old.exists():  # made there before XDG_DATA_HOME counted on macOS
        return old
    return user_data_path("brain", appauthor=False)


class Settings(
    AccessSettings,
    CellSettings,
    AlertSettings,
    DatabaseSettings,
    KnowledgeSettings,
    LevelSettings,
    MediaSettings,
    PastSettings,
    PromotionSettings,
    RoutingSettings,
    ServingSettings,
    SkillSettings,
    SoulSettings,
    TelemetrySettings,
):
    """The configuration of one process. Raises ``E_CONFIG`` in one line when a value cannot be used."""

    model_config = SettingsConfigDict(
        env_prefix="BRAIN_", env_file=".env", extra="ignore", frozen=True, populate_by_name=True, env_ignore_empty=True
    )

    database_url: str | None = Field(None, repr=False)
    app_database_url: str | None = Field(None, repr=False)
    data_dir: Path = Field(
        default_factory=default_data_dir, validation_alias=AliasChoices("BRAIN_HOME", "BRAIN_DATA_DIR")
    )
    keys_dir: Path | None = None
    database_connections: int = Field(8, ge=1, le=200)
    database_timeout: float = Field(10.0, gt=0, le=600)

    openai_api_key: SecretStr | None = Field(
        None, validation_alias=AliasChoices("BRAIN_OPENAI_API_KEY", "OPENAI_API_KEY")
    )
    base_url: str | None = Field(None, validation_alias=AliasChoices("BRAIN_BASE_URL", "OPENAI_BASE_URL"))
    chat_model: str = "gpt-4.1"
    fast_model: str = "gpt-4.1-mini"
    model_timeout: float = Field(60.0, gt=0, le=3_600)
    fast_timeout: float = Field(120.0, gt=0, le=3_600)
    fast_patience: float = Field(0.5, ge=0, le=60)
    daily_tokens: int | None = Field(None, ge=0)
    context_window: int = Field(128_000, ge=4_000)

    embeddings: str | None = None
    embedding_timeout: float = Field(5.0, gt=0, le=600)
    recall_memory: int = Field(256, ge=0, le=100_000)
    pin_tokens: int = Field(200, ge=0, le=2_000)
    ranking_policy: str = Field("default", pattern=r"^[a-z0-9][a-z0-9_.@-]{0,63}$")
    model_rerank: bool = False
    cross_encoder: str | None = None
    rerank_timeout: float = Field(2.0, gt=0, le=600)
    dm_scope: DmScope = "main"
    time_zone: str = "UTC"
    window_events: int = Field(40, ge=2, le=400)
    messages_kept: int = Field(60, ge=4, le=1000)
    session_days: int = Field(30, ge=1, le=3650)
    fold_tokens: int | None = Field(None, ge=50, le=100_000)

    approval: str = "bulk,conflicts"
    approval_bulk: int = Field(5, ge=1, le=1_000)
    approval_hours: float = Field(24.0, gt=0, le=8_760)

    upkeep_hours: float = Field(24.0, ge=0, le=8_760)

    audit_key: SecretStr | None = None
    erasures_folder: Path | None = None
    backup_days: int = Field(30, ge=0, le=36_500)
    erasure_webhook: str | None = Field(None, pattern=r"^https?://", repr=False)

    checkpoint_retention_days: int = Field(30, ge=1)
    checkpoints_per_thread: int = Field(500, ge=1)

    request_bytes: int = Field(8_000_000, ge=1_000, le=1_000_000_000)
    request_timeout: float = Field(300.0, gt=0, le=3_600)
    tenant_requests: int = Field(600, ge=0, le=1_000_000)
    tenant_concurrency: int = Field(64, ge=1, le=10_000)
    mcp_destructive: bool = False
    stop_patience: float = Field(60.0, gt=0, le=3_600)
    log_level: LogLevel = "warning"
    worker: bool = True
    evolution_debounce: float | None = Field(None, ge=0, le=3_600)
    turn_patience: float = Field(3_600, ge=0, le=604_800)
    tenant_backlog: int = Field(500, ge=0, le=100_000)
    backlog: int = Field(5_000, ge=0, le=100_000)
    detect_steering: bool = True
    sanitize_with_model: bool = False

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise config_error(_complaint(error), "Correct it in the environment or in .env.") from None

    @property
    def embedding_model(self) -> tuple[EmbeddingKind, str]:
        """The provider and model of vectors; without a choice, the encoder that computes in this process."""
        return _parse_embedding(self.embeddings or "encoder")

    @property
    def evolution_pause(self) -> float:
        """Seconds without a further turn after which a conversation is looked at: a model is asked once per pause."""
        if self.evolution_debounce is not None:
            return self.evolution_debounce
        return PAUSE_WITH_MODEL if self.openai_api_key or self.base_url else PAUSE

    @property
    def cross_encoder_model(self) -> tuple[CrossEncoderKind, str]:
        """The provider and model of the cross-encoder; none without a choice."""
        return _parse_cross_encoder(self.cross_encoder or "none")

    @property
    def audit_secret(self) -> bytes | None:
        """The secret behind the audit chain, where the environment has it."""
        return _parse_audit_key(self.audit_key) if self.audit_key else None

    @field_validator("embeddings")
    @classmethod
    def _check_embeddings(cls, value: str | None) -> str | None:
        if value is not None:
            _parse_embedding(value)
        return value

    @field_validator("cross_encoder")
    @classmethod
    def _check_cross_encoder(cls, value: str | None) -> str | None:
        if value is not None:
            _parse_cross_encoder(value)
        return value

    @field_validator("audit_key")
    @classmethod
    def _check_audit_key(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            _parse_audit_key(value)
        return value

    @field_validator("base_url")
    @classmethod
    def _check_base_url(cls, value: str | None) -> str | None:
        if value is not None and not _is_web_address(value):
            raise ValueError("it must look like http://127.0.0.1:11434/v1")
        return value

    @field_validator("approval")
    @classmethod
    def _check_approval(cls, value: str) -> str:
        parse_acts(value)
        return value

    @field_validator("time_zone")
    @classmethod
    def _check_time_zone(cls, value: str) -> str:
        if value not in available_timezones():
            raise ValueError(f"{value!r} is not an IANA time zone such as Europe/Paris")
        return value

    @field_validator("data_dir", "keys_dir")
    @classmethod
    def _make_absolute(cls, value: Path | None) -> Path | None:
        return value.expanduser().absolute() if value is not None else None

    @model_validator(mode="after")
    def _check_database_urls(self) -> Self:
        others = ("app_database_url", "direct_database_url", "replica_database_url")
        if (lonely := [name for name in others if getattr(self, name)]) and not self.database_url:
            raise ValueError(f"BRAIN_{lonely[0].upper()} needs BRAIN_DATABASE_URL, the owner's address, beside it")
        return self


def strip_credentials(url: str) -> str:
    """The address of a server with its credentials and options cut away, fit for a screen or a log.

    Where a password has a ``/``, ``?`` or ``#`` in it, nothing tells where it ends: nothing behind the scheme is shown.
    """
    parts = urlsplit(url)
    if "@" in url and "@" not in parts.netloc:
        return f"{parts.scheme}://…"
    user = f"{parts.username}@" if parts.username else ""
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, user + place, parts.path, "", ""))


def _is_web_address(text: str) -> bool:
    """Whether it can be read as one. What is said of one that cannot repeats it, with its credentials."""
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and parts.port != 0
    except ValueError:
        return False


def _parse_embedding(text: str) -> tuple[EmbeddingKind, str]:
    kind, _, name = text.partition(":")
    match kind:
        case "none" | "encoder" if not name:
            return kind, ""
        case "local" if not name:
            return "local", DEFAULT_MODEL
        case "openai" | "torch" | "local" if name:
            return kind, name
        case _:
            raise ValueError(f"{text!r} is not one of {_EMBEDDING_FORMS}")


def _parse_cross_encoder(text: str) -> tuple[CrossEncoderKind, str]:
    kind, _, name = text.partition(":")
    match kind:
        case "none" if not name:
            return "none", ""
        case "torch" | "local" if name:
            return kind, name
        case _:
            raise ValueError(f"{text!r} is not one of {_CROSS_ENCODER_FORMS}")


def _parse_audit_key(key: SecretStr) -> bytes:
    try:
        secret = b64decode(key.get_secret_value(), validate=True)
    except ValueError:
        secret = b""
    if len(secret) != _AUDIT_KEY_BYTES:
        raise ValueError(
            f"it must be {_AUDIT_KEY_BYTES} random bytes in base64, such as 'openssl rand -base64 32' makes"
        )
    return secret


def _complaint(error: ValidationError) -> str:
    """One line naming the variables; the rejected values stay out of it because some of them are secret."""
    return "; ".join(_one_complaint(dict(item)) for item in error.errors(include_input=False, include_url=False))


def _one_complaint(item: dict[str, Any]) -> str:
    reason = str(item["msg"]).removeprefix("Value error, ")
    if not item["loc"]:
        return reason
    name = str(item["loc"][0])
    return f"{name if name.isupper() else f'BRAIN_{name.upper()}'}: {reason}"
