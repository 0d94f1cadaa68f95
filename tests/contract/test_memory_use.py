"""Memories that a person pins or excludes from use."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from brain.recall import RecallRequest, query_of
from memory.documents.document import DocumentDraft, memory_mark
from memory.errors import BrainError
from memory.memory_item import ItemUse
from memory.ports import MemoryCore
from memory.scope import Scope
from tests.contract.builders import a_block, a_draft, a_session, a_turn, at, by_ann, cited, said
from tests.contract.test_forgotten_documents import an_entry, found, told_of_oysters
from tests.contract.test_forgotten_elsewhere import BOTH, REPLY, heard, quotable, told


async def used(memory: MemoryCore, scope: Scope, *pins: str, minutes: float = 0) -> list[str]:
    """Memories of these words, pinned one after the other; what a session finds pinned."""
    for number, words in enumerate(pins):
        memory_id = (await memory.items.write(scope, a_draft(words), by_ann(words))).memory_id
        await memory.items.set_use(scope, memory_id, "pinned", by_ann(f"pin {words}", minutes=minutes + number))
    return await pinned(memory, scope)


async def pinned(memory: MemoryCore, scope: Scope) -> list[str]:
    opened = await memory.log.open(scope, uuid4(), 10)
    return [item.object for item in opened.pinned]


async def test_wishes_about_answers_come_with_every_session_the_newest_first(memory: MemoryCore, scope: Scope):
    for number, words in enumerate(("be brief", "call me San", "tea")):
        category = "drink" if words == "tea" else "answers"
        draft = replace(a_draft(words), category=category, observed_at=at(number))
        await memory.items.write(scope, draft, by_ann(words))
    opened = await memory.log.open(scope, uuid4(), 10)
    assert [item.object for item in opened.wishes] == ["call me San", "be brief"]
    await memory.items.forget(scope, opened.wishes[0].memory_id, by_ann("forget", minutes=9))
    assert [item.object for item in (await memory.log.open(scope, uuid4(), 10)).wishes] == ["be brief"]


async def test_pinned_memories_come_with_every_session_the_last_pinned_first(memory: MemoryCore, scope: Scope):
    assert await used(memory, scope, "tea", "milk", "rice") == ["rice", "milk", "tea"]


async def test_a_pin_keeps_its_place_when_the_memory_is_confirmed_or_corrected(memory: MemoryCore, scope: Scope):
    await used(memory, scope, "tea", "milk")
    tea = next(item for item in await memory.items.list_newest(scope) if item.object == "tea")
    await memory.items.confirm(scope, tea.memory_id, by_ann("c", minutes=9))
    await memory.items.correct(scope, tea.memory_id, "The user likes cocoa", by_ann("d", minutes=10))
    assert await pinned(memory, scope) == ["milk", "cocoa"]
    assert (await memory.items.get(scope, tea.memory_id)).use == "pinned"


async def test_what_was_superseded_forgotten_or_released_is_pinned_no_more(memory: MemoryCore, scope: Scope):
    await used(memory, scope, "tea", "milk")
    items = {item.object: item.memory_id for item in await memory.items.list_newest(scope)}
    home = a_draft("Ghent", slot="user|lives_in", single_valued=True)
    lived = (await memory.items.write(scope, home, by_ann("h1"))).memory_id
    await memory.items.set_use(scope, lived, "pinned", by_ann("h2", minutes=5))
    await memory.items.write(scope, replace(home, object="Lyon", content="In Lyon", observed_at=at(6)), by_ann("h3"))
    await memory.items.forget(scope, items["tea"], by_ann("f"))
    assert await pinned(memory, scope) == ["milk"]
    await memory.items.set_use(scope, items["milk"], "auto", by_ann("m"))
    assert await pinned(memory, scope) == []


async def test_nobody_pins_what_has_ended_and_nobody_uses_what_was_forgotten(memory: MemoryCore, scope: Scope):
    home = a_draft("Ghent", slot="user|lives_in", single_valued=True)
    old = (await memory.items.write(scope, home, by_ann("h1"))).memory_id
    await memory.items.write(scope, replace(home, object="Lyon", observed_at=at(6)), by_ann("h2"))
    with pytest.raises(BrainError, match="has ended"):
        await memory.items.set_use(scope, old, "pinned", by_ann("p"))
    await memory.items.forget(scope, old, by_ann("f"))
    uses: tuple[ItemUse, ...] = ("auto", "pinned", "excluded")
    for use in uses:
        with pytest.raises(BrainError, match="was forgotten"):
            await memory.items.set_use(scope, old, use, by_ann(f"u {use}"))


async def test_somebody_elses_memory_does_not_exist(memory: MemoryCore, scope: Scope):
    mine = (await memory.items.write(scope, a_draft(), by_ann("w"))).memory_id
    others = (replace(scope, user_id=uuid4()), replace(scope, tenant_id=uuid4()))
    for number, other in enumerate(others):
        with pytest.raises(BrainError, match="no such memory"):
            await memory.items.set_use(other, mine, "excluded", by_ann(f"x{number}"))
    await memory.items.set_use(scope, mine, "pinned", by_ann("p"))
    assert [await pinned(memory, other) for other in others] == [[], []]
    assert (await memory.items.get(scope, mine)).use == "pinned"


async def test_each_change_is_a_version_and_the_same_use_again_is_none(memory: MemoryCore, scope: Scope):
    mine = (await memory.items.write(scope, a_draft(), by_ann("w"))).memory_id
    first = await memory.items.set_use(scope, mine, "excluded", by_ann("x", minutes=1))
    assert await memory.items.set_use(scope, mine, "excluded", by_ann("x", minutes=2)) == first
    again = await memory.items.set_use(scope, mine, "excluded", by_ann("y", minutes=3))
    assert (first.status, again.status) == ("accepted", "merged")
    history = await memory.items.history(scope, mine)
    assert [(each.change, each.snapshot["use"], each.operator) for each in history] == [
        ("create", "auto", "user"),
        ("set_use", "excluded", "user"),
    ]


async def test_what_is_excluded_is_in_no_reading_and_comes_back_as_it_was(recalling: MemoryCore, scope: Scope):
    session, _, ids = await told(recalling, scope, REPLY, "Tell me more.")
    before = await heard(recalling, scope)
    assert before == ["It is Qaqortoq", BOTH, REPLY]
    await recalling.items.set_use(scope, ids["Qaqortoq"], "excluded", by_ann("x"))
    assert await heard(recalling, scope) == []
    assert await heard(recalling, scope, "Zedrik") == ["It is Zedrik"]
    assert await quotable(recalling, scope, session) == [False, False, True]
    await recalling.index.rebuild(scope)
    assert await heard(recalling, scope) == []
    await recalling.items.set_use(scope, ids["Qaqortoq"], "auto", by_ann("y"))
    assert await heard(recalling, scope) == before
    assert await quotable(recalling, scope, session) == [True, True, True]
    await recalling.index.rebuild(scope)
    assert await heard(recalling, scope) == before


async def test_what_is_excluded_is_listed_and_read_all_the_same(memory: MemoryCore, scope: Scope):
    _, turn, ids = await told(memory, scope)
    await memory.items.set_use(scope, ids["Qaqortoq"], "excluded", by_ann("x"))
    listed = {item.object: (item.use, item.status) for item in await memory.items.list_newest(scope)}
    assert listed == {"Qaqortoq": ("excluded", "active"), "Zedrik": ("auto", "active")}
    assert [each.quote for each in await memory.items.evidence(scope, ids["Qaqortoq"])] == ["Qaqortoq"]
    assert [each.text for each in await memory.log.events(scope, [turn.event_id])] == [BOTH]


async def test_a_session_withholds_the_turn_without_letting_go_of_it(memory: MemoryCore, scope: Scope):
    session, _, ids = await told(memory, scope, REPLY, "Tell me more.")
    await memory.items.set_use(scope, ids["Qaqortoq"], "excluded", by_ann("x"))
    opened = await memory.log.open(scope, session.session_id, 10)
    assert [event.text for event in opened.window] == ["Tell me more."]
    assert (len(opened.withheld), opened.gone) == (2, frozenset())
    await memory.items.forget(scope, ids["Zedrik"], by_ann("f"))
    opened = await memory.log.open(scope, session.session_id, 10)
    assert (len(opened.gone), len(opened.withheld)) == (2, 0)


async def test_what_is_excluded_counts_as_unreadable_for_a_turn_that_goes_on(memory: MemoryCore, scope: Scope):
    _, turn, ids = await told(memory, scope)
    await memory.items.set_use(scope, ids["Qaqortoq"], "excluded", by_ann("x", minutes=5))
    asked = [turn.event_id, *ids.values()]
    hidden = await memory.log.find_forgotten(scope, asked, at(1))
    assert (hidden.ids, hidden.anything) == ({turn.event_id, ids["Qaqortoq"]}, True)


async def test_hearing_it_again_does_not_bring_it_back(memory: MemoryCore, scope: Scope):
    _, turn, ids = await told(memory, scope)
    await memory.items.set_use(scope, ids["Qaqortoq"], "excluded", by_ann("x"))
    again = said("As I said, Qaqortoq is my home.", minutes=20)
    await memory.log.capture(scope, a_turn(again))
    draft = a_draft("Qaqortoq", content="It is Qaqortoq", slot="user|lives_in", citations=(cited(again, "Qaqortoq"),))
    assert (await memory.items.write(scope, draft, by_ann("w"))).memory_id == ids["Qaqortoq"]
    assert await heard(memory, scope) == []
    other = replace(draft, slot="user|knows", content="He knows Qaqortoq", citations=(cited(turn, "in Qaqortoq"),))
    assert (await memory.items.write(scope, other, by_ann("o"))).status == "rejected"
    assert (await memory.items.get(scope, ids["Qaqortoq"])).use == "excluded"


async def test_what_takes_its_place_is_used(memory: MemoryCore, scope: Scope):
    home = a_draft("Ghent", content="He lives in Ghent", slot="user|lives_in", single_valued=True)
    old = (await memory.items.write(scope, home, by_ann("h1"))).memory_id
    await memory.items.set_use(scope, old, "excluded", by_ann("x"))
    news = replace(home, object="Lyon", content="He lives in Lyon", observed_at=at(6))
    await memory.items.write(scope, news, by_ann("h2"))
    ended = await memory.items.get(scope, old)
    assert (ended.status, ended.use) == ("superseded", "excluded")
    asked = query_of(RecallRequest(text="he lives in Ghent or Lyon", at=at(60), temporal="history_trace"))
    found = await memory.index.candidates(scope, asked)
    assert [each.text for each in found.candidates] == ["He lives in Lyon"]


async def test_restoring_what_was_forgotten_leaves_it_excluded(memory: MemoryCore, scope: Scope):
    _, _, ids = await told(memory, scope)
    await memory.items.set_use(scope, ids["Qaqortoq"], "excluded", by_ann("x"))
    await memory.items.forget(scope, ids["Qaqortoq"], by_ann("f"))
    await memory.items.restore(scope, ids["Qaqortoq"], 1, by_ann("r"))
    assert (await memory.items.get(scope, ids["Qaqortoq"])).use == "excluded"
    assert await heard(memory, scope) == []
    await memory.items.set_use(scope, ids["Qaqortoq"], "auto", by_ann("a"))
    assert await heard(memory, scope) == ["It is Qaqortoq", BOTH]


async def test_documents_hide_it_and_show_it_again_word_for_word(memory: MemoryCore, scope: Scope):
    oysters = await told_of_oysters(memory, scope)
    before = {each.name: each.body for each in await memory.documents.list_documents(scope)}
    sections = await found(memory, scope, "oysters adores likes called runs")
    await memory.items.set_use(scope, oysters, "excluded", by_ann("x"))
    for document in await memory.documents.list_documents(scope):
        assert "excluded" in document.body
        for version in await memory.documents.history(scope, document.document_id):
            assert memory_mark(oysters) not in version.body
    assert not [
        text for text in await found(memory, scope, "oysters adores likes") if "adore" in text or "Likes" in text
    ]
    await memory.items.set_use(scope, oysters, "auto", by_ann("y"))
    assert {each.name: each.body for each in await memory.documents.list_documents(scope)} == before
    assert sorted(await found(memory, scope, "oysters adores likes called runs")) == sorted(sections)


async def test_a_hidden_line_does_not_count_as_taken_out_by_the_person(memory: MemoryCore, scope: Scope):
    oysters = await told_of_oysters(memory, scope)
    curated = next(each for each in await memory.documents.list_documents(scope) if each.name == "MEMORY")
    front = {"curated": [str(oysters), "2026-03-01/abc", "2026-03-01/def", "gone before"]}
    draft = DocumentDraft(kind="memory", name="MEMORY", body=curated.body, front=front)
    await memory.documents.save(scope, draft, curated.version, by_ann("k8"))
    await memory.items.set_use(scope, oysters, "excluded", by_ann("x"))
    hidden = await memory.documents.get(scope, curated.document_id)
    assert hidden.front["curated"] == ["2026-03-01/def", "gone before"]


async def test_a_line_that_two_memories_hide_waits_for_both(memory: MemoryCore, scope: Scope):
    _, turn, ids = await told(memory, scope)
    await memory.documents.append_note(scope, [an_entry("e1", BOTH, cites=(turn.event_id,))], by_ann("k"))
    note = (await memory.documents.list_documents(scope))[0]
    for words in ("Qaqortoq", "Zedrik"):
        await memory.items.set_use(scope, ids[words], "excluded", by_ann(f"x {words}"))
    await memory.items.set_use(scope, ids["Qaqortoq"], "auto", by_ann("a"))
    assert await found(memory, scope, "Qaqortoq Zedrik name") == []
    await memory.items.set_use(scope, ids["Zedrik"], "auto", by_ann("b"))
    assert (await memory.documents.get(scope, note.document_id)).body == note.body


async def test_what_is_forgotten_leaves_hidden_parts_as_well(memory: MemoryCore, scope: Scope):
    oysters = await told_of_oysters(memory, scope)
    await memory.items.set_use(scope, oysters, "excluded", by_ann("x"))
    await memory.items.forget(scope, oysters, by_ann("f"))
    for document in await memory.documents.list_documents(scope):
        for version in await memory.documents.history(scope, document.document_id):
            assert "Likes oysters" not in version.body
            assert "adore" not in version.body


async def test_a_line_that_is_written_again_stays_hidden(memory: MemoryCore, scope: Scope):
    _, _, ids = await told(memory, scope)
    await memory.items.set_use(scope, ids["Qaqortoq"], "excluded", by_ann("x"))
    line = f"- Qaqortoq & <home> {memory_mark(ids['Qaqortoq'])}\n"
    draft = DocumentDraft(kind="memory", name="MEMORY", body=f"# Memory\n\n{line}- Sings.\n")
    saved = await memory.documents.save(scope, draft, 0, by_ann("s"))
    assert await found(memory, scope, "Qaqortoq home Sings") == ["Memory\n- Sings."]
    await memory.items.set_use(scope, ids["Qaqortoq"], "auto", by_ann("y"))
    assert (await memory.documents.get(scope, saved.document_id)).body == draft.body


async def test_nothing_is_noted_of_a_turn_that_says_it(memory: MemoryCore, scope: Scope):
    _, turn, ids = await told(memory, scope)
    await memory.items.set_use(scope, ids["Qaqortoq"], "excluded", by_ann("x"))
    await memory.documents.append_note(scope, [an_entry("e1", BOTH, cites=(turn.event_id,))], by_ann("k"))
    assert await memory.documents.list_documents(scope) == []


async def test_summaries_are_worded_anew_both_times(memory: MemoryCore, scope: Scope):
    session, turn, ids = await told(memory, scope)
    block = a_block(session, 0, (0, 0), turn.event_id, text=BOTH)
    await memory.sessions.save_summary(scope, block, at(5))
    await memory.items.set_use(scope, ids["Qaqortoq"], "excluded", by_ann("x"))
    assert (await memory.log.open(scope, session.session_id, 10)).summaries == ()
    assert await memory.sessions.reword(scope, block) is False
    await memory.items.set_use(scope, ids["Qaqortoq"], "auto", by_ann("y"))
    assert await memory.sessions.reword(scope, block) is True
    assert (await memory.log.open(scope, session.session_id, 10)).summaries == (BOTH,)


async def test_a_summary_that_did_without_it_is_worded_anew_when_it_is_used_again(memory: MemoryCore, scope: Scope):
    session, _, ids = await told(memory, scope)
    await memory.items.set_use(scope, ids["Qaqortoq"], "excluded", by_ann("x"))
    await memory.sessions.save_summary(scope, a_block(session, 0, (0, 0), text="They met."), at(5))
    await memory.items.set_use(scope, ids["Qaqortoq"], "auto", by_ann("y"))
    tail = await memory.sessions.tail(scope, session.session_id, 10)
    assert tail is not None
    assert tail.withdrawn == (0,)


async def test_upkeep_leaves_what_a_person_decided_alone(memory: MemoryCore, scope: Scope):
    ids = [
        (await memory.items.write(scope, a_draft(words), by_ann(words))).memory_id
        for words in ("green tea in the morning", "green tea in the mornings", "green tea every morning")
    ]
    assert len(await memory.upkeep.find_similar(scope, 0.1, 10)) == 3
    await memory.items.set_use(scope, ids[0], "pinned", by_ann("p"))
    await memory.items.set_use(scope, ids[1], "excluded", by_ann("x"))
    assert await memory.upkeep.find_similar(scope, 0.1, 10) == []
    found = await memory.upkeep.list_active(scope, UUID(int=0), 10)
    assert {each.item.memory_id for each in found} == {ids[0], ids[2]}


async def test_nothing_is_drawn_from_words_that_are_excluded_while_their_turn_waits(memory: MemoryCore, scope: Scope):
    session = a_session()
    turn = said(BOTH)
    await memory.log.capture(scope, a_turn(turn, session=session))
    draft = a_draft("Qaqortoq", slot="user|lives_in", citations=(cited(turn, "I live in Qaqortoq."),))
    memory_id = (await memory.items.write(scope, draft, by_ann("w"))).memory_id
    await memory.items.set_use(scope, memory_id, "excluded", by_ann("x"))
    waiting = await memory.log.find_pending_turns(scope, session.session_id, 10)
    assert all("Qaqortoq" not in event.text for _, event in waiting.said)
