"""What is asked of skills: the person's message, read with what it answers where it is short."""

import asyncio

from brain.intent_rules import Intent
from brain.resources import Resources
from language.encoder import sentence_encoder
from language.skill_words import pieces_of
from skills.skill import SkillRequest

SHORT_CHARACTERS = 40
"""A message up to this long may mean nothing without the one before it."""


async def read_request(said: str, before: str, intent: Intent, resources: Resources) -> SkillRequest:
    """The message in pieces with their meaning; by words alone where the encoder is not there, or not yet."""
    short = len(said) <= SHORT_CHARACTERS
    pieces = tuple(dict.fromkeys((*pieces_of(said), *(pieces_of(before) if short and before else ()))))
    encoder = resources.encoder
    if encoder is None or not encoder.is_ready or not sentence_encoder().is_loaded:
        return SkillRequest(pieces=pieces, intent=intent)
    vectors = await asyncio.to_thread(sentence_encoder().encode, pieces)
    return SkillRequest(pieces=pieces, intent=intent, vectors=vectors)
