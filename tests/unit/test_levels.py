"""Figures of service levels and their states, at both sides of every border."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.memory_api.levels import LevelsView, view_report
from apps.panel.level_meters import WIDTH, draw_levels, draw_meter
from apps.panel.levels import render_report
from apps.panel.words import LANGUAGES
from brain.levels.bounds import (
    BOUND_NAMES,
    DEFAULTS,
    FIGURES,
    BoundName,
    FigureName,
    apply_thresholds,
    parse_thresholds,
    require_threshold,
)
from brain.levels.figures import MEASURED
from brain.levels.report import FigureVerdict, LevelReport, count_observed, group_releases, judge_figures
from language.detection import Language
from memory.errors import BrainError
from memory.levels import (
    AuditCounts,
    DeletionCounts,
    Drill,
    InjectionCounts,
    LevelCounts,
    LevelState,
    MemoryCounts,
    OperationCounts,
    ReceiptCounts,
    ReleaseVerdict,
    SearchCounts,
    Threshold,
)
from tests.fakes import NOW, a_settings

INJECTIONS = InjectionCounts(offered=100, accepted=80, exceeded=4)
COUNTS = LevelCounts(
    at=NOW,
    memories={False: MemoryCounts(living=100, over=12, lasting=90, unsettled=3)},
    injections=INJECTIONS,
    overflow=INJECTIONS,
    searches=SearchCounts(searches=50, slow=0, p95_ms=120.0),
    receipts=ReceiptCounts(receipts=200, complete=199, injections=150, complete_injections=150),
    fuses=0,
    deletions=DeletionCounts(tombstones=2, overdue=0, longest=0.5),
    operations=OperationCounts(finished=1_000, given_up=1, busy_minutes=2, busy_items=220),
    audited=AuditCounts(changes=10, audited=10),
    drill=Drill(rto_seconds=12.0, rpo_seconds=0.1, held_at=NOW),
)


def judged(name: FigureName, **counts: Any) -> FigureVerdict:
    found = judge_figures(replace(COUNTS, **counts), apply_thresholds())
    return next(each for each in found if each.name == name)


BORDERS: list[tuple[BoundName, list[tuple[float, LevelState]]]] = [
    ("staleness_rate", [(0.1499, "PASS"), (0.15, "OBSERVE"), (0.25, "OBSERVE"), (0.2501, "FAIL")]),
    ("conflict_rate", [(0.0999, "PASS"), (0.10, "OBSERVE"), (0.15, "OBSERVE"), (0.1501, "FAIL")]),
    ("injection_quality", [(0.5501, "PASS"), (0.55, "OBSERVE"), (0.40, "OBSERVE"), (0.3999, "FAIL")]),
    ("retrieval_latency_p95", [(199.9, "PASS"), (200.0, "OBSERVE"), (500.0, "OBSERVE"), (500.1, "FAIL")]),
    ("context_overflow_rate", [(0.0499, "PASS"), (0.05, "OBSERVE"), (0.15, "OBSERVE"), (0.1501, "FAIL")]),
    ("deletion_timeout_rate", [(0.0, "PASS"), (0.0001, "FAIL")]),
    ("receipt_completeness_rate", [(0.9901, "PASS"), (0.99, "OBSERVE"), (0.95, "OBSERVE"), (0.9499, "FAIL")]),
    ("evolution_throughput", [(100.1, "PASS"), (100.0, "OBSERVE"), (20.0, "OBSERVE"), (19.9, "FAIL")]),
    ("deletion_time", [(0.8, "PASS"), (0.8001, "OBSERVE"), (1.0, "OBSERVE"), (1.0001, "FAIL")]),
    ("injection_receipt_completeness", [(1.0, "PASS"), (0.9999, "OBSERVE"), (0.95, "OBSERVE"), (0.9499, "FAIL")]),
    ("standby_switch", [(0.8, "PASS"), (0.8001, "OBSERVE"), (1.0, "OBSERVE"), (1.0001, "FAIL")]),
    ("write_success_rate", [(0.999, "PASS"), (0.9989, "FAIL")]),
    ("audit_completeness_rate", [(1.0, "PASS"), (0.9999, "FAIL")]),
]


@pytest.mark.parametrize(("name", "value", "state"), [(name, *case) for name, cases in BORDERS for case in cases])
def test_a_value_is_judged_at_both_sides_of_its_borders(name: BoundName, value: float, state: LevelState):
    assert DEFAULTS[name].judge(value, 30) == state


def test_every_figure_has_its_borders_tested_and_is_measured():
    assert [name for name, _ in BORDERS] == list(FIGURES) == list(MEASURED)


def test_a_rate_of_few_cases_is_observed_and_a_broken_promise_is_not():
    assert DEFAULTS["staleness_rate"].judge(0.9, 29) == "OBSERVE"
    assert DEFAULTS["staleness_rate"].judge(0.9, 30) == "FAIL"
    assert DEFAULTS["deletion_timeout_rate"].judge(1.0, 1) == "FAIL"
    assert DEFAULTS["deletion_time"].judge(1.1, 1) == "FAIL"
    assert DEFAULTS["standby_switch"].judge(1.1, 1) == "FAIL"


@pytest.mark.parametrize(
    ("name", "value", "samples"),
    [
        ("staleness_rate", 0.12, 100),
        ("conflict_rate", 3 / 90, 90),
        ("injection_quality", 0.8, 100),
        ("retrieval_latency_p95", 120.0, 50),
        ("context_overflow_rate", 0.04, 100),
        ("deletion_timeout_rate", 0.0, 2),
        ("receipt_completeness_rate", 0.995, 200),
        ("evolution_throughput", 110.0, 220),
        ("deletion_time", 0.5, 2),
        ("injection_receipt_completeness", 1.0, 150),
        ("standby_switch", 0.4, 1),
        ("write_success_rate", 0.999, 1_000),
        ("audit_completeness_rate", 1.0, 10),
    ],
)
def test_each_figure_is_made_of_its_counts(name: FigureName, value: float, samples: int):
    found = judged(name)
    assert (found.value, found.samples, found.state) == (value, samples, "PASS")


def test_staleness_leaves_groups_out_and_conflict_counts_them():
    memories = {
        False: MemoryCounts(living=40, over=6, lasting=40, unsettled=4),
        True: MemoryCounts(of_group=True, living=60, over=60, lasting=60, unsettled=11),
    }
    assert judged("staleness_rate", memories=memories).value == 0.15
    assert judged("conflict_rate", memories=memories).value == 0.15


def test_what_people_rejected_lowers_the_quality_of_injections():
    assert judged("injection_quality", fuses=20).value == 0.8 * 0.75
    assert judged("injection_quality", fuses=900).value == 0.0
    none = replace(INJECTIONS, accepted=0)
    assert judged("injection_quality", injections=none, fuses=1).state == "FAIL"


def test_a_queue_that_stands_still_fails_and_one_without_load_is_observed():
    assert (
        judged(
            "evolution_throughput", operations=OperationCounts(finished=0, given_up=0, busy_minutes=30, busy_items=0)
        ).state
        == "FAIL"
    )
    idle = judged(
        "evolution_throughput", operations=OperationCounts(finished=9, given_up=0, busy_minutes=0, busy_items=0)
    )
    assert (idle.value, idle.state, idle.too_few) == (None, "OBSERVE", True)


def test_a_switch_is_as_good_as_the_worse_of_its_two_times():
    for rto, rpo, state in ((24.0, 0.8, "PASS"), (29.0, 0.1, "OBSERVE"), (5.0, 1.01, "FAIL"), (30.1, 0.0, "FAIL")):
        drill = Drill(rto_seconds=rto, rpo_seconds=rpo, held_at=NOW)
        assert judged("standby_switch", drill=drill).state == state
    assert judged("standby_switch", drill=None).state == "OBSERVE"


def test_nothing_that_happened_breaks_no_promise():
    none = DeletionCounts(tombstones=0, overdue=0, longest=None)
    assert (
        judged("deletion_timeout_rate", deletions=none).state == judged("deletion_time", deletions=none).state == "PASS"
    )
    assert judged("audit_completeness_rate", audited=AuditCounts(changes=0, audited=0)).state == "PASS"
    assert judged("staleness_rate", memories={}).state == "OBSERVE"


def test_a_tenants_numbers_stand_above_the_servers_and_these_above_the_seeds():
    of_server = parse_thresholds("staleness_rate=0.2/0.3, cleaning_staleness=0.5")
    own = [Threshold(figure="staleness_rate", pass_at=0.01, fail_at=0.02)]
    assert apply_thresholds(of_server)["staleness_rate"].judge(0.19, 30) == "PASS"
    assert apply_thresholds(of_server)["cleaning_staleness"].pass_at == 0.5
    assert apply_thresholds(of_server, own)["staleness_rate"].judge(0.19, 30) == "FAIL"
    assert apply_thresholds(of_server)["conflict_rate"] == DEFAULTS["conflict_rate"]


@pytest.mark.parametrize(
    "text", ["speed=1/2", "staleness_rate", "staleness_rate=a", "staleness_rate=0.1/0.2/0.3", "staleness_rate=nan/1",
             "staleness_rate=0.3/0.2", "injection_quality=0.4/0.5", "staleness_rate=-1/0"],
)  # fmt: skip
def test_a_setting_by_which_nothing_can_be_judged_is_refused(text: str):
    with pytest.raises(BrainError, match=r"E_CONFIG.*BRAIN_LEVEL_THRESHOLDS"):
        a_settings(level_thresholds=text)


def test_a_threshold_by_which_nothing_can_be_judged_is_refused():
    with pytest.raises(BrainError, match=r"E_BAD_REQUEST.*would fail where it passes"):
        require_threshold(Threshold(figure="conflict_rate", pass_at=0.2, fail_at=0.1))
    assert all(require_threshold(Threshold(figure=name, pass_at=0.0, fail_at=0.0)) for name in BOUND_NAMES)


def verdict(release: str, state: LevelState, figure: str = "standby_switch") -> ReleaseVerdict:
    told = {"release": release, "figure": figure, "value": None, "samples": 0, "first_at": NOW, "reported_at": NOW}
    return ReleaseVerdict(state=state, **told)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("earlier", "observed", "state"),
    [
        ([], 1, "OBSERVE"),
        (["OBSERVE"], 2, "OBSERVE"),
        (["OBSERVE", "OBSERVE"], 3, "FAIL"),
        (["OBSERVE", "PASS", "OBSERVE"], 2, "OBSERVE"),
        (["FAIL", "OBSERVE", "OBSERVE"], 1, "OBSERVE"),
        (["OBSERVE", "OBSERVE", "OBSERVE"], 4, "FAIL"),
    ],
)
def test_three_releases_in_a_row_that_could_not_be_judged_fail(
    earlier: list[LevelState], observed: int, state: LevelState
):
    newest_first = [verdict(f"1.{9 - number}", each) for number, each in enumerate(earlier)]
    found = judged("standby_switch", drill=None)
    counted = count_observed(found, group_releases(newest_first))
    assert counted == observed
    assert replace(found, observed=counted).state == state


def test_another_figure_of_the_releases_before_does_not_count_and_what_passes_counts_nothing():
    others = group_releases([verdict("1.1", "OBSERVE", "deletion_time"), verdict("1.0", "OBSERVE", "deletion_time")])
    assert count_observed(judged("standby_switch", drill=None), others) == 1
    assert count_observed(judged("standby_switch"), group_releases([verdict("1.1", "OBSERVE")] * 2)) == 0


def a_view(**counts: Any) -> LevelsView:
    figures = judge_figures(replace(COUNTS, **counts), apply_thresholds())
    releases = group_releases(
        [verdict("1.1", "FAIL"), verdict("1.0", "OBSERVE"), verdict("1.0", "PASS", "deletion_time")]
    )
    return view_report(LevelReport(at=NOW, release="1.2", figures=figures, releases=releases))


def test_a_report_is_as_good_as_its_worst_figure():
    assert a_view().state == "PASS"
    assert a_view(drill=None).state == "OBSERVE"
    assert a_view(drill=None, deletions=DeletionCounts(tombstones=1, overdue=1, longest=1.2)).state == "FAIL"


def test_a_mark_stands_in_the_stretch_of_its_state():
    for shown in (
        a_view(),
        a_view(fuses=40, drill=None, deletions=DeletionCounts(tombstones=9, overdue=3, longest=3.0)),
    ):
        for meter in map(draw_meter, shown.figures):
            assert sum(each.width for each in meter.stretches) == pytest.approx(WIDTH)  # pyright: ignore[reportUnknownMemberType]
            if meter.at is not None and meter.figure.pass_at != meter.figure.fail_at:
                inside = [each for each in meter.stretches if each.x <= meter.at <= each.x + each.width + 1e-9]
                assert meter.figure.measured in {each.state for each in inside}, meter.figure.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_needs_nothing_beside_it_and_takes_names_as_they_are(language: Language):
    page = render_report(a_view(), "<b>Acme</b> & Co", language)
    assert page.lstrip().startswith("<!doctype html>")
    assert "&lt;b&gt;Acme&lt;/b&gt; &amp; Co" in page
    assert "<b>Acme" not in page
    for foreign in ("http", "src=", "href=", "url(", "@import", "<script"):
        assert foreign not in page, foreign
    assert page.count("<svg") >= len(FIGURES) + 1
    assert ("Erasures past their deadline" in page) == (language == "en")


def test_a_tenant_without_releases_has_no_plot_of_them():
    shown = draw_levels(a_view().model_copy(update={"releases": []}))
    assert shown["plot"] is None
    assert timedelta(hours=a_view().figures[1].window_hours or 0) == timedelta(days=30)
