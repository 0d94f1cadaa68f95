from language.questions import CHATTER_WEIGHT, GRAM_WEIGHT, MAX_PARTS, LexicalQuestion, analyse_question
from language.terms import term_hash


def weight(question: LexicalQuestion, word: str, part: int = 0) -> float | None:
    rows = zip(question.terms, question.parts_of_terms, question.weights, strict=True)
    return next((w for term, at, w in rows if term == term_hash("w", word) and at == part), None)


def test_a_plain_question_is_one_part_of_full_weight():
    question = analyse_question("Where does Ann live?")
    assert question.parts == 1
    assert weight(question, "live") == 1.0
    assert weight(question, "ann") == 1.0


def test_spelling_weighs_less_than_words():
    assert min(analyse_question("restaurant").weights) == GRAM_WEIGHT


def test_two_questions_in_one_are_two_parts():
    question = analyse_question("我姐姐住哪？另外，王建军的电话是多少？")
    assert question.parts == 2
    assert weight(question, "姐", 0) == 1.0
    assert weight(question, "电话", 1) == 1.0
    assert weight(question, "电话", 0) is None


def test_english_questions_are_told_apart_as_well():
    assert analyse_question("Where does Ann live? Also, what is her phone number?").parts == 2


def test_the_number_of_parts_is_bounded():
    assert analyse_question("谁？另外" * 20 + "谁？").parts == MAX_PARTS


def test_small_talk_before_the_real_question_is_chatter():
    question = analyse_question("今天天气真好，我好想吃火锅。不好意思，我真正想问的是：小雨几岁？")
    assert weight(question, "火锅") == CHATTER_WEIGHT
    assert weight(question, "小雨") == 1.0


def test_sentences_beside_a_question_are_chatter():
    question = analyse_question("I went sailing today. Who taught me knots?")
    assert weight(question, "sail") == CHATTER_WEIGHT
    assert weight(question, "knot") == 1.0


def test_a_word_weighs_what_it_weighs_where_it_counts_most():
    assert weight(analyse_question("I love sailing. Who taught me sailing?"), "sail") == 1.0


def test_words_without_a_question_mark_all_count():
    assert weight(analyse_question("ZX-81/4711. boiler"), "boiler") == 1.0


def test_nothing_asks_for_nothing():
    assert analyse_question("?!") == LexicalQuestion((), (), (), 1)
