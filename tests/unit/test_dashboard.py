"""The dashboard for Grafana asks for metrics that there are."""

import json
import re
from pathlib import Path

from brain.telemetry import names

DASHBOARD = Path(__file__).parents[2] / "docs" / "grafana" / "brain.json"
_METRIC = re.compile(r"\b((?:gen_ai|brain)_[a-z_]+?)(?:_seconds)?(?:_bucket|_sum|_count|_total)\b")
_LABEL = re.compile(r"by \(([^)]*)\)")


def expressions() -> list[str]:
    panels = json.loads(DASHBOARD.read_text("utf-8"))["panels"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


def as_prometheus(name: str) -> str:
    return name.replace(".", "_")


def test_every_panel_asks_for_metrics_that_brain_makes_and_every_metric_has_a_panel():
    made = {
        as_prometheus(each)
        for each in (
            names.TOKEN_USAGE,
            names.OPERATION_DURATION,
            names.AGENT_DURATION,
            names.TOOL_DURATION,
            names.STEP_DURATION,
            names.TURNS,
            names.DEGRADED_TURNS,
            names.DROPPED,
        )
    }
    asked = {name for each in expressions() for name in _METRIC.findall(each)}
    assert asked == made


def test_panels_group_by_labels_that_there_are():
    labels = {
        as_prometheus(each)
        for each in (
            names.OUTCOME,
            names.STEP,
            names.REQUEST_MODEL,
            names.ROLE,
            names.TOKEN_TYPE,
            names.ERROR,
            names.TOOL,
            names.VARIANT,
        )
    }
    grouped = {name.strip() for each in expressions() for names_ in _LABEL.findall(each) for name in names_.split(",")}
    assert grouped <= labels | {"le", "reason"}
