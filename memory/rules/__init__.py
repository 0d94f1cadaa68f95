"""What a person states in a turn, found by rules alone: precise first, Chinese and English."""

from memory.rules.corrections import is_correction

__all__ = ["is_correction"]
