"""What the documents of a prompt say beside its memories: each thing once."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from memory.session_state import SessionState
from nodes.assemble import assemble
from nodes.respond import respond
from tests.fakes import a_memory, a_run
from tests.unit.test_assemble import asking, assembled, numbered, prompt_of
from tests.unit.test_standing_documents import a_document, a_note


def a_profile_of(*lines: str) -> SessionState:
    return SessionState(documents=(a_document("user_profile", "profile", "".join(f"- {each}\n" for each in lines)),))


async def test_a_document_says_nothing_twice_and_marks_what_may_be_over():
    body = (
        "# Profile\n\n## work\n- The user works at Siemens. (2025-01-05)\n\n"
        "## pets\n- The user has a cat called Mia.\n\n"
        "## music\n- The user plays the harp.\n- The user owns a red kayak.\n"
    )
    profile = a_document("user_profile", "profile", body)
    memories = [
        a_memory("I left Siemens, I'm at BMW now", memory_id=str(UUID(int=1))),
        a_memory("I have a cat called Mia", memory_id=str(UUID(int=2))),
        a_memory("I own a red kayak", memory_id=str(UUID(int=3)), epistemic_type="outdated"),
    ]
    asked = asking("Where do I work?", memories=memories, opened=SessionState(documents=(profile,)))
    prompt = await prompt_of(asked)
    expected = [
        "# Profile", "", "## work", "- The user works at Siemens. (2025-01-05) [earlier]", "",
        "## pets", "- The user has a cat called Mia.", "",
        "## music", "- The user plays the harp.",
    ]  # fmt: skip
    assert prompt.documents[0].splitlines()[1:-1] == expected
    assert "I have a cat called Mia" not in prompt.context
    asked.retrieval["temporal_intent"] = "history_trace"
    told = (await prompt_of(asked)).documents[0]
    assert told.splitlines()[1:-1] == [*expected, "- The user owns a red kayak. [outdated]"]


async def test_what_a_document_says_is_not_injected_again_and_its_receipt_says_where_it_stands():
    bees, cat = numbered("I keep bees on the roof", "I have a cat called Mia")
    update = await assembled(
        asking(memories=[bees, cat], opened=a_profile_of('"I have a cat called Mia" (2026-03-01)'))
    )
    prompt = update["prompt"]
    assert "I keep bees" in prompt.context
    assert "Mia" not in prompt.context
    assert "Mia" in prompt.documents[0]
    receipts = [(each["text"], each["decision_reason"], each["position"]) for each in update["memories"]]
    assert receipts == [(bees["text"], "relevance", 0), (cat["text"], "in_document", 1)]
    assert update["rejected"] == []


async def test_a_memory_that_says_more_than_a_line_stays_and_the_line_goes():
    more = a_memory("I have a cat called Mia, and she is fourteen.")
    prompt = await prompt_of(asking(memories=[more], opened=a_profile_of("I have a cat called Mia", "I keep bees")))
    assert "fourteen" in prompt.context
    assert "Mia" not in prompt.documents[0]


async def test_a_number_counts_with_its_noun():
    plot = a_memory("I have plot 3")
    update = await assembled(asking(memories=[plot], opened=a_profile_of("I have plot 23 and 3 hens")))
    assert "I have plot 3\n" in update["prompt"].context
    assert "plot 23" in update["prompt"].documents[0]
    assert update["memories"][0]["decision_reason"] == "relevance"


async def test_what_is_known_in_a_document_is_told_from_the_newer_word_beside_it():
    newer = a_memory("I live in Ghent now", memory_id=str(UUID(int=1)))
    older = a_memory("I live in Paris", memory_id=str(UUID(int=2)), valid_since="2025-03-01T09:00:00+00:00")
    state = asking("Where do I live?", memories=[newer, older], opened=a_profile_of("I live in Ghent now"))
    statuses = {each["text"]: each.get("status") for each in (await assembled(state))["memories"]}
    assert statuses == {"I live in Ghent now": None, "I live in Paris": "earlier"}


async def test_a_note_that_is_recalled_says_only_what_nothing_else_says():
    bees = a_memory("I keep bees on the roof", memory_id=str(UUID(int=1)))
    note: Any = {"lane": "document", "role": "assistant", "speaker": "2026-02-01", "category": "daily_note"}
    twice = a_memory("11:07 (remembered)\nI keep bees on the roof", memory_id=str(UUID(int=2)), **note)
    more = a_memory("11:09 (remembered)\nI keep bees\nMia is ill", memory_id=str(UUID(int=3)), **note)
    update = await assembled(asking(memories=[bees, twice, more]))
    assert [each["text"] for each in update["rejected"]] == [twice["text"]]
    assert update["rejected"][0]["decision_reason"] == "repeat"
    assert "11:09 (remembered)\nMia is ill" in update["prompt"].context
    assert update["prompt"].context.count("bees") == 1


async def test_lines_of_a_group_are_of_other_people_and_repeat_nothing():
    run = a_run(channel="red")
    tea = a_memory("I like tea")
    update = await assemble(asking(memories=[tea], opened=a_profile_of("I like tea with milk")), run)
    assert update["memories"][0]["decision_reason"] == "relevance"


async def test_something_newer_that_is_over_itself_puts_nothing_in_doubt():
    ghent = a_memory("I live in Ghent", memory_id=str(UUID(int=1)), epistemic_type="outdated")
    paris = a_memory("I live in Paris", memory_id=str(UUID(int=2)), valid_since="2025-03-01T09:00:00+00:00")
    state = asking("Where did I live?", memories=[ghent, paris], opened=a_profile_of("I live in Paris (2025-03-01)"))
    state.retrieval["temporal_intent"] = "history_trace"
    update = await assembled(state)
    assert {each["text"]: each.get("status") for each in update["memories"]} == {
        "I live in Paris": None,
        "I live in Ghent": "outdated",
    }
    assert "earlier" not in update["prompt"].documents[0]


async def test_a_line_that_a_document_itself_says_is_over_is_for_questions_about_the_past():
    state = asking(
        "Where do I live?", opened=a_profile_of("I live in Ghent", "I live in Paris (outdated since 2025-03-01)")
    )
    assert "Paris" not in (await prompt_of(state)).documents[0]
    state.retrieval["temporal_intent"] = "history_trace"
    assert "Paris" in (await prompt_of(state)).documents[0]


async def test_an_entry_of_a_note_that_is_over_goes_with_the_mark_below_it():
    note = a_note("2026-03-01", "I live in Paris,\nin a flat\n(outdated since 2026-03-01)", "I live in Ghent")
    paris = a_memory("I live in Paris, in a flat")
    state = asking("Where do I live?", memories=[paris], opened=SessionState(documents=(note,)))
    update = await assembled(state)
    assert update["prompt"].documents[0].splitlines()[1:-1] == ["## 09:00 (user, scope: main)", "", "I live in Ghent"]
    assert update["memories"][0]["decision_reason"] == "relevance"
    state.retrieval["temporal_intent"] = "history_trace"
    state.memories = []
    assert "in a flat\n(outdated since 2026-03-01)" in (await prompt_of(state)).documents[0]


async def test_a_line_that_goes_because_it_is_over_stands_for_no_memory():
    over = a_memory("I own a red kayak", memory_id=str(UUID(int=1)), epistemic_type="outdated")
    kayak = a_memory("I own a red kayak", memory_id=str(UUID(int=2)), role="user", speaker="Bob")
    update = await assembled(asking(memories=[over, kayak], opened=a_profile_of("I own a red kayak", "I keep bees")))
    assert "kayak" not in update["prompt"].documents[0]
    assert "in_document" not in {each["decision_reason"] for each in update["memories"]}


async def test_a_reply_without_a_model_that_tells_a_memory_says_so_on_its_receipt():
    dentist = a_memory("My dentist is Doctor Okafor.")
    state = asking("Who is my dentist?", memories=[dentist], opened=a_profile_of("My dentist is Doctor Okafor."))
    update = await assembled(state)
    assert update["memories"][0]["decision_reason"] == "in_document"
    replied = await respond(replace(state, **update), a_run())
    assert [(each["decision_reason"], each["position"]) for each in replied["memories"]] == [("relevance", 0)]
