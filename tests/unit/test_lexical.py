from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.terms import MAX_CHARACTERS, Terms, analyse, fold, gram_terms, term_hash, word_terms


def words(text: str) -> list[str]:
    return word_terms(fold(text))


def test_english_words_are_stemmed_and_stop_words_dropped():
    assert words("She was running with the dogs") == ["run", "dog"]


def test_endings_of_possession_and_contraction_fall_away():
    assert words("Caroline's dog doesn’t bark, O'Brien's does") == ["carolin", "dog", "bark", "obrien"]


def test_an_identifier_stands_whole_and_in_its_parts():
    assert words("order #A-1234 to a.b@x.com") == ["order", "a-1234", "1234", "a.b@x.com", "b", "x", "com"]


def test_a_number_is_the_same_with_and_without_thousands_separators():
    assert words("10,000") == words("10000") == ["10000"]


def test_chinese_is_found_by_characters_and_bigrams_without_fillers():
    assert words("我的猫") == ["我", "猫", "我的", "的猫"]


def test_full_width_and_upper_case_are_the_same_word():
    assert words("ＡＢＣ１２３") == words("abc123")


@pytest.mark.parametrize("text", ["in June", "Jun 3rd", "6月3日"])
def test_a_month_is_the_same_in_both_languages(text: str):
    assert "month:6" in words(text)


def test_may_and_march_are_months_only_where_they_read_as_months():
    assert "month:5" not in words("you may come")
    assert "month:5" in words("the 7 May, 2023")
    assert "month:3" not in words("they march on")
    assert "month:3" in words("in March")


def test_three_months_ago_is_no_month():
    assert "month:3" not in words("3个月前")


def test_the_day_and_the_speaker_of_a_turn_find_it():
    said = analyse("We went sailing", speaker="Caroline", on=date(2023, 5, 8))
    asked = analyse("What did Caroline say in May 2023")
    assert {term_hash("w", term) for term in ("carolin", "month:5", "2023")} <= set(said.words) & set(asked.words)


def test_a_misspelt_word_shares_grams_with_the_right_one():
    assert set(gram_terms("restaurant")) & set(gram_terms("restuarant"))
    assert not set(analyse("restaurant").words) & set(analyse("restuarant").words)


def test_hashes_are_the_same_everywhere():
    assert term_hash("w", "run") == -1116623147
    assert term_hash("g", "run") != term_hash("w", "run")


def test_a_text_of_nothing_is_found_by_nothing():
    assert analyse(" ,!😀 ") == Terms((), (), 0)


def test_text_beyond_the_limit_is_not_indexed():
    assert analyse("a" * 3 + " x" * MAX_CHARACTERS + " needle").words == analyse("aaa x").words


@given(st.text(max_size=300))
def test_any_text_becomes_sorted_distinct_int4_terms(text: str):
    terms = analyse(text, speaker=text[:20])
    for hashes in (terms.words, terms.grams):
        assert list(hashes) == sorted(set(hashes))
        assert all(-(2**31) <= each < 2**31 for each in hashes)
    assert terms.length >= len(terms.words)
