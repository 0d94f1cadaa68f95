"""The knobs of alerts: where they are told, and how old a backup may be."""

from base64 import b64decode
from typing import Self

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings

LEAST_SECRET_BYTES = 24
"""As the specification of Standard Webhooks has it."""


class AlertSettings(BaseSettings):
    """A part of ``Settings``."""

    alert_webhook: str | None = Field(None, pattern=r"^https?://", repr=False)
    alert_webhook_secret: SecretStr | None = None
    alert_backup_hours: float = Field(0.0, ge=0, le=8_760)
    """0: nobody is told about backups."""

    @property
    def alert_signing_key(self) -> bytes:
        """By what is told to the webhook is signed."""
        return parse_webhook_secret(self.alert_webhook_secret) if self.alert_webhook_secret else b""

    @field_validator("alert_webhook_secret")
    @classmethod
    def _check_alert_webhook_secret(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None:
            parse_webhook_secret(value)
        return value

    @model_validator(mode="after")
    def _check_alert_webhook(self) -> Self:
        if self.alert_webhook and not self.alert_webhook_secret:
            raise ValueError("BRAIN_ALERT_WEBHOOK needs BRAIN_ALERT_WEBHOOK_SECRET, by which its calls are signed")
        return self


def parse_webhook_secret(secret: SecretStr) -> bytes:
    """The bytes of a secret in base64, which may begin with ``whsec_``. Raises ``ValueError``."""
    try:
        key = b64decode(secret.get_secret_value().removeprefix("whsec_"), validate=True)
    except ValueError:
        key = b""
    if len(key) < LEAST_SECRET_BYTES:
        raise ValueError(
            f"it must be {LEAST_SECRET_BYTES} random bytes or more in base64, such as 'openssl rand -base64 32' makes"
        )
    return key
