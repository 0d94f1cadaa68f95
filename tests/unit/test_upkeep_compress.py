"""What is put away, and what is kept in fewer words."""

from dataclasses import replace
from typing import Any, cast

import pytest

from evolution.upkeep.compress import compress, compression_level, judge_compression, retention, shorten_text
from memory.ports import MemoryCore
from memory.upkeep import UpkeepChange
from tests.contract.builders import by_ann
from tests.fakes import NOW
from tests.this_test import me
from tests.unit.upkeep_builders import a_living, a_run, a_state, ago, an_item, an_old_draft

STORY = (
    "The user keeps bees behind the barn. It was a hot day and so on and so forth. "
    "Their queen came from Slovenia in 2019. It was a hot day. The user sells honey at the Lyon market on Sundays. "
    "So it was, and so it goes on, and so on. And so on. And it was hot, and it was hot, and it was hot indeed."
)


@pytest.mark.parametrize(
    ("days", "uses", "level"),
    [(100, 0, "none"), (130, 0, "light"), (260, 0, "medium"), (420, 0, "aggressive"), (420, 10, "none")],
)
def test_age_costs_retention_and_use_slows_it(days: int, uses: int, level: str):
    assert compression_level(a_living(an_item(days), uses=uses), NOW) == level


def test_lasting_memories_keep_everything():
    assert retention(a_living(an_item(9000, item_type="fact")), NOW) == 1.0


@pytest.mark.parametrize(
    ("days", "more", "away"),
    [
        (420, {"epistemic_type": "outdated"}, True),
        (400, {"epistemic_type": "outdated"}, False),
        (420, {}, False),
        (9000, {"epistemic_type": "outdated", "item_type": "constraint"}, False),
    ],
)
def test_only_the_outdated_of_which_little_is_left_are_put_away(days: int, more: dict[str, Any], away: bool):
    verdict = judge_compression(a_living(an_item(days, **more)), NOW)
    assert (verdict is not None) is away


def test_what_ended_long_ago_is_put_away():
    item = an_item(90, item_type="fact")
    assert judge_compression(a_living(replace(item, invalid_at=ago(31))), NOW) is not None
    assert judge_compression(a_living(replace(item, invalid_at=ago(29))), NOW) is None


def test_what_was_over_when_it_was_said_is_not_put_away():
    item = an_item(90, item_type="fact")
    assert judge_compression(a_living(replace(item, valid_at=ago(900), invalid_at=ago(400))), NOW) is None


def test_what_a_person_brought_back_is_not_put_away_again():
    item = an_item(420, epistemic_type="outdated")
    assert judge_compression(a_living(item, last_change="restore"), NOW) is None


def test_a_long_old_text_keeps_its_fullest_sentences():
    verdict = judge_compression(a_living(an_item(130, content=STORY)), NOW)
    assert verdict is not None
    assert isinstance(verdict.measure, UpkeepChange)
    text = verdict.measure.content or ""
    assert all(word in text for word in ("bees", "Slovenia", "honey"))
    assert len(text) <= 0.6 * len(STORY)
    record = cast("dict[str, Any]", verdict.measure.provenance["compressed"])
    assert (record["level"], record["from_version"], len(record["key_points"])) == ("light", 1, len(text.split(". ")))


def test_a_text_that_would_lose_its_sense_stays_whole():
    dense = " ".join(f"Word{n} thing{n} place{n} name{n}." for n in range(12))
    assert judge_compression(a_living(an_item(260, content=dense)), NOW) is None


def test_a_text_is_compressed_once_per_level():
    item = an_item(130, content=STORY)
    known = {**item.provenance, "compressed": {"level": "light"}}
    assert judge_compression(a_living(replace(item, provenance=known)), NOW) is None


def test_the_kept_share_of_terms_is_told():
    short = shorten_text("Tea is green. Tea is hot. 茶很好。", 1.0)
    assert (short.text, short.quality) == ("Tea is green. Tea is hot. 茶很好。", 1.0)
    assert shorten_text("", 0.5).quality == 1.0


async def test_the_step_archives_and_the_original_comes_back(memory: MemoryCore):
    gone = await memory.items.write(me(), an_old_draft(500, epistemic_type="outdated"), by_ann("k1"))
    told = await memory.items.write(me(), an_old_draft(130, "bees", content=STORY), by_ann("k2"))
    update = await compress(a_state(), a_run(memory))
    found = {each["target"]: (each["change"], each["loses"], each["outcome"]) for each in update["actions"]}
    assert found == {str(gone.memory_id): ("archive", 1, "done"), str(told.memory_id): ("compress", 0, "done")}
    assert [item.memory_id for item in await memory.items.list_newest(me())] == [told.memory_id]
    assert await compress(a_state(), a_run(memory)) == {"actions": []}
    await memory.items.restore(me(), told.memory_id, 1, by_ann("k3"))
    assert (await memory.items.get(me(), told.memory_id)).content == STORY
