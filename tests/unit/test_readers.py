"""Values that a sentence states in so many words, and what only sounds like one."""

import pytest

from language.readers import read_denied_allergy, read_value


@pytest.mark.parametrize(
    ("sentence", "predicate", "value"),
    [
        ("我搬到上海了。", "lives_in", "上海"),
        ("其实我搬到上海了。", "lives_in", "上海"),
        ("说实话，我住在杭州", "lives_in", "杭州"),
        ("对了，我叫李雷", "name", "李雷"),
    ],
)
def test_a_value_is_read_behind_what_opens_a_sentence(sentence: str, predicate: str, value: str):
    found = read_value(sentence)
    assert found is not None
    assert (found.predicate, found.text) == (predicate, value)


@pytest.mark.parametrize("sentence", ["要是我搬到上海就好了", "其实我妈住在上海。", "我下个月要搬到杭州去住。"])
def test_what_is_supposed_planned_or_anothers_is_no_value(sentence: str):
    assert read_value(sentence) is None


@pytest.mark.parametrize(
    "sentence", ["我对花生不过敏。", "我并不对花生过敏。", "我花生不过敏。", "I'm not allergic to peanuts."]
)
def test_what_somebody_is_not_allergic_to_is_no_allergy(sentence: str):
    assert read_value(sentence) is None
    assert read_denied_allergy(sentence) in ("花生", "peanuts")


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("I have a peanut allergy", "peanut"),
        ("I've got a really bad tree nut allergy", "tree nut"),
        ("My son has an egg allergy", "egg"),
        ("I have a severe allergy to wasps", "wasps"),
    ],
)
def test_an_allergy_that_somebody_has_is_read(sentence: str, value: str):
    found = read_value(sentence)
    assert found is not None
    assert (found.predicate, found.text) == ("allergic_to", value)


@pytest.mark.parametrize(
    "sentence",
    ["I don't have a peanut allergy", "I have no food allergy", "Do I have a nut allergy?", "I have a food allergy"],
)
def test_no_allergy_is_read_of_what_names_none(sentence: str):
    assert read_value(sentence) is None
