import pytest

from memory.errors import BrainError
from memory.postgres.sql import SqlStatement, parse, statement


def test_a_file_is_split_into_its_named_statements():
    text = "-- name: first\n-- Why it is.\nselect 1;\n\n-- name: second\nselect\n  -- by hand\n  %(x)s\n"

    found = parse([("a.sql", text)])

    assert found == {
        "first": SqlStatement("first", "select 1", "Why it is."),
        "second": SqlStatement("second", "select\n  %(x)s", "by hand"),
    }


def test_a_comment_above_the_first_name_belongs_to_the_file():
    assert list(parse([("a.sql", "-- About this file.\n\n-- name: only\nselect 1")])) == ["only"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("select 1;\n-- name: late\nselect 2", "before the first"),
        ("-- name: twice\nselect 1\n-- name: twice\nselect 2", "defined twice"),
        ("-- name: hollow\n-- nothing here\n", "is empty"),
        ("-- name: Not-A-Name\nselect 1", "cannot name"),
        ("-- name:\nselect 1", "cannot name"),
    ],
)
def test_a_malformed_file_is_refused(text: str, complaint: str):
    with pytest.raises(BrainError, match=complaint) as refused:
        parse([("a.sql", text)])
    assert refused.value.code == "E_CONFIG"


def test_one_name_in_two_files_is_refused():
    with pytest.raises(BrainError, match=r"b\.sql: the statement 'same' is defined twice"):
        parse([("a.sql", "-- name: same\nselect 1"), ("b.sql", "-- name: same\nselect 2")])


def test_an_unknown_name_says_so():
    with pytest.raises(BrainError, match="'no_such_statement'"):
        statement("no_such_statement")


def test_a_statement_travels_with_numbered_parameters_each_sent_once():
    wire = SqlStatement("twice", "select %(b)s, %(a)s, %(b)s::text").wire

    assert wire.text == b"select $1, $2, $1::text"
    assert wire.values({"a": 1, "b": 2, "unused": 3}) == [2, 1]
    with pytest.raises(KeyError):
        wire.values({"a": 1})
