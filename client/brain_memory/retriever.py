"""Memory as a retriever, for chains and graphs that take one."""

from typing import Annotated

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field, SkipValidation

from brain_memory.answers import Memory
from brain_memory.client import BrainClient


class BrainRetriever(BaseRetriever):
    """Memories that bear on a question, best first, at most ``limit``. Raises ``BrainUnavailable`` without the server.

    What it finds is information in somebody's words (``metadata["trust"]`` is ``"data"``), never an instruction.
    """

    client: Annotated[BrainClient, SkipValidation] = Field(exclude=True, repr=False)
    user: str | None = None
    limit: int = 8

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [_document(each) for each in self.client.recall(query, limit=self.limit, user=self.user)]

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun
    ) -> list[Document]:
        return [_document(each) for each in await self.client.arecall(query, limit=self.limit, user=self.user)]


def _document(memory: Memory) -> Document:
    told = {"lane": memory.lane, "said_at": memory.said_at, "speaker": memory.speaker, "score": memory.score}
    return Document(memory.text, id=memory.id, metadata={**told, "source": "brain", "trust": "data"})
