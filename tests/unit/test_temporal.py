"""What people mean by their words for time, seen from Wednesday 8 May 2024, 14:30 in Shanghai."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.tables import languages, pattern
from language.times import find_times, temporal_intent
from language.times.rules import time_rules
from tests.effort import processor_seconds

TIME_WORDS = [
    "last",
    "next",
    "the",
    "week",
    "before",
    "7",
    "may",
    "2023",
    "9999",
    "0",
    "ago",
    "-",
    "in",
    *"三月年前上周今天",
]
SHANGHAI = "Asia/Shanghai"
AT = datetime(2024, 5, 8, 14, 30, tzinfo=ZoneInfo(SHANGHAI))


def _only(text: str) -> tuple[str, str, str]:
    (span,) = find_times(text, AT, SHANGHAI)
    return span.start.strftime("%Y-%m-%d %H:%M"), span.end.strftime("%Y-%m-%d %H:%M"), span.granularity


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("2023-05-07", "2023-05-07", "2023-05-08"),
        ("2023/5/7", "2023-05-07", "2023-05-08"),
        ("7 May 2023", "2023-05-07", "2023-05-08"),
        ("the 7th of May, 2023", "2023-05-07", "2023-05-08"),
        ("May 7, 2023", "2023-05-07", "2023-05-08"),
        ("May 7th", "2024-05-07", "2024-05-08"),
        ("December 30th", "2023-12-30", "2023-12-31"),
        ("May 2023", "2023-05-01", "2023-06-01"),
        ("in 2022", "2022-01-01", "2023-01-01"),
        ("in the summer of 2021", "2021-06-01", "2021-09-01"),
        ("last week", "2024-04-29", "2024-05-06"),
        ("last month", "2024-04-01", "2024-05-01"),
        ("last year", "2023-01-01", "2024-01-01"),
        ("last spring", "2023-03-01", "2023-06-01"),
        ("last winter", "2023-12-01", "2024-03-01"),
        ("this spring", "2024-03-01", "2024-06-01"),
        ("next summer", "2024-06-01", "2024-09-01"),
        ("last June", "2023-06-01", "2023-07-01"),
        ("two months ago", "2024-03-01", "2024-04-01"),
        ("a couple of days ago", "2024-05-06", "2024-05-07"),
        ("in two weeks", "2024-05-20", "2024-05-27"),
        ("yesterday", "2024-05-07", "2024-05-08"),
        ("the day before yesterday", "2024-05-06", "2024-05-07"),
        ("last Wednesday", "2024-05-01", "2024-05-02"),
        ("last Monday", "2024-05-06", "2024-05-07"),
        ("next Friday", "2024-05-17", "2024-05-18"),
        ("this Saturday", "2024-05-11", "2024-05-12"),
        ("coming Monday", "2024-05-13", "2024-05-14"),
        ("the weekend before", "2024-05-04", "2024-05-06"),
        ("the weekend before last", "2024-04-27", "2024-04-29"),
        ("the week before 9 June 2023", "2023-06-02", "2023-06-09"),
        ("the weekend after 9 June 2023", "2023-06-10", "2023-06-12"),
        ("last Christmas", "2023-12-25", "2023-12-26"),
    ],
)
def test_english_days_weeks_and_seasons(words: str, first: str, last: str):
    assert _only(f"She called me, {words}, and we talked")[:2] == (f"{first} 00:00", f"{last} 00:00")


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ("昨天", "2024-05-07", "2024-05-08"),
        ("前天", "2024-05-06", "2024-05-07"),
        ("大后天", "2024-05-11", "2024-05-12"),
        ("上周三", "2024-05-01", "2024-05-02"),
        ("下周六", "2024-05-18", "2024-05-19"),
        ("周五", "2024-05-10", "2024-05-11"),
        ("上上周末", "2024-04-27", "2024-04-29"),
        ("上个月", "2024-04-01", "2024-05-01"),
        ("上个月底", "2024-04-21", "2024-05-01"),
        ("下个月15号", "2024-06-15", "2024-06-16"),
        ("去年", "2023-01-01", "2024-01-01"),
        ("去年春天", "2023-03-01", "2023-06-01"),
        ("去年冬天", "2023-12-01", "2024-03-01"),
        ("今年年底", "2024-11-01", "2025-01-01"),
        ("三个月前", "2024-02-01", "2024-03-01"),
        ("两年以后", "2026-01-01", "2027-01-01"),
        ("十二天前", "2024-04-26", "2024-04-27"),
        ("半年前", "2023-11-01", "2023-12-01"),
        ("2023年5月7日", "2023-05-07", "2023-05-08"),
        ("5月7号", "2024-05-07", "2024-05-08"),
        ("二〇二三年十二月三十一日", "2023-12-31", "2024-01-01"),
        ("2023年5月", "2023-05-01", "2023-06-01"),
        ("去年国庆节", "2023-10-01", "2023-10-02"),
    ],
)
def test_chinese_days_weeks_and_seasons(words: str, first: str, last: str):
    assert _only(f"我{words}去了北京")[:2] == (f"{first} 00:00", f"{last} 00:00")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("今晚", ("2024-05-08 18:00", "2024-05-09 00:00", "part_of_day")),
        ("昨天晚上八点半", ("2024-05-07 20:30", "2024-05-07 20:31", "minute")),
        ("刚才", ("2024-05-08 13:30", "2024-05-08 14:30", "hour")),
        ("tomorrow at 3pm", ("2024-05-09 15:00", "2024-05-09 16:00", "hour")),
        ("last night", ("2024-05-07 18:00", "2024-05-08 00:00", "part_of_day")),
        ("over the past three months", ("2024-02-01 00:00", "2024-05-08 14:30", "month")),
        ("最近三天", ("2024-05-05 00:00", "2024-05-08 14:30", "day")),
    ],
)
def test_hours_and_stretches(words: str, expected: tuple[str, str, str]):
    assert _only(words) == expected


@pytest.mark.parametrize(
    "words",
    [
        "目前天气不错",
        "以后天天跑步",
        "路上周围很吵",
        "每周三上课",
        "2023-13-40",
        "I may go",
        "99999年前",
        "on Fridays",
        "一本书",
        "",
    ],
)
def test_words_that_only_look_like_a_time_are_none(words: str):
    assert find_times(words, AT, SHANGHAI) == []


def test_spans_are_verbatim_in_order_and_tell_calendar_words_from_relative_ones():
    text = "昨天我说过，2023年5月7日和 last week 都不行"
    spans = find_times(text, AT, SHANGHAI)
    assert [(text[slice(*span.span)], span.kind) for span in spans] == [
        ("昨天", "relative"),
        ("2023年5月7日", "explicit"),
        ("last week", "relative"),
    ]


def test_a_bare_weekday_looks_back_only_in_the_past_tense():
    assert _only("I went there on Friday")[0] == "2024-05-03 00:00"
    assert _only("my flight leaves on Friday")[0] == "2024-05-10 00:00"


def test_the_day_depends_on_where_it_was_said():
    late = datetime(2024, 5, 8, 23, 30, tzinfo=ZoneInfo("UTC"))
    (shanghai,) = find_times("yesterday", late, SHANGHAI)
    (lisbon,) = find_times("yesterday", late, "America/New_York")
    assert (shanghai.start.day, lisbon.start.day) == (8, 7)


@pytest.mark.parametrize("zone", ["", "Mars/Base", "../../etc/passwd", "Asia", "UTC\x00"])
def test_an_unknown_zone_is_refused_by_name(zone: str):
    with pytest.raises(ValueError, match="IANA"):
        find_times("yesterday", AT, zone)


def test_a_reference_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        find_times("yesterday", AT.replace(tzinfo=None), SHANGHAI)


@given(st.text(), st.datetimes(timezones=st.just(ZoneInfo("UTC"))))
def test_any_text_at_any_time_yields_ordered_spans_inside_it(text: str, at: datetime):
    spans = find_times(text, at, "UTC")
    ends = [0, *(span.span[1] for span in spans)]
    assert all(end <= span.span[0] < span.span[1] <= len(text) for span, end in zip(spans, ends, strict=False))
    assert all(span.start < span.end for span in spans)


@given(st.lists(st.sampled_from(TIME_WORDS)))
def test_no_order_of_time_words_breaks_it(words: list[str]):
    assert isinstance(find_times(" ".join(words), AT, SHANGHAI) + find_times("".join(words), AT, SHANGHAI), list)


@pytest.mark.parametrize("text", ["at CHRİSTMAS 2024", "paſt wed", "COMıNG sun", "yeſterday", "in two mınutes"])
def test_letters_that_only_case_makes_alike_break_nothing(text: str):
    assert find_times(f"9 May 2024 {text}", AT, SHANGHAI)[0].span == (0, 10)


def test_a_dotted_capital_is_read_as_its_letter():
    assert _only("TONİGHT") == _only("tonight")


@given(
    st.lists(st.sampled_from([*TIME_WORDS, "tonight", "midday", "noon", "at 7pm", "this", "Weekend", "back", "Sat"]))
)
def test_no_rule_knows_a_time_in_a_text_that_is_not_worth_trying(words: list[str]):
    for text in (" ".join(words), "".join(words)):
        for language in languages():
            if not pattern("times.hint", language).search(text.casefold()):
                assert not any(rule.pattern.search(text) for rule in time_rules(language))


@pytest.mark.parametrize("unit", ["1", "the week ", "2023-", "over the past ", "一", "a ", "昨天"])
def test_a_long_text_takes_linear_time(unit: str):
    def seconds(size: int) -> float:
        text = (unit * size)[:size]
        return processor_seconds(lambda: find_times(text, AT, SHANGHAI))

    assert seconds(60_000) < 40 * max(seconds(6_000), 0.01)


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        ("我现在住哪", "current_state"),
        ("what do I like now", "current_state"),
        ("what's my name", "current_state"),
        ("今天穿什么", "current_state"),
        ("我以前住哪", "history_trace"),
        ("我什么时候换的工作", "history_trace"),
        ("现在和以前有什么变化", "history_trace"),
        ("when did I move", "history_trace"),
        ("how has my taste changed", "history_trace"),
        ("where did I live before I moved", "history_trace"),
        ("where did I live in 2022", "time_slice"),
        ("上周三我吃了什么", "time_slice"),
        ("三年以前我在哪", "time_slice"),
        ("what did I do yesterday", "time_slice"),
    ],
)
def test_a_question_asks_for_now_for_history_or_for_a_period(query: str, intent: str):
    assert temporal_intent(query) == intent
