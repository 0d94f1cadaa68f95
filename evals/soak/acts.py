"""What people of a soak do, one act after another, each with what must hold right after it."""

import asyncio
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Mapping
from hashlib import sha256
from time import monotonic

from evals.soak.client import PATIENCE, Conversation, NotAnsweredError
from evals.soak.people import Somebody, make_picture
from evolution.erasure.job import RUNS_END

Act = Callable[[Somebody], Awaitable[None]]


async def live(one: Somebody, until: asyncio.Event, pause: float) -> None:
    """One act after another until told to stop, with so many seconds between two of them."""
    while not until.is_set():
        act = one.chance.choices(list(ACTS), list(ACTS.values()))[0]
        async with one.busy:
            try:
                if not await is_closed(one):
                    await act(one)
                    one.acts += 1
            except NotAnsweredError as error:
                one.blame("refused", f"{act.__name__}: {error}")
                one.talk = Conversation()
        await asyncio.sleep(one.chance.uniform(0.5, 1.5) * pause)


async def like(one: Somebody) -> None:
    """State something new."""
    name = one.make_name()
    await one.say(one.ledger.tell(name, one.words["likes"].format(name)))


async def ask(one: Somebody) -> None:
    """Ask: what is forgotten or another's is neither in the reply nor in what a prompt would carry."""
    text = one.words[one.chance.choice(("ask", "where"))]
    await one.say(one.ledger.say(text))
    found = await one.client.ask("POST", "/recall", {"query": text, "limit": 20})
    one.look([str(each["text"]) for each in found.data["memories"]], "recall", text)
    context = await one.client.ask("POST", "/before_llm", {"message": text, "session": "of another agent"})
    one.look([str(context.data["context"])], "before_llm", text)


async def move(one: Somebody) -> None:
    """State a home, or correct the last one in words. A home that was only followed by another may stand or not."""
    name, ledger = one.make_name(), one.ledger
    old = next((each for each in one.homes if ledger.standing.get(each) == "kept"), None)
    one.homes = [name]
    if old is None or one.words["lives"].format(old.capitalize()) not in (await one.list_memories()).values():
        if old is not None:
            ledger.standing[old] = "unsure"
        await one.say(ledger.tell(name, one.words["lives"].format(name.capitalize())))
        return
    ledger.standing[old] = "unsure"
    await one.say(ledger.tell(name, one.words["moved"].format(old.capitalize(), name.capitalize())))
    ledger.standing[old] = "replaced"


async def correct(one: Somebody) -> None:
    """Correct a memory by its own endpoint: once it is answered the new words stand, and the old ones do not."""
    picked = await one.pick_memory()
    if picked is None:
        return
    memory_id, old = picked
    new, ledger = one.make_name(), one.ledger
    text = one.words["likes"].format(new)
    ledger.standing[old] = "unsure"
    answer = await one.client.ask("PATCH", f"/memories/{memory_id}", {"text": text})
    if answer.status != 200:
        one.blame("refused", f"PATCH: {answer.status} {answer.body}")
        return
    ledger.told[new], ledger.standing[new], ledger.standing[old] = text, "kept", "replaced"
    active = (await one.list_memories()).values()
    if ledger.told[old] in active or text not in active:
        one.blame("overruled", f"{text!r} does not stand instead of {ledger.told[old]!r}")


async def forget_in_words(one: Somebody) -> None:
    """Ask for one thing to be forgotten: it is gone once that is answered."""
    picked = await one.pick_memory()
    if picked is None:
        return
    name = picked[1]
    one.ledger.standing[name] = "unsure"
    await one.say(one.ledger.say(one.words["forget"].format(name)))
    one.ledger.standing[name] = "forgotten"
    one.look((await one.list_memories()).values(), "memories")


async def forget_by_door(one: Somebody) -> None:
    """Forget one memory by its endpoint."""
    picked = await one.pick_memory()
    if picked is None:
        return
    memory_id, name = picked
    one.ledger.standing[name] = "unsure"
    answer = await one.client.ask("DELETE", f"/memories/{memory_id}")
    if answer.status != 200:
        one.blame("refused", f"DELETE: {answer.status} {answer.body}")
        return
    one.ledger.standing[name] = "forgotten"
    one.look((await one.list_memories()).values(), "memories")


async def forget_many(one: Somebody) -> None:
    """Ask for much to be forgotten, and approve the list or not: on "no" all of it stays."""
    before = one.ledger.kept()
    asked = one.ledger.say(one.words["many"])
    reply = await one.say(asked)
    is_yes = one.chance.random() < 0.5
    if "?" in reply or "？" in reply:
        asked.waits = True
        decision = one.ledger.say(one.words["yes" if is_yes else "no"])
        decision.decides = True
        await one.say(decision)
    else:
        is_yes = True
    left = {name for text in (await one.list_memories()).values() for name in one.names.find_in(text)}
    for name in before:
        if is_yes:  # who approves a list approves all of it, and it is longer than what it shows
            one.ledger.standing[name] = "kept" if name in left else "unsure"


async def attach(one: Somebody) -> None:
    """Attach a picture: its very bytes are kept."""
    picture = make_picture(one.chance)
    digest, name = sha256(picture).hexdigest(), one.make_name()
    url = f"data:image/png;base64,{b64encode(picture).decode()}"
    saying = one.ledger.say(one.words["picture"].format(name), (name,))
    await one.say(saying, [{"type": "image_url", "image_url": {"url": url}}])
    one.pictures[digest] = picture
    await look_at_picture(one, digest)


async def let_go(one: Somebody) -> None:
    """Let go of a picture: it is not found again."""
    if not one.pictures:
        return
    digest = one.chance.choice(list(one.pictures))
    del one.pictures[digest]
    answer = await one.client.ask("DELETE", f"/media/{digest}")
    if answer.status not in (200, 404):  # 404 where the first try did it, and nobody heard
        one.blame("refused", f"DELETE media: {answer.status} {answer.body}")
    one.gone_pictures.add(digest)
    await look_at_picture(one, digest)


async def look_at_picture(one: Somebody, digest: str) -> None:
    """Its very bytes where it is kept, nothing where it was let go."""
    answer = await one.client.ask("GET", f"/media/{digest}")
    if digest in one.gone_pictures:
        if answer.status != 404:
            one.blame("reappeared", f"the picture {digest[:12]}: {answer.status}")
    elif answer.status != 200 or b64decode(answer.data["base64"]) != one.pictures[digest]:
        one.blame("lost", f"the picture {digest[:12]}: {answer.status} {answer.code}")


async def erase(one: Somebody) -> None:
    """Erase everything; once that is completed they begin anew under the same name."""
    told = await one.client.ask("GET", "/erasures")
    answer = await one.client.ask("POST", "/erasures", {"confirm": told.data["sentence"]})
    if answer.status not in (202, 409, 410):  # refused where the first try asked for it, and nobody heard
        one.blame("refused", f"POST /erasures: {answer.status} {answer.body}")
        return
    one.ledger.erase()
    one.gone_pictures |= one.pictures.keys()
    one.pictures, one.homes, one.talk = {}, [], Conversation()
    one.erasures, one.closed_since = one.erasures + 1, monotonic()


async def is_closed(one: Somebody) -> bool:
    """Whether an erasure of theirs is not completed yet; when it is, nothing may be left."""
    if one.closed_since is None:
        return False
    if (await one.client.ask("GET", "/memories")).code == "E_ERASED":
        if monotonic() - one.closed_since > RUNS_END + PATIENCE:
            one.blame("stuck", "an erasure is not completed")
        return True
    one.closed_since = None
    if left := await one.list_memories():
        one.blame("reappeared", f"after an erasure: {list(left.values())[:3]}")
    return False


ACTS: Mapping[Act, int] = {
    like: 40,
    ask: 16,
    move: 9,
    correct: 6,
    forget_in_words: 7,
    forget_by_door: 7,
    forget_many: 2,
    attach: 7,
    let_go: 3,
    erase: 1,
}
"""How often each is done, among others."""
