"""Metrics, made of the same records as spans. Every label has few values: no ids, no names of people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from opentelemetry.metrics import Counter, Histogram, Meter

from brain.telemetry import names
from brain.telemetry.spans import Attributes, SpanRecord

_NANOSECONDS = 1_000_000_000
_SECONDS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
_STEP_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 60.0)
_TOKENS = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864)
"""The buckets that the conventions advise."""
_MEASURED_STEPS = frozenset({"retrieve", "respond", "capture_signals"})
"""Steps that wait for something. The others take a millisecond, and a histogram of each costs more than its span."""
_OF_MODEL = (names.OPERATION, names.PROVIDER, names.REQUEST_MODEL, names.ROLE, names.ERROR)


@dataclass(frozen=True, kw_only=True)
class Instruments:
    """What is measured."""

    durations: dict[str, Histogram]
    tokens: Histogram
    steps: Histogram
    turns: Counter
    degraded: Counter
    dropped: Counter

    @classmethod
    def of(cls, meter: Meter) -> Self:
        """Every instrument, by its published name where there is one."""
        operations = {
            names.CHAT: names.OPERATION_DURATION,
            names.INVOKE_AGENT: names.AGENT_DURATION,
            names.EXECUTE_TOOL: names.TOOL_DURATION,
        }
        return cls(
            durations={
                name: meter.create_histogram(metric, "s", explicit_bucket_boundaries_advisory=_SECONDS)
                for name, metric in operations.items()
            },
            tokens=meter.create_histogram(names.TOKEN_USAGE, "{token}", explicit_bucket_boundaries_advisory=_TOKENS),
            steps=meter.create_histogram(names.STEP_DURATION, "s", explicit_bucket_boundaries_advisory=_STEP_SECONDS),
            turns=meter.create_counter(names.TURNS, "{turn}", "Turns by how they ended."),
            degraded=meter.create_counter(names.DEGRADED_TURNS, "{turn}", "Turns by why they were less than whole."),
            dropped=meter.create_counter(names.DROPPED, "{span}", "Spans that were lost before they were sent."),
        )

    def count(self, spans: Sequence[SpanRecord], dropped: int) -> None:
        """Count a batch, and what was lost since the last one."""
        if dropped:
            self.dropped.add(dropped)
        for span in spans:
            self._count_span(span, (span.ended - span.started) / _NANOSECONDS)

    def _count_span(self, span: SpanRecord, seconds: float) -> None:
        told = span.attributes
        operation = str(told.get(names.OPERATION, ""))
        if span.is_step:
            if span.name in _MEASURED_STEPS:
                self.steps.record(seconds, {names.STEP: span.name, **_pick(told, (names.ERROR,))})
        elif operation == names.CHAT:
            self.durations[operation].record(seconds, _pick(told, _OF_MODEL))
            self._count_tokens(told)
        elif operation == names.EXECUTE_TOOL:
            self.durations[operation].record(seconds, _pick(told, (names.TOOL, names.ERROR)))
        elif operation == names.INVOKE_AGENT:
            labels = _pick(told, (names.AGENT, names.OUTCOME, names.VARIANT))
            self.durations[operation].record(seconds, labels)
            self.turns.add(1, labels)
            reasons = told.get(names.DEGRADED, [])
            for reason in reasons if isinstance(reasons, list) else ():
                self.degraded.add(1, {"reason": reason})

    def _count_tokens(self, told: Attributes) -> None:
        labels = _pick(told, _OF_MODEL)
        for kind, name in (("input", names.INPUT_TOKENS), ("output", names.OUTPUT_TOKENS)):
            spent = told.get(name)
            if isinstance(spent, int):
                self.tokens.record(spent, {**labels, names.TOKEN_TYPE: kind})


def _pick(told: Attributes, wanted: Sequence[str]) -> dict[str, str]:
    return {name: str(told[name]) for name in wanted if name in told}
