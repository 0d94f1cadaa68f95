"""A made-up person of a soak: a client, a ledger of what was said, and looks at what they are shown."""

import asyncio
import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from evals.soak.client import Client, Conversation
from evals.soak.ledger import Fault, FaultKind, Ledger, Names, Saying

TURNS = 6
"""How many turns a conversation has before its person begins another."""
Words = Mapping[str, str]
WORDS: Mapping[Literal["en", "zh"], Words] = {
    "en": {
        "likes": "I like {0} tea.",
        "lives": "I live in {0}.",
        "moved": "Actually I moved to {1}, not {0}.",
        "ask": "What tea do I like?",
        "where": "Where do I live?",
        "forget": "Please forget that I like {0} tea.",
        "many": "Forget everything that I like.",
        "picture": "This is a picture of {0}.",
        "yes": "yes",
        "no": "no",
    },
    "zh": {
        "likes": "我喜欢喝{0}茶。",
        "lives": "我住在{0}。",
        "moved": "其实我搬到{1}了，不住在{0}。",
        "ask": "我喜欢喝什么茶？",
        "where": "我住在哪里？",
        "forget": "请忘掉我喜欢喝{0}茶。",
        "many": "忘掉我喜欢的一切。",
        "picture": "这是{0}的照片。",
        "yes": "好的",
        "no": "不要",
    },
}


@dataclass
class Somebody:
    """Who talks; whoever holds ``busy`` looks at a person at rest."""

    client: Client
    ledger: Ledger
    names: Names
    words: Words
    chance: Random
    talk: Conversation = field(default_factory=Conversation)
    homes: list[str] = field(default_factory=list[str])
    pictures: dict[str, bytes] = field(default_factory=dict[str, bytes])
    gone_pictures: set[str] = field(default_factory=set[str])
    faults: list[Fault] = field(default_factory=list[Fault])
    acts: int = 0
    erasures: int = 0
    closed_since: float | None = None
    """When an erasure was asked for that is not completed; a reading of a monotonic clock."""
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def say(self, saying: Saying, blocks: list[dict[str, Any]] | None = None) -> str:
        """Say it until it is answered, and look at the reply."""
        if len(self.talk.messages) >= 2 * TURNS and not saying.decides:
            self.talk = Conversation()
        reply = await self.client.say(self.talk, saying, blocks)
        # A question about many memories quotes them, and what was asked for is quoted back.
        said = " ".join(each.text for each in self.ledger.sayings[-2:])
        self.look([reply], "the reply", said)
        return reply

    def look(self, texts: Iterable[str], where: str, asked: str = "") -> None:
        """Note what they must not be shown."""
        self.faults += self.ledger.find_shown_faults(texts, self.names, where, asked)

    def blame(self, kind: FaultKind, what: str) -> None:
        """Note something else that must not be."""
        self.faults.append(Fault(kind, self.ledger.who, what))

    async def list_memories(self) -> dict[str, str]:
        """The text of each active memory by its id."""
        found, cursor = dict[str, str](), ""
        while True:
            answer = await self.client.ask("GET", f"/memories?limit=200&cursor={cursor}")
            if answer.status != 200:
                self.blame("refused", f"GET /memories: {answer.status} {answer.body}")
                return found
            found |= {str(each["id"]): str(each["text"]) for each in answer.data["items"] if each["status"] == "active"}
            cursor = str(answer.data["next_cursor"] or "")
            if not cursor:
                return found

    async def pick_memory(self) -> tuple[str, str] | None:
        """The id and the name of a memory that says what was told of a tea; None where there is none yet."""
        told = {text: name for name, text in self.ledger.told.items() if self.ledger.standing[name] == "kept"}
        told = {text: name for text, name in told.items() if text == self.words["likes"].format(name)}
        found = [(key, told[text]) for key, text in (await self.list_memories()).items() if text in told]
        return self.chance.choice(found) if found else None

    def make_name(self) -> str:
        """A name that exists once, and is theirs."""
        return self.names.make(self.ledger.who)


def make_picture(chance: Random) -> bytes:
    """A small picture that exists once: a PNG of noise."""
    width, height = 8, 8
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = b"".join(b"\0" + chance.randbytes(3 * width) for _ in range(height))
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
