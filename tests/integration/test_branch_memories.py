"""What memory took from turns that a thread has left behind does not count, until the thread returns to them."""

from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from tests.integration.threads import open_thread

LISBON, PORTO, GHENT = "I live in Lisbon.", "I moved to Porto.", "I moved to Ghent."


async def test_a_memory_of_a_branch_left_behind_gives_its_place_back(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        before = await thread.after(LISBON)
        await thread.evolve()
        assert await thread.beliefs() == {LISBON}
        await thread.after(PORTO)
        await thread.evolve()
        assert await thread.beliefs() == {PORTO}
        await thread.say("I like tea.", before)
        assert await thread.beliefs() == {LISBON}
        assert "Porto" not in await thread.profile()
        assert "Lisbon" in await thread.profile()
        assert "Porto" not in await thread.elsewhere("Where do I live?")


async def test_branches_change_places_as_often_as_the_thread_does(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        before = await thread.after(LISBON)
        porto = await thread.after(PORTO)
        await thread.evolve()
        await thread.say(GHENT, before)
        await thread.evolve()
        ghent = (await thread.states())[0]
        assert await thread.beliefs() == {GHENT}
        for _ in range(2):
            await thread.say("Good morning.", porto)
            assert await thread.beliefs() == {PORTO}
            await thread.say("Good evening.", ghent)
            assert await thread.beliefs() == {GHENT}


async def test_what_was_said_again_elsewhere_goes_on_counting(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        before = await thread.after("Good morning.")
        await thread.say("My cat is called Minou.")
        await thread.evolve()
        other = thread.another()
        await other.say("My cat is called Minou.")
        await other.evolve()
        await thread.say("Good evening.", before)
        assert await thread.beliefs() == {"My cat is called Minou."}


async def test_turns_left_behind_are_not_looked_at(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        before = await thread.after("Good morning.")
        await thread.say("My cat is called Minou.")
        await thread.say("My dog is called Rex.", before)
        await thread.evolve()
        assert await thread.beliefs() == {"My dog is called Rex."}


async def test_an_index_derived_anew_knows_what_was_left(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as thread:
        before = await thread.after("Good morning.")
        await thread.say("My cat is called Minou.")
        await thread.evolve()
        await thread.say("My dog is called Rex.", before)
        await thread.resources.memory.index.rebuild(thread.scope)
        assert "Minou" not in await thread.elsewhere("What is my cat called?")
        assert "Rex" in await thread.elsewhere("What is my dog called?")
