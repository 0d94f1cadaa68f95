"""A long text becomes passages that can be read by themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.passages import (
    MAX_PASSAGE_TOKENS,
    MAX_WHOLE_TOKENS,
    MIN_PASSAGE_TOKENS,
    WHOLE,
    Passage,
    cut_passages,
    size_of,
)

HOSTELS = """Here are two hostels for your week in Lisbon, sorted by how late you may check in. Both take cards.

## Hostel Luna

Luna is right by the river. Two sisters from Porto run it, and the kitchen is open all night. The rooftop is pleasant at
sunset, though it gets windy. Breakfast costs four euros.

- **Check-in:** until two in the morning with the night porter
- **Price:** 24 euros
  - on weekends 30 euros
  - children half
- **Tram:** 28E

## Casa Verde

A quiet house with a garden. Book early, because there are only eleven beds and a yoga group takes half of them each
spring. Towels are included; lockers need your own padlock. Check-in ends at ten in the evening, without exception. The
owner keeps bees and sells their honey at the door, and there is a piano in the hall that anybody may play until nine.
"""
PLAN = """下面是为你父亲准备的康复计划：

1、**早晨**：起床以后先喝一杯温水，然后在床边坐五分钟再站起来。早饭前做十分钟的拉伸，动作要慢，感觉疼就停下来，不要勉强自己。
2、**下午**：去楼下公园走二十分钟，记得带上拐杖和水。如果下雨就在走廊里来回走，中间可以休息两次，每次不超过三分钟就好。
3、**晚上**：用热毛巾敷膝盖一刻钟，然后涂医生开的药膏。睡觉以前把腿垫高一点，这样第二天早上就不会那么肿，也能睡得更好。夜里如果疼醒了，可以吃半片止痛药，记在本子上，下次给医生看。
"""


def shown(text: str) -> list[tuple[str, str]]:
    return [(each.about, text[each.start : each.end]) for each in cut_passages(text)]


def sentences(count: int, words: int = 12) -> str:
    return " ".join(f"Sentence {n} {'says something more ' * (words // 3)}at last." for n in range(count))


@pytest.mark.parametrize("text", ["", "I have a cat.", "我有一只猫。", "- a\n- b\n\n# c", "word " * 160])
def test_a_short_text_is_one_passage(text: str):
    assert cut_passages(text) == [Passage(0, len(text))]


def test_sections_stand_apart_with_their_lists():
    intro, luna, verde = (text for _, text in shown(HOSTELS))
    assert intro.startswith("Here are two hostels")
    assert luna.startswith("## Hostel Luna")
    assert luna.endswith("- **Tram:** 28E")
    assert verde.startswith("## Casa Verde")
    assert verde.endswith("until nine.")


def test_what_a_passage_stands_under_is_told_as_far_as_it_is_not_in_it():
    text = f"# Travel\n\n## Lisbon\n\n{sentences(12)}\n\n{sentences(12)}"
    first, *others = shown(text)
    assert first[0] == ""
    assert first[1].startswith("# Travel\n\n## Lisbon")
    assert {about for about, _ in others} == {"Travel / Lisbon"}


def test_a_list_is_led_in_by_the_line_before_it_and_an_inner_list_by_its_item():
    text = f"{sentences(9)}\n\nWhat to pack:\n" + "\n".join(
        f"- for day {day}:\n  - {sentences(4)}\n  - {sentences(4)}" for day in range(3)
    )
    abouts = {words[:10]: about for about, words in shown(text)}
    assert abouts["- for day "] == "What to pack"
    assert abouts["Sentence 1"] == "What to pack / for day 2"


def test_chinese_is_counted_by_its_ideographs():
    assert size_of(PLAN) > MAX_WHOLE_TOKENS
    assert [words[:2] for _, words in shown(PLAN)] == ["下面", "2、"]
    assert shown(PLAN)[1][0] == "下面是为你父亲准备的康复计划"


def test_speech_without_a_stop_is_cut_all_the_same():
    text = "so then we went on and on " * 60
    assert all(size_of(words) <= MAX_PASSAGE_TOKENS for _, words in shown(text))
    assert len(cut_passages(text)) > 2


def test_code_and_tables_stay_whole_up_to_a_limit():
    code = "```python\n" + "\n\n".join(f"def step_{n}(x: int) -> int:\n    return x + {n}" for n in range(18)) + "\n```"
    table = "| place | price |\n| --- | --- |\n" + "\n".join(f"| inn {n} at the long road | {n} |" for n in range(40))
    assert MAX_PASSAGE_TOKENS < size_of(code) < WHOLE
    assert MAX_PASSAGE_TOKENS < size_of(table) < WHOLE
    found = [words for _, words in shown(f"{sentences(8)}\n\n{code}\n\nAnd the prices:\n\n{table}\n\n{sentences(8)}")]
    assert code in found
    assert f"And the prices:\n\n{table}" in found


def test_a_longer_table_is_cut_between_its_rows_which_keep_its_head():
    table = "| place | price |\n| --- | --- |\n" + "\n".join(f"| inn {n} at the long road | {n} |" for n in range(90))
    first, *others = shown(table)
    assert first[1].startswith("| place")
    assert others
    assert {about for about, _ in others} == {"place   price"}
    assert all(words.startswith("|") and words.endswith("|") for _, words in others)


def test_a_fence_that_is_never_closed_ends_with_the_text():
    text = f"{sentences(9)}\n\n```\n" + "line of code\n" * 40
    assert text[cut_passages(text)[-1].start :].startswith("```")


@given(
    st.lists(
        st.sampled_from(["word ", "句子。", "\n", "\n\n", "# Head\n", "- item ", "| a | b |\n", "```\n", "end. ", "😀"])
    )
)
def test_passages_are_in_order_and_nothing_but_space_is_left_out(pieces: list[str]):
    text = "".join(pieces * 9)
    passages = cut_passages(text)
    places = [each.start for each in passages] + [len(text)]
    assert places[0] == 0
    for each, following in zip(passages, places[1:], strict=True):
        assert each.start < each.end <= following or not text
        assert not text[each.end : following].strip()


@given(st.integers(8, 60), st.integers(3, 40))
def test_passages_of_prose_have_a_few_sentences(count: int, words: int):
    passages = cut_passages("\n\n".join(sentences(3, words) for _ in range(count)))
    sizes = [size_of("x" * (each.end - each.start)) for each in passages]
    assert all(size <= MAX_PASSAGE_TOKENS + MIN_PASSAGE_TOKENS for size in sizes)
    assert all(size >= MIN_PASSAGE_TOKENS / 2 for size in sizes[:-1])
