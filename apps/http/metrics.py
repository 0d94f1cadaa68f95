"""Prometheus metrics. No content, no names: every label has few values, whatever callers send."""

from collections.abc import Iterator
from typing import get_args

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector
from starlette.responses import Response

from brain.stage_budgets import Stage, StageController
from brain.wiring import shared_resources

METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)

registry = CollectorRegistry()
requests = Counter("brain_http_requests", "Requests answered.", ("route", "method", "status"), registry=registry)
seconds = Histogram(
    "brain_http_request_seconds", "Time to the end of the answer.", ("route",), buckets=_SECONDS, registry=registry
)
in_flight = Gauge("brain_http_requests_in_flight", "Requests that are being answered.", registry=registry)
turns = Counter("brain_turns", "Turns by how they ended.", ("outcome",), registry=registry)
degraded = Counter("brain_turns_degraded", "Turns that were less than they could be.", registry=registry)
client_tasks = Counter("brain_client_tasks", "Titles and the like for clients.", ("task",), registry=registry)
degrade_level = Gauge(
    "brain_degrade_level", "How many things turns of this process leave out under load.", registry=registry
)
stage_p95 = Gauge(
    "brain_stage_p95_milliseconds", "95th percentile of a stage in the last window.", ("stage",), registry=registry
)
refused = Counter("brain_http_refused", "Requests refused before any work.", ("reason",), registry=registry)


class RecallReads(Collector):
    """Counted where memory is asked, whichever door it came by."""

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Retrieval passes by the database that answered."""
        reads = CounterMetricFamily(
            "brain_recall_reads", "Retrieval passes by the database that answered.", labels=["source"]
        )
        for source, passes in sorted(shared_resources().recall_reads.items()):
            reads.add_metric([source], passes)
        yield reads


registry.register(RecallReads())


def render_metrics(stages: StageController | None = None) -> Response:
    """All of them in Prometheus' text format."""
    if stages is not None:
        stages.look()
        degrade_level.set(stages.level)
        for stage in get_args(Stage):
            stage_p95.labels(stage).set(stages.p95(stage))
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)
