"""Whether the address of a model, and the model behind it, answered lately."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from brain.circuit_breaker import CircuitBreaker
from brain.models.errors import ModelError, ModelUnavailable, Unavailable

_SILENT: frozenset[Unavailable] = frozenset({"model_unreachable", "model_timeout"})
"""How a client gives up on an address: it cannot connect, or nothing comes."""


@dataclass(frozen=True)
class Availability:
    """``address`` is shared by all models behind it; ``model`` is for one that is slow while its address answers."""

    address: CircuitBreaker = field(default_factory=CircuitBreaker)
    model: CircuitBreaker = field(default_factory=CircuitBreaker)

    @contextmanager
    def guard_call(self) -> Generator[None]:
        """Ask now, and remember whether anybody answered. Raises ``ModelUnavailable`` at once when nobody did lately.

        Time that runs out around the call is for the caller to judge: it knows what was heard.
        """
        trials = self._begin_call()
        try:
            yield
        except ModelUnavailable as failure:
            if failure.reason in _SILENT:
                self.address.record_failure()
            else:
                self._record_success()
            raise
        except ModelError:
            self._record_success()
            raise
        except BaseException:
            # Cancelled, often by a reply that waits no longer: that says nothing about the address.
            for each in trials:
                each.release_trial()
            raise
        self._record_success()

    def _begin_call(self) -> list[CircuitBreaker]:
        """The breakers for which this call is the trial."""
        if not self.model.allow_request():
            raise ModelUnavailable("model_timeout")
        if not self.address.allow_request():
            if self.model.is_on_trial:
                self.model.release_trial()
            raise ModelUnavailable("model_unreachable")
        return [each for each in (self.model, self.address) if each.is_on_trial]

    def _record_success(self) -> None:
        self.address.record_success()
        self.model.record_success()
