"""Names of messages that come without one."""

from typing import Any

import pytest

from apps.servers.auth import name_messages


def test_a_message_without_an_id_gets_one_and_no_other_changes():
    named, unnamed = {"role": "user", "content": "Hi", "id": "m1"}, {"role": "user", "content": "Hello"}
    name_messages({"kwargs": {"input": {"messages": [named, unnamed]}}})
    assert named == {"role": "user", "content": "Hi", "id": "m1"}
    assert unnamed["id"]


def test_one_message_alone_is_named():
    alone = {"role": "user", "content": "Hello"}
    name_messages({"kwargs": {"input": {"messages": alone}}})
    assert alone["id"]


@pytest.mark.parametrize("given", [None, {}, "Hello", {"messages": None}, {"messages": ["Hello", ["user", "Hi"]]}])
def test_what_cannot_be_named_stays_as_it_is(given: Any):
    run = {"kwargs": {"input": given}}
    name_messages(run)
    name_messages({"kwargs": None})
    assert run == {"kwargs": {"input": given}}
