"""The work behind the conversation with a model: real worker, real database, and a provider that follows a script."""

from structlog.testing import capture_logs

from tests.contract.builders import said
from tests.integration.model_stories import Story, note, noting, rewording
from tests.openai_script import Step, When


async def test_notes_become_cited_memories_in_the_language_of_the_turn(story: Story):
    await story.says("I live in Lyon.", "我对花生过敏。")
    provider = await story.works(
        noting(
            note("I live in Lyon", "The user lives in Lyon."),
            note("我对花生过敏", "用户对花生过敏。", turn=2, predicate="allergic_to", object="花生"),
        )
    )
    items = await story.remembered()
    assert [item.content for item in items] == ["The user lives in Lyon.", "用户对花生过敏。"]
    assert [await story.quotes(item) for item in items] == [["I live in Lyon"], ["我对花生过敏"]]
    assert [item.version for item in items] == [1, 1]
    assert [each.status for each in await story.ended()] == ["stored", "stored"]
    assert [request.form for request in provider.requests] == ["Notes"]


async def test_what_the_assistant_said_is_no_fact_of_the_user(story: Story):
    await story.captured(
        said("I like tea a lot."), said("Then you live in Lyon, I suppose.", role="assistant", speaker="assistant")
    )
    told = note("you live in Lyon", "The user lives in Lyon.", turn=2)
    blamed = note("you live in Lyon", "The user lives in Lyon.", turn=1)
    provider = await story.works(noting(told, blamed), noting(told, blamed))
    (done,) = await story.ended()
    assert await story.contents() == ["I like tea a lot."]
    assert done.status == "stored"
    assert [request.form for request in provider.requests] == ["Notes", "Notes"]


async def test_what_is_said_of_somebody_else_is_theirs(story: Story):
    await story.says("I live in Lyon.", "My sister Emma lives in Berlin.")
    await story.works(
        noting(
            note("I live in Lyon", "The user lives in Lyon."),
            note(
                "My sister Emma lives in Berlin",
                "Emma, the user's sister, lives in Berlin.",
                turn=2,
                subject="Emma",
                object="Berlin",
            ),
        )
    )
    assert {item.slot: item.object for item in await story.remembered()} == {
        "user|lives_in": "Lyon",
        "emma|lives_in": "Berlin",
    }


async def test_in_a_group_each_statement_is_its_speakers(group: Story):
    await group.captured(said("I live in Lyon.", speaker="Ann"), said("I live in Rome, and I am vegan.", speaker="Bob"))
    await group.works(
        noting(
            note("I live in Lyon", "Ann lives in Lyon.", subject="user"),
            note("I live in Rome", "Bob lives in Rome.", turn=2, subject="Bob", object="Rome"),
            note("I am vegan", "Bob is vegan.", turn=2, subject="the speaker", predicate="diet", object="vegan"),
        )
    )
    assert {item.slot: item.object for item in await group.remembered()} == {
        "ann|lives_in": "Lyon",
        "bob|lives_in": "Rome",
        "bob|diet": "vegan",
    }


UNCLEAR = note("We chose the one by the river", "The user chose the one by the river.", predicate="chose", object="it")


async def test_unclear_words_are_asked_about_twice_and_then_written_with_an_alarm(story: Story):
    await story.says("We chose the one by the river.")
    same = rewording(("The user chose it.", "it"), times=None)
    with capture_logs() as logs:
        provider = await story.works(noting(UNCLEAR), same)
    (item,) = await story.remembered()
    (done,) = await story.ended()
    assert [request.form for request in provider.requests] == ["Notes", "Rewordings", "Rewordings"]
    assert (item.object, done.status) == ("it", "stored")
    assert "absolutization_degraded" in (done.reason or "")
    assert [each["memories"] for each in logs if each["event"] == "absolutization_degraded"] == [1]


async def test_unclear_words_are_kept_when_the_model_can_be_asked_no_more(story: Story):
    await story.says("We chose the one by the river.", "I live in Lyon.")
    lyon = note("I live in Lyon", "The user lives in Lyon.", turn=2)
    await story.works(noting(UNCLEAR, lyon), Step(when=When(form="Rewordings"), status=401))
    failed = "degraded: absolutization_model_auth_failed"
    assert [(each.status, each.reason) for each in await story.ended()] == [
        ("stored", f"{failed}, absolutization_degraded"),
        ("stored", failed),
    ]


async def test_the_second_wording_counts_when_it_is_clear(story: Story):
    await story.says("We looked at the blue house and the villa by the river.", "We bought the villa by the river.")
    unclear = note("We bought the villa by the river", "The user bought it.", turn=2, predicate="bought", object="it")
    provider = await story.works(
        noting(unclear),
        rewording(("The user bought it.", "it")),
        rewording(("The user bought the villa by the river.", "the villa by the river")),
    )
    (done, last) = await story.ended()
    assert [request.form for request in provider.requests] == ["Notes", "Rewordings", "Rewordings"]
    looked = "We looked at the blue house and the villa by the river."
    assert sorted(await story.contents()) == ["The user bought the villa by the river.", looked]
    assert (done.status, last.status, last.reason) == ("stored", "stored", None)


STRANGE = "b3a2d7e4-0000-4000-8000-000000000000"
COFFEE = {"type": "preference", "predicate": "likes", "object": "coffee", "epistemic_type": "preference"}


async def test_a_memory_that_the_model_names_is_superseded(story: Story):
    await story.says("I like coffee.")
    await story.works(noting(note("I like coffee", "The user likes coffee.", **COFFEE)))
    (coffee,) = await story.remembered()
    await story.says("My coffee cups hold tea.")
    changed = {**COFFEE, "object": "tea", "replaces": "coffee", "related_memory": "k1"}
    await story.works(noting(note("My coffee cups hold tea", "The user likes tea.", **changed)))
    (old, new) = await story.remembered(ever=True)
    assert (old.memory_id, old.status, old.superseded_by) == (coffee.memory_id, "superseded", new.memory_id)
    assert (old.invalid_at, new.content, new.status) == (new.valid_at, "The user likes tea.", "active")


async def test_an_id_that_nobody_knows_is_complained_about_and_replaces_nothing(story: Story):
    await story.says("I like coffee.")
    await story.works(noting(note("I like coffee", "The user likes coffee.", **COFFEE)))
    await story.says("Tea is what I like in the morning.")
    told = {**COFFEE, "object": "tea in the morning", "replaces": "", "related_memory": STRANGE}
    wrong = note("Tea is what I like in the morning", "The user likes tea in the morning.", **told)
    right = {**wrong, "related_memory": ""}
    provider = await story.works(noting(wrong), noting(right))
    assert await story.contents() == ["The user likes coffee.", "The user likes tea in the morning."]
    assert "related_memory" in provider.requests[1].newest


async def test_a_fact_of_another_matter_is_not_touched_whatever_the_model_says(story: Story):
    await story.says("I like coffee.", "My sister Emma lives in Paris.")
    await story.works(
        noting(
            note("I like coffee", "The user likes coffee.", **COFFEE),
            note("Emma lives in Paris", "Emma lives in Paris.", turn=2, subject="Emma", object="Paris"),
        )
    )
    before = await story.remembered()
    await story.says("I moved to Lyon.")
    moved = note("I moved to Lyon", "The user lives in Lyon.", replaces="coffee")
    await story.works(
        noting(*({**moved, "related_memory": str(item.memory_id), "replaces": item.object} for item in before))
    )
    now = await story.remembered()
    assert [item for item in now if item.memory_id in {each.memory_id for each in before}] == before
    assert (now[-1].content, now[-1].object) == ("I moved to Lyon.", "Lyon")
