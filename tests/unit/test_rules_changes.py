"""What changes in a life, and statements that leave out who they are about."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memory.rules import SpokenTurn, extract

AT = datetime(2024, 5, 8, 14, 30, tzinfo=ZoneInfo("Asia/Shanghai"))


def _turn(text: str) -> SpokenTurn:
    return SpokenTurn(text=text, role="user", speaker="user", at=AT, zone="Asia/Shanghai")


def _stated(text: str) -> list[tuple[str, str, str, bool]]:
    return [(each.subject, each.predicate, each.object, each.negated) for each in extract(_turn(text))]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I started at Lidl on Monday.", ("user", "works_at", "Lidl", False)),
        ("We're renting a flat in Tartu.", ("user", "lives_in", "Tartu", False)),
        ("I've been in Utrecht six years.", ("user", "lives_in", "Utrecht", False)),
        ("I moved out of Bergen.", ("user", "lives_in", "Bergen", True)),
        ("I take the ferry to work.", ("user", "commutes_by", "the ferry", False)),
        ("I have Mondays off.", ("user", "schedule", "Mondays off", False)),
        ("I've been coaching juniors on Thursdays.", ("user", "habit", "coaching juniors on Thursdays", False)),
        ("I run 30 kilometres a week.", ("user", "habit", "run 30 kilometres a week", False)),
        ("I sprained my ankle.", ("user", "condition", "sprained my ankle", False)),
        ("I'm on ramipril.", ("user", "medication", "ramipril", False)),
        ("I stopped taking ramipril.", ("user", "medication", "ramipril", True)),
        ("I react badly to latex.", ("user", "allergic_to", "latex", False)),
        ("I got into bouldering.", ("user", "prefers", "bouldering", False)),
        ("I've gone off marzipan.", ("user", "prefers", "marzipan", True)),
        ("I'd rather have a garden than a balcony any day.", ("user", "prefers", "a garden", False)),
        ("I signed up for the Lisbon triathlon.", ("user", "plans", "the Lisbon triathlon", False)),
        ("I repair clocks at a small workshop.", ("user", "does_work", "repair clocks at a small workshop", False)),
        ("My car is now a Fiat Panda.", ("user", "car", "a Fiat Panda", False)),
        ("My rent is 900.", ("user", "rent", "900", False)),
        ("They gave me Wednesdays off.", ("user", "schedule", "Wednesdays off", False)),
        ("Please, no emojis.", ("user", "wants_style", "emojis", True)),
        ("Explain it in plain words please", ("user", "wants_style", "plain words", False)),
        ("My uncle drives a tram.", ("uncle", "does_work", "drives a tram", False)),
        ("Mum lives in Leeds.", ("mum", "lives_in", "Leeds", False)),
    ],
)
def test_english_tells_of_changes_and_of_the_days(text: str, said: tuple[str, str, str, bool]) -> None:
    stated = [
        (subject, predicate, thing.replace("their", "my"), denied)
        for subject, predicate, thing, denied in _stated(text)
    ]
    assert said in stated


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Moved to Oslo last week.", ("user", "lives_in", "Oslo", False)),
        ("Allergic to walnuts, by the way.", ("user", "allergic_to", "walnuts", False)),
        ("Signed up for the chess course!", ("user", "plans", "the chess course", False)),
    ],
)
def test_english_without_a_subject_is_about_the_speaker(text: str, said: tuple[str, str, str, bool]) -> None:
    assert said in _stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "My sister is a nurse. Moved to Oslo last week.",
        "Moved to Oslo yet, did you?",
        "Started at Lidl, have you?",
        "I moved the sofa to the hall.",
        "My coach says he moved to Oslo.",
    ],
)
def test_english_without_a_subject_may_be_about_somebody_else(text: str) -> None:
    assert not [each for each in _stated(text) if each[0] == "user" and each[1] in ("lives_in", "works_at")]


def test_whoever_is_cited_is_introduced() -> None:
    assert _stated("My tutor Ingrid says practice beats talent.") == [("user", "tutor", "Ingrid", False)]


def test_a_list_of_people_is_read_person_by_person() -> None:
    assert _stated("Tom hates olives, Ida doesn't eat pork.") == [
        ("Tom", "prefers", "olives", True),
        ("Ida", "consumes", "pork", True),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("搬去青岛了。", ("user", "lives_in", "青岛", False)),
        ("上个月搬回老家扬州市了", ("user", "lives_in", "老家扬州市", False)),
        ("在宁波租了个两居室的房子", ("user", "lives_in", "宁波", False)),
        ("我在一家律师事务所做行政。", ("user", "works_at", "一家律师事务所", False)),
        ("周末我在健身房兼职", ("user", "side_job", "健身房", False)),
        ("我们在绍兴又开了一家面馆", ("user", "owns", "在绍兴又开了一家面馆", False)),
        ("我养了一只猫叫豆包", ("user", "has_pet", "一只猫叫豆包", False)),
        ("我是跑外卖的。", ("user", "does_work", "跑外卖", False)),
        ("公司升我做销售总监了。", ("user", "job", "销售总监", False)),
        ("公司把我调去南京了", ("user", "works_in", "南京", False)),
        ("我负责采购", ("user", "responsible_for", "采购", False)),
        ("我每周三去学陶艺", ("user", "habit", "每周三去学陶艺", False)),
        ("我改骑车上班了", ("user", "commutes_by", "骑车", False)),
        ("手机换了小米", ("user", "phone_model", "小米", False)),
        ("我胃不太好", ("user", "condition", "胃不太好", False)),
        ("我在吃阿托伐他汀", ("user", "medication", "阿托伐他汀", False)),
        ("我把烟戒了", ("user", "consumes", "烟", True)),
        ("医生叫我少吃海鲜", ("user", "diet_rule", "少吃海鲜", False)),
        ("螃蟹我吃不了", ("user", "consumes", "螃蟹", True)),
        ("我以前爱喝可乐，现在改喜欢绿茶了", ("user", "prefers", "绿茶", False)),
        ("婚礼定在六月十六号。", ("user", "date:婚礼", "2024年6月16日", False)),
        ("三百块以内都行", ("user", "budget", "三百块以内", False)),
        ("请用表格回答", ("user", "wants_style", "表格", False)),
        ("女儿上初二了", ("女儿", "studies", "初二", False)),
    ],
)
def test_chinese_tells_of_changes_and_of_the_days(text: str, said: tuple[str, str, str, bool]) -> None:
    assert said in _stated(text)


@pytest.mark.parametrize("text", ["我的预算是三百块以内", "三百块以内都行", "I can only spend about $300"])
def test_a_budget_stands_on_one_shelf_however_it_is_told(text: str) -> None:
    assert [each.category for each in extract(_turn(text))] == ["budget"]


@pytest.mark.parametrize(
    "text",
    [
        "小李最近很忙，搬去青岛了。",
        "我妈身体不好，不吃辣。",
        "她东北人，不吃香菜。",
        "隔壁老王又换工作了，在银行上班。",
        "我弟弟毕业了。搬去青岛了。",
        "人家早就戒酒了，不喝酒。",
        "会计大会的时间是下周四。",
        "明天要下雨了。",
    ],
)
def test_a_chinese_clause_about_somebody_else_is_not_given_to_the_speaker(text: str) -> None:
    assert not [each for each in _stated(text) if each[0] == "user"]


def test_what_was_just_told_of_bears_the_name_that_follows() -> None:
    assert ("user", "name", "半日闲", False) not in _stated("我在苏州开了家茶馆，叫半日闲。")
    assert ("user", "dog", "旺财", False) in _stated("我养了一只狗，叫旺财。")


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("I gave up pottery.", "pottery"),
        ("We sold the caravan.", "caravan"),
        ("Forget what I said about the sailing trip.", "sailing trip"),
        ("The sailing trip is off.", "sailing trip"),
        ("I'm done with fencing.", "fencing"),
        ("茶馆不干了", "茶馆"),
        ("房贷已经还清了。", "房贷"),
        ("我不练书法了", "书法"),
    ],
)
def test_an_ending_names_what_is_over(text: str, over: str) -> None:
    assert _stated(text) == [("user", "ends", over, True)]


@pytest.mark.parametrize("text", ["I sold it.", "Is the trip off?", "My boss quit smoking.", "这事算了", "我受不了了"])
def test_no_ending_without_a_thing_of_the_speaker(text: str) -> None:
    assert not [each for each in _stated(text) if each[1] == "ends"]


@pytest.mark.parametrize(
    ("text", "right"),
    [("It's not green tea, it's oolong.", "oolong"), ("It's not 3 May, it's 5 May.", "5 May")],
)
def test_not_this_it_is_that_corrects(text: str, right: str) -> None:
    assert ("user", "corrects", right, False) in _stated(text)


def test_a_day_that_is_put_right_is_read_with_its_matter() -> None:
    assert ("user", "birthday", "七月九号", False) in _stated("我生日不是七月六号，是七月九号。")
