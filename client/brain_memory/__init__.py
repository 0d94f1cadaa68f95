"""Brain's memory for any agent. ``brain_memory.langchain`` holds what needs LangChain."""

from brain_memory.answers import Capture, Memory, MemoryContext
from brain_memory.client import BrainClient
from brain_memory.errors import BrainError, BrainRefused, BrainUnavailable

__all__ = ["BrainClient", "BrainError", "BrainRefused", "BrainUnavailable", "Capture", "Memory", "MemoryContext"]
