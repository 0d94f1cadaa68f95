"""The knobs of routing: which model replies to what, and what models cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings

from memory.errors import bad_request

Routing = Literal["off", "by_intent"]
_FORM = "MODEL=INPUT/OUTPUT, per million tokens, such as gpt-4.1=2.00/8.00; several are joined by commas"


@dataclass(frozen=True)
class Price:
    """Per million tokens, in whichever currency they were told."""

    per_input: float
    per_output: float

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        """What so many tokens cost."""
        return (input_tokens * self.per_input + output_tokens * self.per_output) / 1_000_000


class RoutingSettings(BaseSettings):
    """A part of ``Settings``."""

    routing: Routing = "off"
    routing_upgrade_turns: int = Field(5, ge=0, le=100)
    model_prices: str = ""

    @property
    def prices(self) -> Mapping[str, Price]:
        """The price of each model that has one."""
        return parse_prices(self.model_prices)

    @field_validator("model_prices")
    @classmethod
    def _check_prices(cls, value: str) -> str:
        parse_prices(value)
        return value


def parse_prices(text: str) -> Mapping[str, Price]:
    """Prices by model. Raises ``ValueError``."""
    return dict(_parse_price(each.strip()) for each in text.split(",") if each.strip())


def _parse_price(text: str) -> tuple[str, Price]:
    model, _, prices = text.rpartition("=")
    parts = prices.split("/")
    try:
        price = Price(*(float(each) for each in parts))
    except (TypeError, ValueError):
        raise ValueError(f"{text!r} is not {_FORM}") from None
    if not model or not all(0 <= each < float("inf") for each in (price.per_input, price.per_output)):
        raise ValueError(f"{text!r} is not {_FORM}")
    return model, price


def require_routing(name: str) -> str:
    """Raises ``E_BAD_REQUEST`` for a way of routing that there is not."""
    if name not in get_args(Routing):
        raise bad_request(f"There is no routing {name!r}.", f"Choose one of {', '.join(get_args(Routing))}.")
    return name
