"""Records as OpenTelemetry's spans and metrics, sent over OTLP/HTTP by a thread of their own.

Where they go, with which headers and within which time, is read from OpenTelemetry's own variables by its exporters.
"""

import asyncio
import logging
import os
import threading
from collections import deque
from dataclasses import dataclass, field

import structlog
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import AlwaysOffExemplarFilter, MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import SpanContext, SpanKind, Status, StatusCode, TraceFlags

from brain.telemetry.metrics import Instruments
from brain.telemetry.names import ERROR
from brain.telemetry.spans import SpanRecord

log = structlog.get_logger(__name__)

SCOPE = "brain"
BATCH = 512
"""Spans of one request at most."""
DELAY_SECONDS = 5.0
"""How long spans wait for others, unless ``OTEL_BSP_SCHEDULE_DELAY`` says otherwise."""
STOP_SECONDS = 3.0
"""How long the end of the process waits for a collector."""
_SAMPLED = TraceFlags(TraceFlags.SAMPLED)
_FAILED, _UNSET = Status(StatusCode.ERROR), Status(StatusCode.UNSET)


class _KnownResource(Resource):
    """A resource that is not made JSON of for every span, only to be hashed."""

    def __hash__(self) -> int:
        return id(self)


def our_resource() -> Resource:
    """The process as ``OTEL_SERVICE_NAME`` and ``OTEL_RESOURCE_ATTRIBUTES`` call it; without them, brain."""
    told = {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": SCOPE}
    found = Resource.create(told)
    return _KnownResource(found.attributes, found.schema_url)


@dataclass
class OtlpExporter:
    """The thread starts with the first span, and is a daemon: a process never waits for it longer than it wants to."""

    room: int
    spans: SpanExporter = field(default_factory=OTLPSpanExporter)
    meters: MeterProvider | None = None
    delay: float = DELAY_SECONDS
    dropped: int = 0
    _waiting: deque[SpanRecord] = field(init=False, repr=False)
    _wake: threading.Event = field(default_factory=threading.Event, repr=False)
    _stopping: bool = False
    _is_failing: bool = False
    _thread: threading.Thread | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """A queue that never grows beyond its room."""
        self._waiting = deque(maxlen=self.room)
        self._resource = our_resource()
        self._scope = InstrumentationScope(SCOPE)
        self._instruments = Instruments.of(self.meters.get_meter(SCOPE)) if self.meters else None

    def add(self, span: SpanRecord) -> None:
        """See ``Exporter``. Appending is all that a turn pays for."""
        if len(self._waiting) == self.room:
            self.dropped += 1
        self._waiting.append(span)
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="brain-telemetry", daemon=True)
            self._thread.start()

    async def aclose(self) -> None:
        """See ``Exporter``."""
        await asyncio.to_thread(self._stop)

    def _stop(self) -> None:
        self._stopping = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)
        if self.meters is not None:
            meters = self.meters
            closing = threading.Thread(target=meters.shutdown, name="brain-metrics", daemon=True)
            closing.start()
            closing.join(STOP_SECONDS)

    def _run(self) -> None:
        while not self._stopping:
            self._wake.wait(self.delay)
            self.send_waiting()

    def send_waiting(self) -> None:
        """Everything that waits, in batches. What a collector does not take is lost: keeping it would fill memory."""
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
            try:
                if self._instruments:
                    self._instruments.count(batch, self._take_dropped())
                sent = self.spans.export([self._span(each) for each in batch])
                self._note(sent is SpanExportResult.SUCCESS, len(batch))
            except Exception as error:
                self._note(False, len(batch), type(error).__name__)

    def _note(self, sent: bool, spans: int, error: str = "") -> None:
        """Say once that a collector takes nothing: a log full of it helps nobody."""
        if not sent and not self._is_failing:
            log.warning("telemetry_not_sent", spans=spans, error=error)
        self._is_failing = not sent

    def _take_dropped(self) -> int:
        lost, self.dropped = self.dropped, 0
        return lost

    def _span(self, told: SpanRecord) -> ReadableSpan:
        return ReadableSpan(
            name=told.name,
            context=SpanContext(told.trace_id, told.span_id, is_remote=False, trace_flags=_SAMPLED),
            parent=SpanContext(told.trace_id, told.parent_id, is_remote=False) if told.parent_id else None,
            resource=self._resource,
            attributes=told.attributes,
            kind=SpanKind.CLIENT if told.is_client else SpanKind.INTERNAL,
            status=_FAILED if ERROR in told.attributes else _UNSET,
            start_time=told.started,
            end_time=told.ended,
            instrumentation_scope=self._scope,
        )


def connect_exporter(room: int) -> OtlpExporter:
    """The exporter that OpenTelemetry's variables describe. Nothing is contacted before the first span.

    Its own log is silenced, which would write into somebody's conversation at every attempt. Raises ``ValueError``.
    """
    logging.getLogger("opentelemetry.exporter").setLevel(logging.CRITICAL)
    delay = float(os.environ.get("OTEL_BSP_SCHEDULE_DELAY") or DELAY_SECONDS * 1_000) / 1_000
    reader = PeriodicExportingMetricReader(OTLPMetricExporter())
    meters = MeterProvider(
        [reader], resource=our_resource(), shutdown_on_exit=False, exemplar_filter=AlwaysOffExemplarFilter()
    )
    return OtlpExporter(room=room, meters=meters, delay=delay)
