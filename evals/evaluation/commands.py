"""All commands of ``brain eval``: each registers itself where it is imported."""

from evals.evaluation import injection_command, memory_command
from evals.evaluation.retrieval_command import evaluations

__all__ = ["evaluations", "injection_command", "memory_command"]
