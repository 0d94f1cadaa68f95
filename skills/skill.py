"""A skill: what some tools are good for, who may use them, and how well they fit what is asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brain.identity import Identity
from brain.intent_rules import Intent, IntentType
from language.encoder import sentence_encoder
from language.skill_words import background_sentences, has_cue, shares_words
from skills.tool import Risk, Tool

THRESHOLD = 0.3
"""What fits what is asked less than this is not offered for it (S0 section 2.5)."""
SURE = 0.9
"""How well a skill fits a request whose kind is the one that it is for."""
TOLD = 0.5
"""How well it fits a request that has its words, where nothing tells what they mean. By words alone a fifth of what is
needed would be withheld, so that what has none of them is offered in doubt."""
NEAR, AHEAD = 0.2, -0.05
"""Cosine with the nearest sentence of a skill, and how far it may stand behind that of what needs no skill."""
AHEAD_WITH_CUE = -0.4
"""The same where a word of the request belongs to the skill."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class SkillRequest:
    """What is asked: the message in pieces, its intent, and what the pieces mean where the encoder is there."""

    pieces: tuple[str, ...]
    intent: Intent
    vectors: Floats | None = None

    @property
    def text(self) -> str:
        """The pieces in one."""
        return "\n".join(self.pieces)


@dataclass(frozen=True, kw_only=True)
class Skill:
    """``sentences`` are what people say who need it, in any language; without any it is offered whatever is asked.

    ``cues`` names patterns of words without which a wish for it is unlikely, ``intents`` the kinds of request that are
    for it alone. ``needs`` names skills that have to be there. Empty ``roles`` and ``org_tiers`` admit anyone. ``able``
    says in a few words what it can do. ``source`` is where it comes from.
    """

    name: str
    tools: tuple[Tool[Any], ...]
    sentences: tuple[str, ...] = ()
    cues: str = ""
    intents: frozenset[IntentType] = frozenset()
    roles: frozenset[str] = frozenset()
    org_tiers: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    able: str = ""
    source: str = "brain"
    own_capabilities: frozenset[str] = field(default_factory=frozenset[str])

    @property
    def capabilities(self) -> frozenset[str]:
        """What it declares, with what its tools declare."""
        return self.own_capabilities.union(*(tool.capabilities for tool in self.tools))

    @property
    def risk(self) -> Risk:
        """High where any of its tools is."""
        return "high" if any(tool.risk != "low" for tool in self.tools) else "low"

    def permits(self, identity: Identity) -> bool:
        """Whether this person may use it."""
        roles_fit = not self.roles or bool(self.roles & (identity.roles | {identity.role}))
        return roles_fit and (not self.org_tiers or identity.org_tier in self.org_tiers)

    def can_handle(self, asked: SkillRequest) -> float:
        """How well it fits what is asked, from 0 to 1; below ``THRESHOLD`` it is not offered."""
        if asked.intent.intent_type in self.intents:
            return SURE
        if not self.sentences:
            return THRESHOLD
        has_cue_word = bool(self.cues) and has_cue(self.cues, asked.text)
        if asked.vectors is None:
            told = has_cue_word or shares_words(asked.text, self.sentences)
            return TOLD if told else THRESHOLD
        return self._fit(asked.vectors, has_cue_word)

    def _fit(self, vectors: Floats, has_cue_word: bool) -> float:
        near = np.max(vectors @ _vectors_of(self.sentences).T, axis=1)
        lead = float(np.max(near - np.max(vectors @ _vectors_of(background_sentences()).T, axis=1)))
        by_meaning = min(float(np.max(near)) - NEAR, lead - AHEAD)
        by_cue = lead - AHEAD_WITH_CUE if has_cue_word else -1.0
        return float(np.clip(THRESHOLD + max(by_meaning, by_cue), 0.0, 1.0))


@lru_cache(maxsize=256)
def _vectors_of(sentences: Sequence[str]) -> Floats:
    return sentence_encoder().encode(sentences)


def load_meanings(skills: Sequence[Skill]) -> None:
    """Have the vectors of all sentences ready; takes a third of a second, once a process."""
    for sentences in (background_sentences(), *(skill.sentences for skill in skills if skill.sentences)):
        _vectors_of(sentences)
