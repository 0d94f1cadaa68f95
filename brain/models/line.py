"""The line to a model: whether its address, and the model behind it, answered lately."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from brain.breaker import Breaker
from brain.models.errors import ModelError, ModelUnavailable, Unavailable

_SILENT: frozenset[Unavailable] = frozenset({"model_unreachable", "model_timeout"})
"""How a client gives up on an address: it cannot connect, or nothing comes."""


@dataclass(frozen=True)
class Line:
    """``address`` is shared by all models behind it; ``model`` is for one that is slow while its address answers."""

    address: Breaker = field(default_factory=Breaker)
    model: Breaker = field(default_factory=Breaker)

    @contextmanager
    def asking(self) -> Generator[None]:
        """Ask now, and remember whether anybody answered. Raises ``ModelUnavailable`` at once when nobody did lately.

        Time that runs out around the call is for the caller to judge: it knows what was heard.
        """
        trials = self._allowed()
        try:
            yield
        except ModelUnavailable as failure:
            if failure.reason in _SILENT:
                self.address.failed()
            else:
                self._answered()
            raise
        except ModelError:
            self._answered()
            raise
        except BaseException:
            # Cancelled, often by a reply that waits no longer: that says nothing about the address.
            for each in trials:
                each.undecided()
            raise
        self._answered()

    def _allowed(self) -> list[Breaker]:
        """The breakers for which this call is the trial."""
        if not self.model.allows():
            raise ModelUnavailable("model_timeout")
        if not self.address.allows():
            if self.model.on_trial:
                self.model.undecided()
            raise ModelUnavailable("model_unreachable")
        return [each for each in (self.model, self.address) if each.on_trial]

    def _answered(self) -> None:
        self.address.answered()
        self.model.answered()
