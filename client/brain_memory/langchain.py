"""What needs LangChain: the extra ``langchain`` of the package."""

from brain_memory.middleware import BrainMiddleware, RunInfo
from brain_memory.remote_store import RemoteStore
from brain_memory.retriever import BrainRetriever
from brain_memory.tool_gate import Risk

__all__ = ["BrainMiddleware", "BrainRetriever", "RemoteStore", "Risk", "RunInfo"]
