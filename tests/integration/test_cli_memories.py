"""``brain memories`` as a person uses it: names as printed, whole histories, what was forgotten comes back."""

import re
from pathlib import Path

import psycopg
import pytest

from memory.postgres.roles import Addresses
from memory.scope import name_id
from tests.integration.brain_process import Brain, Outcome, as_url


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(test_addresses.owner), tmp_path)


def asked(brain: Brain, command: str, *arguments: str) -> Outcome:
    return brain.ask("memories", command, *arguments, "--user", "ann")


def listed(brain: Brain) -> list[str]:
    """The ids as the table prints them; what is too long for its column goes on in a line without."""
    return [line.split()[0] for line in asked(brain, "list").out.splitlines()[1:] if not line.startswith(" ")]


def test_every_id_works_as_it_is_printed_beside_what_is_not_listed(brain: Brain):
    brain.learns("I live in Paris.", "I live in Lyon now.", "I live in Nantes now.", "I love green tea.")
    names = listed(brain)
    assert len(names) == 2
    shown = [asked(brain, "show", name) for name in names]
    assert [done.code for done in shown] == [0, 0]
    everything = asked(brain, "list", "--all", "--json").json
    assert [each["status"] for each in everything].count("superseded") == 2


def test_what_was_forgotten_comes_back_as_it_last_was(brain: Brain):
    brain.learns("I live in Ghent.")
    (name,) = listed(brain)
    asked(brain, "correct", name, "I live in Bruges")
    refused = asked(brain, "restore", name)
    assert (refused.code, refused.err.split(".")[0]) == (1, "E_BAD_REQUEST: This memory is in use as it is")
    asked(brain, "forget", name)
    assert asked(brain, "restore", name).code == 0
    (item,) = asked(brain, "list", "--json").json
    assert (item["text"], item["object"], item["version"]) == ("I live in Bruges", "Bruges", 4)


def test_what_was_superseded_comes_back_as_it_last_was(brain: Brain):
    brain.learns("I live in Paris.", "I live in Lyon now.")
    (old,) = [each for each in asked(brain, "list", "--all", "--json").json if each["status"] == "superseded"]
    assert asked(brain, "restore", old["id"]).code == 0
    back = asked(brain, "show", old["id"], "--json").json
    assert (back["object"], back["status"], back["superseded_by"]) == ("Paris", "active", None)


def test_a_memory_is_pinned_excluded_and_used_as_before(brain: Brain):
    brain.learns("My dentist is Doctor Okafor.")
    (name,) = listed(brain)
    assert asked(brain, "pin", name).out.startswith("Pinned: memory ")
    assert "pinned" in asked(brain, "list").out
    assert asked(brain, "exclude", name, "--json").json["status"] == "accepted"
    assert "excluded" in asked(brain, "list").out
    (report,) = brain.says("Who is my dentist?")
    assert "Okafor" not in report["reply"]
    assert asked(brain, "auto", name).code == 0
    (report,) = brain.says("Who is my dentist?")
    assert "Okafor" in report["reply"]
    assert asked(brain, "pin", "0000").code == 1


def test_a_history_is_told_to_the_end_and_the_last_two_versions_are_compared(brain: Brain):
    brain.learns("I live in Ghent.")
    (name,) = listed(brain)
    asked(brain, "correct", name, "I live in Bruges, close to the canal with the swans", "--reason", "I moved " * 12)
    told = asked(brain, "history", name).out
    assert told.count("moved") == 12
    assert all(word in told for word in ("Ghent", "Bruges", "canal", "swans"))
    compared = asked(brain, "compare", name, "--json").json
    assert tuple(compared["differences"]["object"].values()) == ("Ghent", "Bruges")


def test_a_memory_is_shown_in_plain_words(brain: Brain):
    brain.learns("I live in Ghent.")
    (name,) = listed(brain)
    shown = asked(brain, "show", name).out
    assert not set("[]{}") & set(shown)
    assert re.search(r"^negated +no$", shown, re.MULTILINE)


def test_the_name_in_the_profile_is_the_corrected_name_alone(brain: Brain):
    brain.learns("My name is Ana.")
    (name,) = listed(brain)
    asked(brain, "correct", name, "My name is Hanna")
    assert "name: Hanna\n" in brain.ask("documents", "show", "user_profile", "--user", "ann").out


def test_conflicts_are_listed_and_settled(brain: Brain, test_addresses: Addresses):
    brain.learns("I live in Paris.", "I live in Lyon now.")
    assert asked(brain, "conflicts").out == "No conflicts.\n"
    living, old = sorted(asked(brain, "list", "--all", "--json").json, key=lambda each: each["status"])
    with psycopg.connect(test_addresses.owner) as owner:
        constraint = "update brain.memory_items set item_type = 'constraint' where item_id = %s"
        owner.execute(constraint, (living["id"],))
    asked(brain, "restore", old["id"])
    table = asked(brain, "conflicts").out
    assert ("Paris" in table, "Lyon" in table, "open" in table) == (True, True, True)
    (conflict,) = asked(brain, "conflicts", "--json").json
    assert (conflict["held"]["id"], conflict["new"]["id"]) == (living["id"], old["id"])
    name = table.splitlines()[1].split()[0]
    refused = asked(brain, "resolve", "0000", "keep")
    assert (refused.code, refused.err.split(".")[0]) == (1, "E_NOT_FOUND: There is no such open conflict")
    assert asked(brain, "resolve", name, "perhaps").code == 2
    settled = asked(brain, "resolve", name, "discard", "--winner", old["id"], "--json").json
    assert settled == {"id": conflict["id"], "status": "discarded"}
    assert [each["object"] for each in asked(brain, "list", "--json").json] == ["Paris"]
    assert asked(brain, "conflicts").out == "No conflicts.\n"
    assert asked(brain, "conflicts", "--all", "--json").json[0]["settled_by"] == "ann"


def test_every_audit_row_and_receipt_can_be_traced(brain: Brain, test_addresses: Addresses):
    (report,) = brain.says("I live in Paris.")
    brain.learns("I live in Ghent now.")
    (name, *_) = listed(brain)
    receipt = asked(brain, "forget", name, "--json").json
    assert receipt["trace_id"].startswith("cli:")
    with psycopg.connect(test_addresses.owner) as owner:
        of_tenant = (name_id("tenant", brain.tenant),)
        traces = owner.execute("select trace_id from brain.audit_log where tenant_id = %s", of_tenant).fetchall()
    told = {each for (each,) in traces}
    assert "" not in told
    assert {report["operation_id"], receipt["trace_id"]} <= told


def test_where_no_slip_was_false_there_is_nothing_to_repair(brain: Brain):
    brain.learns("I work at Acme.", "Sorry, it's Apex, not Acme.")
    assert asked(brain, "repair").out.strip() == "Nothing to repair."
    assert asked(brain, "repair", "--apply", "--json").json == []
