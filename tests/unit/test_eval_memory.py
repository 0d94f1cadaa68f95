"""Judging what is remembered: labels read, memories held against them, lives counted, the gate held."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from evals.evaluation.baseline import read_baseline
from evals.evaluation.memory import Report, Task, examined, report
from evals.evaluation.memory_data import ASSISTANT, Conversation, Label, Trap, read_labelled
from evals.evaluation.memory_figures import Share, f1, measure_shares, total
from evals.evaluation.memory_gate import MemoryBaseline, baseline_of, falls
from evals.evaluation.memory_judge import falls_into, judge, says
from evals.evaluation.memory_recorded import read_recording
from evals.evaluation.memory_replay import Asked, Lived
from evals.evaluation.memory_table import FIGURES, lines
from evals.evaluation.own_data import LABELLED, RECORDED, own_data
from memory.conflicts import Conflict
from memory.errors import BrainError
from memory.memory_item import Evidence, MemoryDraft, MemoryItem
from memory.revision import first_version
from tests.fakes import a_settings

MORNING = datetime(2025, 1, 6, 9, tzinfo=UTC)
BASELINE = own_data(LABELLED)[0].with_name("memory.baseline.json")

TALK: Sequence[dict[str, object]] = (
    {"conversation": "c", "category": "temporal", "language": "en", "split": "dev", "zone": "UTC", "user": "Ann"},
    {"session": "s1", "at": "2025-01-06T09:00"},
    {"turn": "s1.1", "speaker": "user", "text": "I live in Lyon and my brother Tom hates figs."},
    {"turn": "s1.2", "speaker": "assistant", "text": "Would you like to try judo?"},
    {"session": "s2", "at": "2025-03-06T09:00"},
    {"turn": "s2.1", "speaker": "user", "text": "We have moved to Lille."},
    {
        "label": "lyon",
        "subject": ["user"],
        "predicate": "lives_in",
        "object": ["Lyon"],
        "evidence": ["s1.1"],
        "ended_by": ["s2.1"],
    },
    {
        "label": "lille",
        "subject": ["user"],
        "predicate": "lives_in",
        "object": ["Lille"],
        "evidence": ["s2.1"],
        "replaces": "lyon",
    },
    {
        "label": "figs",
        "subject": ["Tom", "brother"],
        "predicate": "likes",
        "object": ["fig"],
        "negated": True,
        "evidence": ["s1.1"],
    },
    {"label": "tom", "subject": ["user"], "predicate": "relation", "object": ["Tom"], "optional": True},
    {"trap": ["judo"], "subject": ["user"], "why": "the assistant's suggestion"},
    {"question": "Where do I live?", "about": ["lyon", "lille"]},
)


def a_conversation(folder: Path, records: Sequence[dict[str, object]] = TALK) -> Conversation:
    file = folder / "talk.jsonl"
    file.write_text("\n".join(map(json.dumps, records)))
    return read_labelled(file).conversations[0]


def an_item(number: int, predicate: str, value: str, **values: Any) -> MemoryItem:
    """A memory of the user, seen in the morning of the first day."""
    told: dict[str, Any] = {"subject": "user", "item_type": "fact", "negated": False, "observed_at": MORNING, **values}
    draft = MemoryDraft(
        predicate=predicate,
        object=value,
        content=told.pop("content", f"{told['subject']} {predicate} {value}"),
        category="other",
        slot=f"user|{predicate}",
        single_valued=False,
        provenance="confirmed_by_user",
        confidence=0.9,
        certainty=0.9,
        valid_at=told["observed_at"],
        **told,
    )
    return first_version(draft, UUID(int=number), UUID(int=99), told["observed_at"])


def a_life(conversation: Conversation, *items: MemoryItem, **values: Any) -> Lived:
    """Every memory rests on the turn of its day."""
    told = Evidence(event_id=UUID(int=7), quote="I live", speaker="user", occurred_at=MORNING, sha256="", verified=True)
    turn = {item.memory_id: "s1.1" if item.observed_at == MORNING else "s2.1" for item in items}
    evidence = {memory_id: (replace(told, reference=name),) for memory_id, name in turn.items()}
    empty: dict[str, Any] = {"conflicts": (), "asked": (), "as_of": (), "histories": ()}
    return Lived(conversation=conversation, items=items, evidence=evidence, **(empty | values))


def a_label(**values: Any) -> Label:
    told: dict[str, Any] = {"label": "l", "subject": ("user",), "predicate": "likes", "object": ("tea",)}
    return Label(**(told | values))


def test_a_label_is_current_from_its_turn_to_the_turn_that_ends_it(tmp_path: Path) -> None:
    conversation = a_conversation(tmp_path)
    lyon = conversation.label_of["lyon"]
    assert not conversation.known(lyon, MORNING - timedelta(minutes=1))
    assert conversation.current(lyon, MORNING + timedelta(days=1))
    assert conversation.past(lyon, MORNING + timedelta(days=90))


def test_a_plan_is_past_after_its_last_day_where_the_person_is(tmp_path: Path) -> None:
    records = [dict(each) for each in TALK]
    records[0] |= {"zone": "Asia/Shanghai"}
    records[8] |= {"until": "2025-01-10"}
    conversation = a_conversation(tmp_path, records)
    figs = conversation.label_of["figs"]
    assert conversation.current(figs, datetime(2025, 1, 10, 15, 59, tzinfo=UTC))
    assert conversation.past(figs, datetime(2025, 1, 10, 16, 0, tzinfo=UTC))


def test_a_name_that_no_record_has_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrainError, match="nowhere"):
        a_conversation(tmp_path, [*TALK, {"question": "Who?", "about": ["nowhere"]}])


def test_a_line_that_is_no_record_is_named(tmp_path: Path) -> None:
    with pytest.raises(BrainError, match=":13 is no record"):
        a_conversation(tmp_path, [*TALK, {"labell": "x"}])


@pytest.mark.parametrize(
    ("label", "item"),
    [
        (a_label(), an_item(1, "prefers", "green tea")),
        (a_label(negated=True), an_item(1, "dislikes", "tea")),
        (a_label(negated=True), an_item(1, "prefers", "tea", negated=True)),
        (a_label(negated=True), an_item(1, "prefers", "no tea at all")),
        (a_label(predicate="allergic_to"), an_item(1, "consumes", "tea", negated=True)),
        (a_label(predicate="eats", negated=True), an_item(1, "allergic_to", "tea")),
        (a_label(object=("salt + ledger",)), an_item(1, "likes", "Ledger (Salt)")),
        (a_label(subject=("Ann",)), an_item(1, "aunt_drinks", "tea", content="The aunt of the user, Ann, likes tea.")),
        (a_label(predicate="wants_style", negated=True), an_item(1, "wants_style", "tea")),
        (a_label(predicate="lives_in", object=("无锡",)), an_item(1, "lives_in", "无锡")),
    ],
)
def test_a_memory_may_say_the_same_in_other_words(label: Label, item: MemoryItem) -> None:
    assert says(item, label)


@pytest.mark.parametrize(
    ("label", "item"),
    [
        (a_label(), an_item(1, "prefers", "coffee", content="The user likes coffee, not tea.")),
        (a_label(), an_item(1, "prefers", "tea", negated=True)),
        (a_label(), an_item(1, "dislikes", "tea")),
        (a_label(), an_item(1, "prefers", "tea", subject="brother")),
        (a_label(subject=("he",)), an_item(1, "prefers", "tea", content="The user likes tea.")),
        (a_label(predicate="lives_in"), an_item(1, "works_at", "tea")),
        (a_label(predicate="lives_in"), an_item(1, "lives_in", "tea", item_type="plan")),
        (a_label(predicate="has_pet"), an_item(1, "name", "tea")),
        (a_label(object=("salt + ledger",)), an_item(1, "likes", "salt")),
    ],
)
def test_a_memory_of_somebody_or_something_else_says_not_the_same(label: Label, item: MemoryItem) -> None:
    assert not says(item, label)


def test_a_denial_falls_into_no_trap() -> None:
    trap = Trap(trap=("judo",), subject=("user",), why="suggested")
    assert falls_into(an_item(1, "plans", "judo"), trap)
    assert not falls_into(an_item(1, "plans", "judo", negated=True), trap)
    assert not falls_into(an_item(1, "plans", "judo", subject="Tom"), trap)


def test_each_memory_gets_its_verdict(tmp_path: Path) -> None:
    conversation = a_conversation(tmp_path)
    late = MORNING + timedelta(days=100)
    verdicts = {
        "wanted": an_item(1, "lives_in", "Lyon"),
        "revived": an_item(2, "lives_in", "Lyon", observed_at=late),
        "harmless": an_item(3, "brother", "Tom"),
        "trap": an_item(4, "wants", "judo"),
        "junk": an_item(5, "likes", "rain"),
    }
    assert {judge(conversation, item).verdict: item for item in verdicts.values()} == verdicts
    assert judge(conversation, an_item(6, "lives_in", "Lyon", negated=True, observed_at=late)).verdict == "harmless"


def test_what_was_extracted_is_counted(tmp_path: Path) -> None:
    shares = measure_shares(
        a_life(a_conversation(tmp_path), an_item(1, "lives_in", "Lyon"), an_item(2, "wants", "judo with him"))
    )
    assert (shares["precision"], shares["recall"]) == (Share(1, 2), Share(1, 3))
    assert (shares["junk"], shares["traps"], shares["clear"]) == (Share(1, 2), Share(1, 1), Share(1, 2))
    assert f1(shares) == pytest.approx(0.4)


def test_an_old_answer_beside_the_new_one_is_a_leak_and_an_old_one_first_is_not_fresh(tmp_path: Path) -> None:
    conversation = a_conversation(tmp_path)
    now = MORNING + timedelta(days=90)
    lyon, lille = an_item(1, "lives_in", "Lyon"), an_item(2, "lives_in", "Lille", observed_at=now)
    where = conversation.questions[0]
    fresh = measure_shares(a_life(conversation, lyon, lille, asked=(Asked(where, now, (lille.memory_id,)),)))
    leaking = measure_shares(
        a_life(conversation, lyon, lille, asked=(Asked(where, now, (lyon.memory_id, lille.memory_id)),))
    )
    assert (fresh["fresh"], fresh["stale_leak"]) == (Share(1, 1), Share(0, 1))
    assert (leaking["fresh"], leaking["stale_leak"]) == (Share(0, 1), Share(1, 1))
    assert fresh["let_go"] == Share(0, 1)


def test_told_with_turns_and_facts_the_old_must_not_stand_before_the_new(tmp_path: Path) -> None:
    conversation = a_conversation(tmp_path)
    lille = an_item(2, "lives_in", "Lille", observed_at=MORNING + timedelta(days=90))
    where, now = conversation.questions[0], MORNING + timedelta(days=90)
    told = {
        ("s1.2", "s1.1", str(lille.memory_id)): Share(1, 1),
        ("s1.2", str(lille.memory_id), "s1.1"): Share(0, 1),
        ("s2.1", "s1.1"): Share(0, 1),
        ("s1.2",): Share(0, 1),
    }
    for best, share in told.items():
        assert measure_shares(a_life(conversation, lille, asked=(Asked(where, now, (), best),)))["old_first"] == share
    assert (
        measure_shares(a_life(conversation, lille, asked=(Asked(where, MORNING, (), ("s1.1",)),)))["old_first"]
        == Share()
    )


def test_ending_what_still_holds_is_a_false_conflict(tmp_path: Path) -> None:
    conversation = a_conversation(tmp_path)
    now = MORNING + timedelta(days=90)
    lille = an_item(2, "lives_in", "Lille", observed_at=now)
    lyon = replace(an_item(1, "lives_in", "Lyon"), status="superseded", superseded_by=lille.memory_id)
    figs = an_item(3, "likes", "figs", subject="brother", negated=True)
    right = measure_shares(a_life(conversation, lyon, lille, figs))
    wrong = measure_shares(
        a_life(conversation, lyon, lille, replace(figs, status="superseded", superseded_by=lille.memory_id))
    )
    assert (right["supersede_precision"], right["false_conflicts"]) == (Share(1, 1), Share(0, 3))
    assert (wrong["supersede_precision"], wrong["false_conflicts"]) == (Share(1, 2), Share(1, 3))
    assert right["let_go"] == Share(1, 1)


def test_a_dispute_between_two_truths_is_a_false_conflict(tmp_path: Path) -> None:
    conversation = a_conversation(tmp_path)
    lyon, figs = an_item(1, "lives_in", "Lyon"), an_item(3, "likes", "figs", subject="brother", negated=True)
    dispute = Conflict(
        conflict_id=UUID(int=5),
        kind="contradiction",
        status="open",
        held_id=lyon.memory_id,
        new_id=figs.memory_id,
        opened_at=MORNING + timedelta(hours=1),
        opened_by="rules",
    )
    assert measure_shares(a_life(conversation, lyon, figs, conflicts=(dispute,)))["false_conflicts"] == Share(2, 2)


def test_a_history_is_complete_when_every_link_is_told(tmp_path: Path) -> None:
    conversation = a_conversation(tmp_path)
    now = MORNING + timedelta(days=90)
    lyon, lille = an_item(1, "lives_in", "Lyon"), an_item(2, "lives_in", "Lille", observed_at=now)
    where = conversation.questions[0]
    whole = measure_shares(
        a_life(conversation, lyon, lille, histories=(Asked(where, now, (UUID(int=1), UUID(int=2))),))
    )
    half = measure_shares(a_life(conversation, lyon, lille, histories=(Asked(where, now, (UUID(int=2),)),)))
    assert (whole["history"], whole["history_links"]) == (Share(1, 1), Share(2, 2))
    assert (half["history"], half["history_links"]) == (Share(0, 1), Share(1, 2))


def a_report(folder: Path, *items: MemoryItem) -> Report:
    conversation = a_conversation(folder)
    task = Task([read_labelled(folder / "talk.jsonl")], ["dev"])
    return report(task, "dev", [a_life(conversation, *items)], {})


def test_the_gate_lets_better_figures_pass_and_stops_worse_ones(tmp_path: Path) -> None:
    everything = (
        an_item(1, "lives_in", "Lyon"),
        an_item(2, "lives_in", "Lille", observed_at=MORNING + timedelta(days=90)),
        an_item(3, "likes", "figs", subject="brother", negated=True),
    )
    good, poor = a_report(tmp_path, *everything), a_report(tmp_path, everything[0])
    file = tmp_path / "baseline.json"
    file.write_text(baseline_of([poor]).model_dump_json())
    assert falls([good], read_baseline(MemoryBaseline, file)) == []
    file.write_text(baseline_of([good]).model_dump_json())
    fallen = falls([poor], read_baseline(MemoryBaseline, file))
    assert any(fall.startswith("dev half, en: extraction recall was 100.0% (3 of 3), is 33.3%") for fall in fallen)


def test_a_baseline_is_renewed_where_it_was_measured_again(tmp_path: Path) -> None:
    dev = a_report(tmp_path)
    held = replace(dev, split="held")
    renewed = baseline_of(
        [replace(dev, total=a_report(tmp_path, an_item(1, "likes", "rain")).total)], baseline_of([dev, held])
    )
    assert [each.split for each in renewed.halves] == ["held", "dev"]
    assert renewed.halves[1].shares["all"]["junk"].share == Share(1, 1)


def test_figures_of_other_data_are_not_compared(tmp_path: Path) -> None:
    before = baseline_of([a_report(tmp_path)])
    with pytest.raises(BrainError, match="no figures of this data"):
        falls([replace(a_report(tmp_path), data={"talk.jsonl": "0"})], before)


def test_the_table_sets_each_threshold_beside_its_figure(tmp_path: Path) -> None:
    table = "\n".join(lines(a_report(tmp_path, an_item(1, "lives_in", "Lyon"))))
    assert "extraction precision                  ≥ 95% PASS" in table
    assert "extraction recall                     ≥ 92% FAIL" in table
    assert FIGURES["false_conflicts"].verdict(0.03) == "< 3% FAIL"
    assert FIGURES["false_conflicts"].verdict(None) == ""


def test_sums_weigh_every_memory_the_same() -> None:
    assert total([{"recall": Share(1, 1)}, {"recall": Share(0, 3)}]) == {"recall": Share(1, 4)}


def test_our_own_conversations_are_of_both_halves_languages_and_all_categories() -> None:
    conversations = [each for path in own_data(LABELLED) for each in read_labelled(path).conversations]
    kinds = {(each.head.category, each.head.language, each.head.split) for each in conversations}
    assert len(conversations) >= 60
    assert len({each.name for each in conversations}) == len(conversations)
    assert len(kinds) == 16
    assert all(len(each.sessions) >= 2 for each in conversations)
    assert sum(bool(each.head.channel) for each in conversations) >= 8


def test_every_label_of_our_own_rests_on_a_persons_turn_that_comes_before_its_end() -> None:
    for conversation in (each for path in own_data(LABELLED) for each in read_labelled(path).conversations):
        speaker = {said.turn.turn: said.turn.speaker for each in conversation.sessions for said in each.spoken}
        for label in conversation.labels:
            assert label.optional or label.evidence, (conversation.name, label.label)
            assert all(speaker[turn] != ASSISTANT for turn in (*label.evidence, *label.ended_by))
            learned, ended = conversation.learned(label), conversation.ended(label)
            assert learned is None or ended is None or learned < ended, (conversation.name, label.label)


def test_every_recorded_answer_belongs_to_a_session_and_cites_a_persons_turn() -> None:
    ours = {each.name: each for path in own_data(LABELLED) for each in read_labelled(path).conversations}
    recording = read_recording(*own_data(RECORDED))
    assert len(recording.conversations) >= 12
    for name, session, _ in recording.answers:
        assert session in {each.name for each in ours[name].sessions}


async def test_what_is_remembered_of_our_own_conversations_does_not_become_worse(server_url: str) -> None:
    labelled = [read_labelled(path) for path in own_data(LABELLED)]
    ways = (None, read_recording(*own_data(RECORDED)))
    tasks = [Task(labelled, ["dev"], recording=way, server=server_url) for way in ways]
    reports = [each for task in tasks for each in await examined(a_settings(), task, lambda: None)]
    assert falls(reports, read_baseline(MemoryBaseline, BASELINE)) == []
