"""Since when and until when a statement holds, said on Wednesday 18 March 2026 at noon."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.times import find_times
from language.times.validity import NOTHING_TOLD, Validity, find_validity
from tests.effort import assert_takes_less_than

AT = datetime(2026, 3, 18, 12, tzinfo=UTC)


def _told(text: str, at: datetime = AT) -> tuple[str, str]:
    found = find_validity(text, at, "UTC")
    return tuple(each.date().isoformat() if each else "" for each in (found.since, found.until))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("I've been at Acme since 2019", "2019-01-01"),
        ("I haven't smoked since 2019", "2019-01-01"),
        ("I've been vegetarian for three years", "2023-01-01"),
        ("She has worked there for two months now", "2026-01-01"),
        ("on permanent nights since January", "2026-01-01"),
        ("I've worked part time since October", "2025-10-01"),
        ("both are in braces since February", "2026-02-01"),
        ("last week I moved", "2026-03-09"),
        ("we got married in 2016", "2016-01-01"),
        ("we got married on 4 June 2016", "2016-06-04"),
        ("I moved in October", "2025-10-01"),
        ("the exam is on Friday", "2026-03-20"),
        ("I started the new job on Monday", "2026-03-16"),
        ("we're getting married on Saturday", "2026-03-21"),
        ("starting Monday I work from home", "2026-03-23"),
        ("I've been off work since Wednesday", "2026-03-11"),
        ("I've been off work since the 2nd", "2026-03-02"),
        ("my contract started on 2024-02-01", "2024-02-01"),
        ("合同2024-02-01生效了", "2024-02-01"),
        ("今年春节回老家", "2026-01-01"),
        ("dentist tomorrow at 3 pm", "2026-03-19"),
        ("I've been at Acme from 2019 to now", "2019-01-01"),
        ("从2019年开始吃素", "2019-01-01"),
        ("2019年起住在成都", "2019-01-01"),
        ("自从去年我就一个人住", "2025-01-01"),
        ("我在成都住了三年了", "2023-01-01"),
        ("我结婚十年了", "2016-01-01"),
        ("2019年到现在一直在阿里上班", "2019-01-01"),
        ("上周搬家了", "2026-03-09"),
        ("下个月去成都", "2026-04-01"),
        ("下周三做手术", "2026-03-25"),
        ("会议改到下周三了", "2026-03-25"),
    ],
)
def test_words_tell_since_when_and_what_began_may_go_on(text: str, since: str):
    assert _told(text) == (since, "")


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("I'm on leave until June", "2026-07-01"),
        ("I'm here till Friday", "2026-03-21"),
        ("my contract runs until 30 September", "2026-10-01"),
        ("my contract runs until the end of June", "2026-07-01"),
        ("I'm at home through the end of the month", "2026-04-01"),
        ("she is staying with us until the 20th", "2026-03-21"),
        ("I'm on leave until January", "2027-02-01"),
        ("住到六月底为止", "2026-07-01"),
        ("我租到明年三月", "2027-04-01"),
        ("吃药吃到周五", "2026-03-21"),
    ],
)
def test_words_tell_until_when(text: str, until: str):
    assert _told(text) == ("", until)


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("I lived in Oslo from 2010 to 2015", "2010-01-01", "2016-01-01"),
        ("between March and May 2024 I was in Rome", "2024-03-01", "2024-06-01"),
        ("2010–2015 I studied law", "2010-01-01", "2016-01-01"),
        ("I will be on leave from 1st June to 19th June", "2026-06-01", "2026-06-20"),
        ("I was in Rome from November 2024 to February 2025", "2024-11-01", "2025-03-01"),
        ("从2010年到2015年在北京工作", "2010-01-01", "2016-01-01"),
        ("2010到2015年在北京读书", "2010-01-01", "2016-01-01"),
        ("从去年三月到今年五月在上海出差", "2025-03-01", "2026-06-01"),
    ],
)
def test_a_range_tells_both(text: str, since: str, until: str):
    assert _told(text) == (since, until)


@pytest.mark.parametrize(
    "text",
    [
        "I'm reading a book from 1984",
        "I've started Spanish on Monday evenings",
        "the recital is on Thursday the 6th",
        '"In October 1918, the port slept"',
        "I get paid on the 28th",
        "I bought tickets for the game on Friday",
        "A radio station picked us up this fall",
        "people forget half of it in a day",
        "吃药吃了七八年了",
        "七八年前搬来的",
        "我今年五十六了",
        "组会挪到周五上午了",
        "I promised to ring my aunt on Wednesday",
        "until the merger in October our firm was small",
        "我七月一号起调去门诊了",
        "my surgery got moved from next Friday to the 16th of November",
        "I lived in Oslo in 2012, 2013 and 2014",
        "we open from May to September",
        "born on the third of February 2026",
        "I'm on holiday on 29 February",
        "直到上个月才知道",
        "我没有从去年开始吃药",
        "3月1日到3月5日在深圳开会",
        "每个月15号发工资",
        "every June we go to Italy",
        "choir on Mondays",
        "choir is on Monday",
        "each week I swim",
        "we are closed from June to August every year",
        "I work from Monday to Friday",
        "my birthday is on 3 May",
        "our anniversary is June 4",
        "my visa expires on 3 August",
        "I take the 8:25 train",
        "I get up at eight",
        'he said "I moved in 2016"',
        "did I move in 2016?",
        "if I move in 2016, I'll sell it",
        "I might move next year",
        "I'd like to move next year",
        "I did not move in 2016",
        "I won't be there until Friday",
        "the flat we bought in 2016 is small",
        "my friend who moved in 2016 is a nurse",
        "I moved before 2016",
        "it has to be done by Friday",
        "I was in Rome in 2016 and in Oslo in 2018",
        "I'm allergic to nuts, and I'm on antibiotics until Friday",
        "I lived in Oslo for three years",
        "I've been ill for a few days",
        "I feel old today",
        "the deadline is not until Friday",
        "between 2000 and 3000 calories a day",
        "每年六月去日本",
        "每周一开会",
        "周一到周五上班",
        "我生日是5月3号",
        "签证2027年3月到期",
        "坐八点的火车",
        "他说：“我2016年搬的家”",
        "我是2016年搬家的吗？",
        "如果明年搬家",
        "明年可能搬家",
        "去年没搬家",
        "去年买的车坏了",
        "我住了三年",
        "周五之前要交",
        "快三年了",
        "三年没见了",
    ],
)
def test_no_date_is_better_than_a_wrong_one(text: str):
    assert _told(text) == ("", "")


def test_periods_are_those_of_the_place_where_it_was_said():
    found = find_validity("I moved yesterday", datetime(2026, 3, 18, 23, tzinfo=UTC), "Asia/Shanghai")
    assert found.since == datetime(2026, 3, 17, 16, tzinfo=UTC)


def test_what_was_over_when_it_was_said_held_on_its_last_day():
    over = find_validity("I worked at Acme until 2015", AT, "UTC")
    assert (over.begins(AT), over.until) == (datetime(2015, 12, 31, tzinfo=UTC), datetime(2016, 1, 1, tzinfo=UTC))
    assert find_validity("I'm on leave until June", AT, "UTC").begins(AT) == AT
    assert NOTHING_TOLD.begins(AT) == AT
    assert Validity(AT - timedelta(days=9)).begins(AT) == AT - timedelta(days=9)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("Where did I live from 2010 to 2015?", "2010-01-01", "2016-01-01"),
        ("What did I do between March and May 2024?", "2024-03-01", "2024-06-01"),
        ("从2010年到2015年我住在哪儿？", "2010-01-01", "2016-01-01"),
        ("2024年3月到5月我在哪儿？", "2024-03-01", "2024-06-01"),
    ],
)
def test_a_question_about_a_range_has_one_window(question: str, first: str, last: str):
    (window,) = find_times(question, AT, "UTC")
    assert (window.start.date().isoformat(), window.end.date().isoformat()) == (first, last)


@pytest.mark.parametrize(
    "text", ["2000-2050 kcal a day", "from 2015 to 2010", "call 2010-2015-33", "between 1 and 3 years"]
)
def test_what_only_looks_like_a_range_has_no_window(text: str):
    assert not any(each.end - each.start > timedelta(days=366) for each in find_times(text, AT, "UTC"))


@given(
    st.lists(
        st.sampled_from(
            ["since", "until", "from", "to", "June", "2019", "Friday", "for", "3", "years", "从", "到", "年", "了"]
        )
    )
)
def test_no_order_of_words_breaks_it(words: list[str]):
    found = find_validity(" ".join(words), AT, "UTC")
    assert found.since is None or found.until is None or found.since < found.until


@pytest.mark.parametrize("unit", ["the a ", "from ", "my big house ", "因为", "have been ", "until the end of "])
def test_no_repetition_is_slow(unit: str):
    text = (unit * 300)[:299]
    assert_takes_less_than(0.5, lambda: find_validity(text, AT, "UTC"))
