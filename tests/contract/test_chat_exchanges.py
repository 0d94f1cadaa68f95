"""Exchanges with clients that resend whole conversations."""

from dataclasses import replace
from uuid import uuid4

from memory.chat_exchanges import ChatExchange, ExchangeQuery
from memory.ports import MemoryCore
from memory.scope import Scope
from memory.session_state import SessionEnding
from tests.contract.builders import a_session, a_turn, an_exchange, at, said


def asked(exchange: ChatExchange, session_name: str | None = None) -> ExchangeQuery:
    return ExchangeQuery(
        said_sha256=exchange.said_sha256, exchange_sha256=exchange.exchange_sha256, session_name=session_name
    )


async def test_the_newest_exchange_with_the_same_reply_is_found_first(memory: MemoryCore, scope: Scope):
    first, second = an_exchange(), an_exchange(minutes=1, session_name="chat 2")
    for each in (first, second, an_exchange("Hi", "Good day.", minutes=2)):
        await memory.chat_exchanges.save(scope, each, at(-60))

    assert list(await memory.chat_exchanges.find(scope, asked(first))) == [second, first]
    assert list(await memory.chat_exchanges.find(scope, asked(first, "chat 1"))) == [first]


async def test_a_reply_that_a_client_changed_is_found_by_the_words_before_it(memory: MemoryCore, scope: Scope):
    kept = an_exchange("Hi", "Hello.")
    await memory.chat_exchanges.save(scope, kept, at(-60))

    assert list(await memory.chat_exchanges.find(scope, asked(an_exchange("Hi", "Hell")))) == [kept]
    assert list(await memory.chat_exchanges.find(scope, asked(an_exchange("Hey", "Hell")))) == []


async def test_nobody_else_finds_an_exchange(memory: MemoryCore, scope: Scope):
    kept = an_exchange()
    await memory.chat_exchanges.save(scope, kept, at(-60))

    for stranger in (replace(scope, user_id=uuid4()), replace(scope, tenant_id=uuid4())):
        assert list(await memory.chat_exchanges.find(stranger, asked(kept))) == []
        assert list(await memory.chat_exchanges.ends(stranger, kept.session_name)) == []
        assert await memory.chat_exchanges.get(stranger, kept.exchange_id) is None
    assert await memory.chat_exchanges.get(scope, kept.exchange_id) == kept


async def test_old_exchanges_go_when_a_new_one_comes(memory: MemoryCore, scope: Scope):
    old, new = an_exchange(), an_exchange(minutes=10)
    await memory.chat_exchanges.save(scope, old, at(-60))
    await memory.chat_exchanges.save(scope, new, at(5))

    assert list(await memory.chat_exchanges.ends(scope, "chat 1")) == [new, new]


async def test_a_conversation_is_told_by_its_ends(memory: MemoryCore, scope: Scope):
    first, second, third = (an_exchange(str(number), minutes=number) for number in range(3))
    for each in (first, second, third, an_exchange(minutes=4, session_name="chat 2")):
        await memory.chat_exchanges.save(scope, each, at(-60))

    assert list(await memory.chat_exchanges.ends(scope, "chat 1")) == [third, first]
    assert list(await memory.chat_exchanges.ends(scope, "chat 3")) == []


async def test_an_exchange_is_kept_before_its_answer_is_known(memory: MemoryCore, scope: Scope):
    answered = an_exchange("Hi", "Hello.", minutes=1)
    begun = replace(answered, exchange_sha256=an_exchange("Hi", "").exchange_sha256, created_at=at())
    begun = replace(begun, checkpoint=begun.parent_checkpoint)
    await memory.chat_exchanges.save(scope, begun, at(-60))
    assert list(await memory.chat_exchanges.find(scope, asked(begun))) == [begun]
    assert (begun.is_open, answered.is_open) == (True, False)

    await memory.chat_exchanges.save(scope, answered, at(-60))
    assert list(await memory.chat_exchanges.ends(scope, answered.session_name)) == [answered, answered]


async def test_conversations_are_known_by_how_they_ended(memory: MemoryCore, scope: Scope):
    session, other = a_session(name="chat 1"), a_session(name="chat 2")
    for number, text in enumerate(("one", "two", "three")):
        words = said(text, minutes=number)
        reply = said(f"{text}!", minutes=number, role="assistant", speaker="assistant")
        await memory.log.capture(scope, a_turn(words, reply, session=session))
    await memory.log.capture(scope, a_turn(said("hello", minutes=9), session=other))

    endings = [SessionEnding(name="chat 2", words=("hello",), reply="")]
    endings += [SessionEnding(name="chat 1", words=("two", "three"), reply="three!")]
    assert list(await memory.log.list_endings(scope)) == endings
    assert list(await memory.log.list_endings(scope, "chat 1")) == endings[1:]
    assert list(await memory.log.list_endings(replace(scope, user_id=uuid4()))) == []
