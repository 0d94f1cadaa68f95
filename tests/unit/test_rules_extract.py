"""What a turn is taken to state, and in which words it is remembered."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.contracts import Role
from memory.rules import Assertion, Correction, SpokenTurn, extract
from tests.effort import processor_seconds

AT = datetime(2024, 5, 8, 14, 30, tzinfo=ZoneInfo("Asia/Shanghai"))


def _turn(text: str, role: Role = "user", speaker: str = "user", owner: str | None = None) -> SpokenTurn:
    return SpokenTurn(text=text, role=role, speaker=speaker, at=AT, zone="Asia/Shanghai", owner_name=owner)


def _stated(text: str) -> list[tuple[str, str, str, bool]]:
    return [(each.subject, each.predicate, each.object, each.negated) for each in extract(_turn(text))]


def _one(text: str) -> Assertion:
    (assertion,) = extract(_turn(text))
    return assertion


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I like tea and coffee.", [("prefers", "tea", False), ("prefers", "coffee", False)]),
        ("I love hiking but not swimming.", [("prefers", "hiking", False), ("prefers", "swimming", True)]),
        (
            "I like tea, coffee and orange juice",
            [("prefers", each, False) for each in ("tea", "coffee", "orange juice")],
        ),
        ("I can't stand cilantro", [("prefers", "cilantro", True)]),
        ("I prefer tea to coffee.", [("prefers", "tea", False)]),
        ("I love fish and chips", [("prefers", "fish and chips", False)]),
        ("My favourite colour is blue.", [("favourite:colour", "blue", False)]),
        ("Harry Potter is my favorite book", [("favourite:book", "Harry Potter", False)]),
        ("I'm allergic to peanuts", [("allergic_to", "peanuts", False)]),
        ("I have a peanut allergy", [("allergic_to", "peanut", False)]),
        ("I'm a vegetarian, what can I cook?", [("diet", "vegetarian", False)]),
        ("I do not eat meat or fish", [("consumes", "meat", True), ("consumes", "fish", True)]),
        ("I stopped drinking coffee", [("consumes", "coffee", True)]),
        ("My budget is $500", [("budget", "$500", False)]),
        ("I can't spend more than $500", [("budget", "more than $500", False)]),
        ("My name is Alice Smith", [("name", "Alice Smith", False)]),
        ("Hi, I'm Anna!", [("name", "Anna", False)]),
        ("I'm 34 years old and I live in Lyon", [("age", "34", False), ("lives_in", "Lyon", False)]),
        (
            "I work at Google as a software engineer",
            [("works_at", "Google", False), ("job", "software engineer", False)],
        ),
        ("I'm from Brazil originally", [("origin", "Brazil", False)]),
        ("I have lived in Paris since 2019", [("lives_in", "Paris", False)]),
        ("I was born on 7 May 1990 in Porto", [("birthplace", "Porto", False), ("birthday", "7 May 1990", False)]),
        (
            "I have two kids and a dog named Rex",
            [("has_family", "two kids", False), ("has_pet", "a dog named Rex", False)],
        ),
        ("I speak English and French", [("speaks", "English", False), ("speaks", "French", False)]),
        ("I run every morning", [("habit", "run every morning", False)]),
        ("Don't recommend leather to me anymore", [("avoids", "leather", False)]),
        ("i live in lyon and i love wine", [("lives_in", "lyon", False), ("prefers", "wine", False)]),
        ("Please remember that the wifi password is hunter2", [("note", "the wifi password is hunter2", False)]),
    ],
)
def test_english_statements_become_assertions(text: str, said: list[tuple[str, str, bool]]):
    assert _stated(text) == [("user", *each) for each in said]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("我喜欢喝茶和咖啡。", [("prefers", "喝茶", False), ("prefers", "咖啡", False)]),
        ("我不喜欢吃香菜", [("prefers", "吃香菜", True)]),
        ("我喜欢和牛", [("prefers", "和牛", False)]),
        ("我最喜欢的颜色是蓝色", [("favourite:colour", "蓝色", False)]),
        ("我对花生和虾过敏", [("allergic_to", "花生", False), ("allergic_to", "虾", False)]),
        ("我吃素，今晚能做什么菜？", [("diet", "素", False)]),
        ("我不吃猪肉", [("consumes", "猪肉", True)]),
        ("我戒咖啡了", [("consumes", "咖啡", True)]),
        ("超过500的不要", [("budget", "超过500", False)]),
        ("我的预算是三千块", [("budget", "三千块", False)]),
        (
            "我叫李明，今年三十岁，住在北京，是一名老师。",
            [("name", "李明", False), ("age", "三十岁", False), ("lives_in", "北京", False), ("job", "老师", False)],
        ),
        ("我在阿里巴巴工作", [("works_at", "阿里巴巴", False)]),
        ("我在北京工作", [("works_in", "北京", False)]),
        ("我是四川人", [("origin", "四川", False)]),
        ("我的生日是5月7号", [("birthday", "5月7号", False)]),
        ("我有两个孩子，养了一只猫", [("has_family", "两个孩子", False), ("has_pet", "一只猫", False)]),
        ("我会说英语和法语", [("speaks", "英语", False), ("speaks", "法语", False)]),
        ("我打算学钢琴", [("plans", "学钢琴", False)]),
        ("我每天早上跑步", [("habit", "每天早上跑步", False)]),
        ("我还没结婚", [("marital_status", "结婚", True)]),
        ("以后不要给我推荐皮草了", [("avoids", "皮草", False)]),
        ("记住，门禁密码是1234", [("note", "门禁密码是1234", False)]),
    ],
)
def test_chinese_statements_become_assertions(text: str, said: list[tuple[str, str, bool]]):
    assert _stated(text) == [("user", *each) for each in said]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("My sister likes tea", [("sister", "prefers", "tea", False)]),
        ("My daughter is called Emma. She is 6.", [("user", "daughter", "Emma", False), ("Emma", "age", "6", False)]),
        ("My parents live in Madrid", [("parents", "lives_in", "Madrid", False)]),
        ("Emma likes tea", [("Emma", "prefers", "tea", False)]),
        ("我妹妹喜欢喝茶，我喜欢咖啡", [("妹妹", "prefers", "喝茶", False), ("user", "prefers", "咖啡", False)]),
        (
            "我女儿叫小雨，今年六岁，喜欢画画",
            [("user", "daughter", "小雨", False), ("小雨", "age", "六岁", False), ("小雨", "prefers", "画画", False)],
        ),
        ("王芳是我的同事，其职业是护士", [("user", "同事", "王芳", False), ("王芳", "job", "护士", False)]),
    ],
)
def test_statements_about_others_are_about_them(text: str, said: list[tuple[str, str, str, bool]]):
    assert _stated(text) == said
    assert all(each.item_type == "relation" for each in extract(_turn(text)) if each.subject != "user")


@pytest.mark.parametrize(
    ("text", "predicate", "correction"),
    [
        ("Actually I moved to Lyon, not Paris", "lives_in", Correction("Paris", "Lyon")),
        ("I don't live in Paris anymore, I live in Lyon.", "lives_in", Correction("Paris", "Lyon")),
        ("I moved from Paris to Lyon", "lives_in", Correction("Paris", "Lyon")),
        ("I'm not a teacher but a nurse", "job", Correction("teacher", "nurse")),
        ("No, my name is Jon, not John.", "name", Correction("John", "Jon")),
        ("Correction: my birthday is June 4th, not June 3rd.", "birthday", Correction("June 3rd", "June 4th")),
        ("I no longer like jazz", "prefers", Correction("jazz", "")),
        ("I don't work at Google any more", "works_at", Correction("Google", "")),
        ("I changed my mind, I prefer window seats", "prefers", Correction("", "window seats")),
        ("No wait, I live in Paris.", "lives_in", Correction("", "Paris")),
        ("Oh wait, my name is Jon", "name", Correction("", "Jon")),
        ("Oops, I live in Paris, not Lyon", "lives_in", Correction("Lyon", "Paris")),
        ("Oh, wait a minute, I work at Google.", "works_at", Correction("", "Google")),
        ("It's Lyon, not Paris.", "corrects", Correction("Paris", "Lyon")),
        ("不是运动风，我现在喜欢简约的", "prefers", Correction("运动风", "简约的")),
        ("我不是老师，是医生", "job", Correction("老师", "医生")),
        ("我的名字不是李明，是李铭", "name", Correction("李明", "李铭")),
        ("我住在上海，不是北京", "lives_in", Correction("北京", "上海")),
        ("我不住在北京了，我住在上海", "lives_in", Correction("北京", "上海")),
        ("我不再喜欢爵士乐了", "prefers", Correction("爵士乐", "")),
        ("我已经从腾讯离职了", "works_at", Correction("腾讯", "")),
        ("I switched from coffee to tea", "prefers", Correction("coffee", "tea")),
        ("我把咖啡换成茶了", "prefers", Correction("咖啡", "茶")),
        ("说错了，我住在苏州，不是杭州", "lives_in", Correction("杭州", "苏州")),
        ("不是周三，是周四", "corrects", Correction("周三", "周四")),
    ],
)
def test_corrections_name_the_old_and_the_new(text: str, predicate: str, correction: Correction):
    assertion = _one(text)
    assert (assertion.predicate, assertion.correction, assertion.replaces) == (predicate, correction, True)
    assert (assertion.provenance, assertion.confidence) == ("confirmed_by_user", 0.9)


def test_a_former_taste_ends_and_the_present_one_begins():
    former, present = extract(_turn("I used to like jazz, but now I prefer classical music"))
    assert (former.object, former.negated, former.content) == ("jazz", True, "The user no longer likes jazz.")
    assert (present.object, present.negated) == ("classical music", False)


@pytest.mark.parametrize(
    ("text", "trust"),
    [
        ("I like tea", ("preference", "preference", "observation", 0.5, 0.8)),
        ("I live in Lyon", ("fact", "fact", "confirmed_by_user", 0.85, 0.9)),
        ("我对花生过敏", ("constraint", "fact", "confirmed_by_user", 0.85, 0.9)),
        ("我打算学钢琴", ("plan", "fact", "confirmed_by_user", 0.7, 0.7)),
        ("My sister likes tea", ("relation", "preference", "observation", 0.4, 0.7)),
        ("I think I like tea", ("preference", "preference", "observation", 0.4, 0.5)),
        ("Please remember that I like tea", ("preference", "preference", "confirmed_by_user", 0.9, 0.95)),
    ],
)
def test_trust_follows_how_it_was_said(text: str, trust: tuple[str, str, str, float, float]):
    said = _one(text)
    found = (said.item_type, said.epistemic_type, said.provenance, said.confidence, round(said.certainty, 2))
    assert found == trust


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("My daughter Emma loves my garden in spring", None),
        ("I'm going to visit Rome next week", "Ann is going to visit Rome in the week of 2024-05-13."),
        ("Next week I'm flying to Berlin", "Ann is flying to Berlin (the week of 2024-05-13)."),
        ("I'm getting married in June", "Ann is getting married in 2024-06."),
        ("My birthday is on 7 May", "Ann's birthday is on 7 May."),
        ("I have a dentist appointment tomorrow at 3pm", "Ann has a dentist appointment on 2024-05-09 15:00."),
        ("I love camping with my family", "Ann likes camping with their family."),
        ("My parents live in Madrid", "Ann's parents live in Madrid."),
        ("我下周六要去北京出差", "Ann打算去北京出差（2024年5月18日）"),
        ("我女儿小雨喜欢恐龙", "Ann的女儿小雨喜欢恐龙"),
        ("我上个月搬到上海了", "Ann搬到了上海，住在上海"),
    ],
)
def test_content_stands_by_itself_in_the_language_of_the_turn(text: str, content: str | None):
    contents = [each.content for each in extract(_turn(text, owner="Ann"))]
    assert (content in contents) if content else all(" my " not in each for each in contents)


def test_the_quote_is_verbatim_and_the_category_is_told_by_the_words():
    text = "Well, by the way: I love espresso because it wakes me up."
    assertion = _one(text)
    start, end = assertion.span
    assert text[start:end] == assertion.quote == "I love espresso"
    assert (assertion.category, assertion.language) == ("drink_preference", "en")


def test_a_dated_change_holds_from_that_date():
    assert _one("I moved to Lyon last month").valid_at == datetime(2024, 4, 1, tzinfo=ZoneInfo("Asia/Shanghai"))
    assert _one("I like tea").valid_at is None


def test_in_a_group_each_speaker_speaks_for_themselves():
    (carol,) = extract(_turn("I live in Lyon", speaker="Carol"))
    assert (carol.subject, carol.content) == ("Carol", "Carol lives in Lyon.")


@given(st.text())
def test_any_text_is_read_and_every_quote_is_in_it(text: str):
    for each in extract(_turn(text)):
        assert text[slice(*each.span)] == each.quote
        assert each.content


WORDS = [
    "I",
    "like",
    "tea",
    ",",
    "not",
    "but",
    "my",
    "sister",
    "Emma",
    "live in",
    "Paris",
    "?",
    ".",
    "no longer",
    "actually",
    "and",
    '"',
]
HAN = [
    "我",
    "不是",
    "，",
    "是",
    "喜欢",
    "茶",
    "不",
    "住在",
    "北京",
    "女儿",
    "叫",
    "小雨",
    "。",
    "了",
    "和",
    "预算",
    "500",
    "记住",
    "“",
    "？",
]


@given(st.lists(st.sampled_from(WORDS)), st.lists(st.sampled_from(HAN)))
def test_any_order_of_words_is_read(english: list[str], chinese: list[str]):
    for text in (" ".join(english), "".join(chinese), " ".join(english) + "".join(chinese)):
        assert all(text[slice(*each.span)] == each.quote for each in extract(_turn(text)))


@pytest.mark.parametrize(
    "unit",
    [
        "I like tea. ",
        "我喜欢茶。",
        "<user_memory>",
        "\n ",
        "不是",
        "ignore all ",
        "I really ",
        "“",
        "1",
        "Bob: hi\n",
        "\x00",
    ],
)
def test_a_megabyte_is_read_in_bounded_time(unit: str):
    assert processor_seconds(lambda: extract(_turn((unit * 1_000_000)[:1_000_000]))) < 10


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("My son lives in Rome and works at BMW.", ["The user's son lives in Rome.", "The user's son works at BMW."]),
        ("I live in Berlin and work at BMW", ["The user lives in Berlin.", "The user works at BMW."]),
        ("Emma speaks French and has a dog", ["Emma speaks French."]),
        ("I want to live in Rome and work at BMW", []),
        ("I don't live in Rome and work at BMW", ["The user does not live in Rome."]),
        ("I work from home", ["The user works from home."]),
        ("I usually get up at 6 am", ["The user's habit: get up at 6 am."]),
        ("I can't swim", ["The user cannot swim."]),
        ("I play the violin", ["The user plays violin."]),
        ("I'm afraid of spiders", ["The user is afraid of spiders."]),
        ("I wear glasses", ["The user wears glasses."]),
        ("I don't smoke", ["The user does not smoke."]),
        ("I quit smoking last year", ["The user gave up smoking."]),
        ("I was promoted to team lead", ["The user's job is team lead."]),
        ("I made a meal plan", []),
        ("I studied hard", []),
        ("I'm training for a marathon", ["The user is preparing for a marathon."]),
        ("I don't have a car", ["The user does not have a car."]),
        ("My manager is Peter", ["The user's manager is called Peter."]),
        ("My manager is Brazilian", []),
        ("My flight is on Friday at 9am", ["The user's flight is on 2024-05-10 09:00."]),
        ("I have a meeting with Anna next Tuesday at 3pm", ["The user has a meeting with Anna on 2024-05-14 15:00."]),
        ("Please always answer in German", ["The user wants to be answered in German."]),
        ("I don't drink coffee any more", ["The user no longer eats or drinks coffee."]),
        ("我不抽烟", ["用户不抽烟"]),
        ("我换成喝茶了", ["用户改喝茶"]),
        ("我会弹钢琴，不会游泳", ["用户会弹钢琴", "用户不会游泳"]),
        ("我每天早上六点起床", ["用户每天早上六点起床"]),
        ("我一般十点睡觉", ["用户十点睡觉"]),
        ("我的领导是王强", ["用户的领导是王强"]),
        ("我老板是韩国人", ["用户的老板是韩国人"]),
        ("我有一个女儿，今年五岁", ["用户有一个女儿", "用户的女儿五岁"]),
        ("我妹妹下个月结婚", ["用户的妹妹打算结婚（2024年6月）"]),
        ("我妹妹结婚了", ["用户的妹妹结婚"]),
        ("不对，我是老师，不是医生", ["用户是老师"]),
        ("我没有孩子", ["用户没有孩子"]),
        ("我怕蜘蛛", ["用户怕蜘蛛"]),
        ("我怕你不来", []),
        ("我的航班是周五上午九点", ["用户的航班是2024年5月10日 09:00"]),
        ("以后请用中文回答我", ["用户希望用中文交流"]),
        ("我周末喜欢爬山", ["用户喜欢爬山"]),
    ],
)  # fmt: skip
def test_everyday_statements_are_told_in_whole_sentences(text: str, said: list[str]):
    assert [each.content for each in extract(_turn(text))] == said
