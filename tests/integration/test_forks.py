"""A run that goes on from an older checkpoint knows what was known there, and memory learns from the thread's head."""

from uuid import uuid4

from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from tests.integration.threads import open_thread

WHERE = "Where do I live?"


async def test_a_fork_from_before_a_fact_does_not_know_it(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        await thread.say("I live in Lisbon.")
        before = (await thread.states())[0]
        await thread.say("I live in Porto.")
        assert "Porto" in await thread.say(WHERE)
        reply = await thread.say(WHERE, before)
        assert "Lisbon" in reply
        assert "Porto" not in reply
        await thread.elsewhere("Hello.")
        assert "Porto" not in await thread.elsewhere(WHERE)


async def test_a_branch_counts_again_when_it_becomes_the_head_again(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        before = await thread.after("I like tea.")
        porto = await thread.after("My cat is called Porto.")
        await thread.say("My cat is called Minou.", before)
        assert "Minou" in await thread.elsewhere("What is my cat called?")
        assert "Porto" not in await thread.elsewhere("What is my cat called?")
        await thread.say("My dog is called Rex.", porto)
        assert "Porto" in await thread.elsewhere("What is my cat called?")
        assert "Minou" not in await thread.elsewhere("What is my cat called?")


async def test_an_edited_message_takes_the_place_of_the_first(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        await thread.say("I live in Porto.", id="first")
        spoken = next(each for each in await thread.states() if each.next == ("open_session",))
        await thread.edit("I live in Ghent.", spoken, "first")
        reply = await thread.elsewhere(WHERE)
        assert "Ghent" in reply
        assert "Porto" not in reply


async def test_a_message_edited_while_it_is_answered_takes_its_place(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        await thread.say("I like tea.")
        await thread.say("I live in Porto.", id="second")
        answering = next(each for each in await thread.states() if each.next == ("respond",))
        await thread.edit("I live in Ghent.", answering, "second")
        reply = await thread.elsewhere(WHERE)
        assert "Ghent" in reply
        assert "Porto" not in reply


async def test_the_first_message_said_anew_takes_the_place_of_all(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        await thread.say("I live in Porto.")
        await thread.say("I have a cat.")
        beginning = (await thread.states())[-1]
        await thread.say("I live in Ghent.", beginning)
        reply = await thread.elsewhere(WHERE)
        assert "Ghent" in reply
        assert "Porto" not in reply


async def test_a_fork_does_not_know_what_was_said_elsewhere_since(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        before = await thread.after("I like tea.")
        await thread.say("Good morning.")
        await thread.elsewhere("My dentist is Doctor Okafor.")
        assert "Okafor" not in await thread.say("Who is my dentist?", before)
        assert "Okafor" in await thread.say("Who is my dentist?")


async def test_a_copied_thread_teaches_nothing(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        await thread.say("I live in Lisbon.")
        copy = await thread.copied()
        await copy.say("My cat is called Minou.")
        await copy.say("My dog is called Rex.")
        assert "Rex" not in await thread.elsewhere("What is my dog called?")
        assert "Minou" not in await thread.elsewhere("What is my cat called?")
        assert "Lisbon" in await thread.elsewhere(WHERE)


async def test_a_turn_that_is_not_to_be_learnt_teaches_nothing(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        await thread.say("My cat is called Minou.", learn=False)
        assert "Minou" not in await thread.elsewhere("What is my cat called?")
        await thread.say("My dog is called Rex.", id=str(uuid4()))
        assert "Rex" in await thread.elsewhere("What is my dog called?")


async def test_going_on_at_the_head_leaves_nothing_behind(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        for text in ("I live in Lisbon.", "My cat is called Minou.", "My dog is called Rex."):
            await thread.say(text)
        for text, name in (("What is my cat called?", "Minou"), ("What is my dog called?", "Rex")):
            assert name in await thread.elsewhere(text)
