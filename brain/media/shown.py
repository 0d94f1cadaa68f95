"""What a model gets of something attached."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from brain.attachments import Kind
from brain.safety.sanitizer import Verdict

Source = Literal["sender", "reader"]


@dataclass(frozen=True, kw_only=True)
class ToldMedia:
    """What words stand for something attached: its sender's own, or such as a reader found in it."""

    kind: Kind
    name: str
    source: Source
    text: str
    verdict: Verdict = "pass"


@dataclass(frozen=True, kw_only=True)
class ShownMedia:
    """``blocks``, of these ``kinds``, go to the model as they are. What is ``unseen`` was neither sent nor read.

    ``tokens`` is what all of it takes.
    """

    blocks: tuple[dict[str, Any], ...] = ()
    kinds: tuple[Kind, ...] = ()
    told: tuple[ToldMedia, ...] = ()
    unseen: tuple[Kind, ...] = ()
    tokens: int = 0

    def __add__(self, other: "ShownMedia") -> "ShownMedia":
        """Both."""
        return ShownMedia(
            blocks=(*self.blocks, *other.blocks),
            kinds=(*self.kinds, *other.kinds),
            told=(*self.told, *other.told),
            unseen=tuple(dict.fromkeys((*self.unseen, *other.unseen))),
            tokens=self.tokens + other.tokens,
        )

    def without_blocks(self) -> "ShownMedia":
        """For a model that refuses them."""
        return replace(self, blocks=(), kinds=(), unseen=tuple(dict.fromkeys((*self.unseen, *self.kinds))))
