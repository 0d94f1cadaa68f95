"""The models of a run by role: ``chat`` speaks to the user, ``fast`` fills in forms. Without them there are rules."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from pydantic import SecretStr

from brain.circuit_breaker import CircuitBreaker
from brain.models.port import ChatModel

PATIENT_TIMES = 3
"""How often in a row a form may come too late before replies stop waiting for any."""


async def _close_nothing() -> None:
    """Without a model there is no connection."""


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """Where the models are, and how long each role may take for a whole answer, retries included (seconds)."""

    base_url: str | None = None
    api_key: SecretStr | None = None
    chat_model: str = "gpt-4.1"
    fast_model: str = "gpt-4.1-mini"
    timeout_seconds: float = 60.0
    fast_timeout_seconds: float = 120.0
    context_window: int = 128_000

    @property
    def is_configured(self) -> bool:
        """A key alone means the default provider; an address alone is a local server, which needs no key."""
        return self.api_key is not None or self.base_url is not None


@dataclass(frozen=True, kw_only=True)
class Models:
    """Both roles, or neither. They belong to the event loop that first uses them; ``aclose`` ends their connections."""

    chat: ChatModel | None = None
    fast: ChatModel | None = None
    routed: ChatModel | None = None
    """The fast model, where it replies in place of the chat model and is counted as such."""
    absent: str = "model_not_configured"
    """Why there are none, where there are none."""
    deadline_breaker: CircuitBreaker = field(
        default_factory=lambda: CircuitBreaker(tolerates=PATIENT_TIMES), repr=False
    )
    """Hears of forms that came too late for the reply that waited for them."""
    close: Callable[[], Awaitable[None]] = field(default=_close_nothing, repr=False)

    @property
    def is_configured(self) -> bool:
        """Whether there is any model to ask."""
        return self.chat is not None or self.fast is not None

    @property
    def names(self) -> frozenset[str]:
        """The models as the provider calls them."""
        return frozenset(model.name for model in (self.chat, self.fast) if model is not None)

    async def aclose(self) -> None:
        """Leave no connection open. The models cannot be used afterwards."""
        await self.close()
