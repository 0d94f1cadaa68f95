"""The example rules for Prometheus ask for gauges that there are, and settings refuse what could not be told."""

import re
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
import yaml

from apps.http import alert_gauges
from brain.service_alerts.readings import NEVER_SECONDS, judge_duties
from brain.settings import Settings
from memory.errors import BrainError
from memory.service_alerts import SEVERITIES, DutyReadings

RULES = Path(__file__).parents[2] / "docs" / "grafana" / "alerts.yaml"
SECRET = b64encode(bytes(24)).decode()


def settings(**told: str) -> Settings:
    """As the environment tells them: text."""
    values: dict[str, Any] = {**told}
    return Settings(**values)


def test_the_rules_ask_for_gauges_and_severities_that_there_are():
    rules = [rule for group in yaml.safe_load(RULES.read_text("utf-8"))["groups"] for rule in group["rules"]]
    asked = {name for rule in rules for name in re.findall(r"brain_\w+", rule["expr"])}
    gauges = (alert_gauges.alerts, alert_gauges.looked, alert_gauges.reached, alert_gauges.dead_letters)
    assert asked == {metric.name for gauge in gauges for metric in gauge.collect()}
    assert {each for rule in rules for each in re.findall(r'severity="(\w+)"', rule["expr"])} == set(SEVERITIES)
    assert all(rule["alert"] and rule["labels"]["severity"] and rule["annotations"]["summary"] for rule in rules)


def test_a_webhook_needs_a_secret_that_cannot_be_guessed():
    with pytest.raises(BrainError, match="BRAIN_ALERT_WEBHOOK needs BRAIN_ALERT_WEBHOOK_SECRET"):
        settings(alert_webhook="http://a.example")
    for secret in ("short", b64encode(bytes(23)).decode(), "whsec_!!"):
        with pytest.raises(BrainError, match="BRAIN_ALERT_WEBHOOK_SECRET: it must be 24 random bytes"):
            settings(alert_webhook_secret=secret)
    with pytest.raises(BrainError, match="BRAIN_ALERT_WEBHOOK"):
        settings(alert_webhook="file:///etc/passwd", alert_webhook_secret=SECRET)
    told = settings(alert_webhook="https://a.example", alert_webhook_secret=f"whsec_{SECRET}")
    assert told.alert_signing_key == bytes(24)
    assert SECRET not in repr(told)


@pytest.mark.parametrize(
    ("seconds", "fresh", "standing"),
    [
        (60.0, [], []),
        (61.0, [], ["ticket"]),
        (300.0, [], ["ticket"]),
        (301.0, ["ticket"], ["ticket", "urgent"]),
        (1_800.0, ["ticket"], ["ticket", "urgent"]),
        (1_801.0, ["ticket", "urgent"], ["ticket", "urgent"]),
    ],
)
def test_a_wait_that_was_late_is_over_when_it_is_well_below(seconds: float, fresh: list[str], standing: list[str]):
    found = DutyReadings(queue_seconds=seconds, unsealed_seconds=0.0, backup_seconds=None)
    both = frozenset((("queue_age", "ticket"), ("queue_age", "urgent")))
    for active, expected in ((both - both, fresh), (both, standing)):
        judged = list(judge_duties(found, 0.0, active))  # pyright: ignore[reportArgumentType]
        assert [each.reading.severity for each in judged if each.is_alert] == expected


def test_a_backup_that_never_was_is_older_than_any():
    found = DutyReadings(queue_seconds=0.0, unsealed_seconds=0.0, backup_seconds=None)
    judged = [each for each in judge_duties(found, 8_760 * 3_600.0, frozenset()) if each.is_alert]
    assert [(each.reading.severity, each.reading.value) for each in judged] == [
        ("ticket", NEVER_SECONDS),
        ("urgent", NEVER_SECONDS),
    ]
