"""What people attach: kept once, found by whose it is, gone with the last turn that carries it."""

from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from uuid import uuid4

from memory.media import MediaBlock
from memory.ports import MemoryCore
from memory.scope import Scope
from tests.contract.builders import a_draft, a_new_turn, a_picture, a_session, a_turn, at, by_ann, cited, said

PICTURE = b"\x89PNG picture"


async def kept(memory: MemoryCore, scope: Scope, block: MediaBlock) -> list[bytes]:
    return [each.bytes for each in await memory.media.find(scope, [block.sha256])]


async def test_a_turn_brings_bytes_in_and_its_log_refers_to_them(memory: MemoryCore, scope: Scope):
    session, picture = a_session(), a_picture()
    turn = a_turn(said("Look", media=(picture,)), said("Thanks", minutes=1), session=session)
    await memory.log.capture(scope, turn)

    assert await kept(memory, scope, picture) == [PICTURE]
    look, thanks = await memory.log.turn(scope, turn.operation_id)
    assert (look.text, look.blocks, thanks.blocks) == ("Look", [picture.as_reference()], None)
    assert look.sha256 == sha256(b"Look").hexdigest()
    opened = await memory.log.open(scope, session.session_id, 10)
    assert [each.blocks for each in opened.window] == [[picture.as_reference()], None]
    assert [each.blocks for each in await memory.transcripts.turns(scope, session.session_id, None, 10)] == [
        [picture.as_reference()],
        None,
    ]


async def test_a_picture_without_words_is_a_turn_and_not_searched(memory: MemoryCore, scope: Scope):
    session, other = a_session(), a_picture(b"another", b"another")
    first = replace(a_new_turn("", session, run="r1"), words=said("", media=(a_picture(),), key="k1"))
    second = replace(a_new_turn("", session, run="r2"), words=said("", media=(other,), key="k2", minutes=1))
    for each in (first, second):
        await memory.log.accept(scope, each, 10)

    window = (await memory.log.open(scope, session.session_id, 10)).window
    assert [each.text for each in window] == ["", ""]
    assert len({each.sha256 for each in window} | {sha256(b"").hexdigest()}) == 3
    listed = await memory.media.list_newest(scope, 10)
    assert {(each.sha256, each.size, each.turns) for each in listed} == {
        (a_picture().sha256, len(PICTURE), 1),
        (other.sha256, 7, 1),
    }


async def test_a_turn_that_comes_again_carries_what_it_did(memory: MemoryCore, scope: Scope):
    session, late = a_session(), a_picture(b"late", b"late")
    turn = replace(a_new_turn("x", session), words=said("Look", media=(a_picture(),), key="k"))
    await memory.log.accept(scope, turn, 10)
    again = replace(turn, operation_id=uuid4(), words=said("Look", media=(a_picture(), late), key="k"))
    opened = await memory.log.accept(scope, again, 10)

    assert opened.operation_id == turn.operation_id
    assert await kept(memory, scope, late) == []
    assert [each.turns for each in await memory.media.list_newest(scope, 10)] == [1]


async def test_nobody_else_finds_or_refers_to_it(memory: MemoryCore, scope: Scope):
    picture, stranger = a_picture(), replace(scope, user_id=uuid4())
    await memory.log.capture(scope, a_turn(said("Look", media=(picture,))))
    await memory.log.capture(stranger, a_turn(said("Mine?", media=(a_picture(None),))))

    assert await kept(memory, stranger, picture) == []
    assert await memory.media.forget(stranger, picture.sha256) == 0
    assert await kept(memory, scope, picture) == [PICTURE]


async def test_bytes_go_with_the_last_turn_that_carries_them(memory: MemoryCore, scope: Scope):
    session, runs = a_session(), [str(uuid4()), str(uuid4())]
    for number, run in enumerate(runs, 1):
        words = said("Look", media=(a_picture(PICTURE if number == 1 else None),), minutes=number)
        await memory.log.accept(scope, replace(a_new_turn("x", session, run=run), words=words), 10)
    assert [each.turns for each in await memory.media.list_newest(scope, 10)] == [2]

    assert await memory.log.take_back(runs[:1]) == 1
    assert await kept(memory, scope, a_picture()) == [PICTURE]
    assert await memory.log.take_back(runs[1:]) == 1
    assert await is_gone(memory, scope)


async def test_it_can_be_let_go_of_by_itself(memory: MemoryCore, scope: Scope):
    turn = a_turn(said("Look", media=(a_picture(),)))
    await memory.log.capture(scope, turn)

    assert await memory.media.forget(scope, a_picture().sha256) == 1
    assert await is_gone(memory, scope)
    (event,) = await memory.log.turn(scope, turn.operation_id)
    assert event.text == "Look"


async def test_what_a_forgotten_turn_carries_is_hidden_at_once_and_gone_a_day_later(memory: MemoryCore, scope: Scope):
    words = said("I have a red bike", media=(a_picture(),))
    await memory.log.capture(scope, a_turn(words))
    draft = a_draft("red bike", slot="user|has", citations=(cited(words, "red bike"),))
    item = await memory.items.write(scope, draft, by_ann("k1"))
    assert await kept(memory, scope, a_picture()) == [PICTURE]
    await memory.items.forget(scope, item.memory_id, by_ann("k2", minutes=5))

    assert await kept(memory, scope, a_picture()) == []
    assert await memory.media.list_newest(scope, 10) == []
    assert await memory.media.drop_forgotten(scope, at(5)) == 0
    assert await memory.media.drop_forgotten(scope, at(5) + timedelta(seconds=1)) == 1
    assert await is_gone(memory, scope)


async def is_gone(memory: MemoryCore, scope: Scope) -> bool:
    """Whether the bytes are kept no more: a turn that only refers to them brings none back."""
    await memory.log.capture(scope, a_turn(said("That one", media=(a_picture(None),))))
    return await kept(memory, scope, a_picture()) == []
