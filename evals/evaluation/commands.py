"""All commands of ``brain eval``: each registers itself where it is imported."""

from evals.evaluation import injection_command, memory_command
from evals.evaluation.retrieval_command import evaluations
from evals.memory_ci import command as all_command

__all__ = ["all_command", "evaluations", "injection_command", "memory_command"]
