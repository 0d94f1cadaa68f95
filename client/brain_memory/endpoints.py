"""The endpoints of the memory API as methods. ``generate.py`` makes them: nobody edits them by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

# ruff: noqa: PLR0913 - names and arguments are those of the API


class MemoryEndpoints:
    """Each answers with the data of the API as plain JSON; methods that begin with ``a`` are for coroutines.

    Values that are None are left out. ``user`` names the person of a call. The same ``idempotency_key`` writes
    once. All raise ``BrainUnavailable`` where the server gives no answer, and ``BrainRefused`` for what it refuses.
    """

    def _request(self, route: str, values: Mapping[str, Any], user: str | None, key: str = "") -> dict[str, Any]:
        raise NotImplementedError

    async def _arequest(self, route: str, values: Mapping[str, Any], user: str | None, key: str = "") -> dict[str, Any]:
        raise NotImplementedError

    def recall_memories(
        self,
        query: str,
        *,
        limit: int | None = None,
        time_from: str | None = None,
        time_to: str | None = None,
        at: str | None = None,
        as_of: str | None = None,
        time_zone: str | None = None,
        strategy: str | None = None,
        intent: str | None = None,
        lanes: Sequence[Any] | None = None,
        categories: Sequence[Any] | None = None,
        speakers: Sequence[Any] | None = None,
        sessions: Sequence[Any] | None = None,
        policy: str | None = None,
        all: bool | None = None,
        evidence: bool | None = None,
        user: str | None = None,
    ) -> dict[str, Any]:
        """Find memories that bear on a question, without a conversation."""
        return self._request(
            "POST recall",
            {
                "query": query,
                "limit": limit,
                "time_from": time_from,
                "time_to": time_to,
                "at": at,
                "as_of": as_of,
                "time_zone": time_zone,
                "strategy": strategy,
                "intent": intent,
                "lanes": lanes,
                "categories": categories,
                "speakers": speakers,
                "sessions": sessions,
                "policy": policy,
                "all": all,
                "evidence": evidence,
            },
            user,
        )

    async def arecall_memories(
        self,
        query: str,
        *,
        limit: int | None = None,
        time_from: str | None = None,
        time_to: str | None = None,
        at: str | None = None,
        as_of: str | None = None,
        time_zone: str | None = None,
        strategy: str | None = None,
        intent: str | None = None,
        lanes: Sequence[Any] | None = None,
        categories: Sequence[Any] | None = None,
        speakers: Sequence[Any] | None = None,
        sessions: Sequence[Any] | None = None,
        policy: str | None = None,
        all: bool | None = None,
        evidence: bool | None = None,
        user: str | None = None,
    ) -> dict[str, Any]:
        """Find memories that bear on a question, without a conversation."""
        return await self._arequest(
            "POST recall",
            {
                "query": query,
                "limit": limit,
                "time_from": time_from,
                "time_to": time_to,
                "at": at,
                "as_of": as_of,
                "time_zone": time_zone,
                "strategy": strategy,
                "intent": intent,
                "lanes": lanes,
                "categories": categories,
                "speakers": speakers,
                "sessions": sessions,
                "policy": policy,
                "all": all,
                "evidence": evidence,
            },
            user,
        )

    def explain(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Show where something that is remembered comes from: the words said, verified now, and its history."""
        return self._request("GET why/{id}", {"id": id}, user)

    async def aexplain(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Show where something that is remembered comes from: the words said, verified now, and its history."""
        return await self._arequest("GET why/{id}", {"id": id}, user)

    def read_profile(self, *, user: str | None = None) -> dict[str, Any]:
        """Read what is known about this user as one short text."""
        return self._request("GET profile", {}, user)

    async def aread_profile(self, *, user: str | None = None) -> dict[str, Any]:
        """Read what is known about this user as one short text."""
        return await self._arequest("GET profile", {}, user)

    def list_recent(self, *, limit: int | None = None, user: str | None = None) -> dict[str, Any]:
        """List the newest memories that are in use, and the last conversations."""
        return self._request("GET recent", {"limit": limit}, user)

    async def alist_recent(self, *, limit: int | None = None, user: str | None = None) -> dict[str, Any]:
        """List the newest memories that are in use, and the last conversations."""
        return await self._arequest("GET recent", {"limit": limit}, user)

    def list_memories(
        self, *, limit: int | None = None, cursor: str | None = None, all: bool | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List memories, the last ones changed first."""
        return self._request("GET memories", {"limit": limit, "cursor": cursor, "all": all}, user)

    async def alist_memories(
        self, *, limit: int | None = None, cursor: str | None = None, all: bool | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List memories, the last ones changed first."""
        return await self._arequest("GET memories", {"limit": limit, "cursor": cursor, "all": all}, user)

    def create_memory(
        self,
        text: str,
        *,
        kind: str | None = None,
        confirmed: bool | None = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
        reason: str | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Remember something; what is known already is merged with it."""
        return self._request(
            "POST memories",
            {
                "text": text,
                "kind": kind,
                "confirmed": confirmed,
                "valid_from": valid_from,
                "valid_until": valid_until,
                "reason": reason,
            },
            user,
            idempotency_key,
        )

    async def acreate_memory(
        self,
        text: str,
        *,
        kind: str | None = None,
        confirmed: bool | None = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
        reason: str | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Remember something; what is known already is merged with it."""
        return await self._arequest(
            "POST memories",
            {
                "text": text,
                "kind": kind,
                "confirmed": confirmed,
                "valid_from": valid_from,
                "valid_until": valid_until,
                "reason": reason,
            },
            user,
            idempotency_key,
        )

    def upsert_memory(
        self,
        text: str,
        key: str,
        *,
        kind: str | None = None,
        confirmed: bool | None = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
        reason: str | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Write the memory of a key: add it, or correct what it says; one that was forgotten is written anew."""
        return self._request(
            "PUT memories",
            {
                "text": text,
                "kind": kind,
                "confirmed": confirmed,
                "valid_from": valid_from,
                "valid_until": valid_until,
                "reason": reason,
                "key": key,
            },
            user,
            idempotency_key,
        )

    async def aupsert_memory(
        self,
        text: str,
        key: str,
        *,
        kind: str | None = None,
        confirmed: bool | None = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
        reason: str | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Write the memory of a key: add it, or correct what it says; one that was forgotten is written anew."""
        return await self._arequest(
            "PUT memories",
            {
                "text": text,
                "kind": kind,
                "confirmed": confirmed,
                "valid_from": valid_from,
                "valid_until": valid_until,
                "reason": reason,
                "key": key,
            },
            user,
            idempotency_key,
        )

    def correct_memory(
        self, id: str, text: str, *, reason: str | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Say what is true instead."""
        return self._request("PATCH memories/{id}", {"id": id, "text": text, "reason": reason}, user, idempotency_key)

    async def acorrect_memory(
        self, id: str, text: str, *, reason: str | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Say what is true instead."""
        return await self._arequest(
            "PATCH memories/{id}", {"id": id, "text": text, "reason": reason}, user, idempotency_key
        )

    def forget_memory(
        self, id: str, *, reason: str | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Forget a memory: gone from every reading at once, kept in its history."""
        return self._request("DELETE memories/{id}", {"id": id, "reason": reason}, user, idempotency_key)

    async def aforget_memory(
        self, id: str, *, reason: str | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Forget a memory: gone from every reading at once, kept in its history."""
        return await self._arequest("DELETE memories/{id}", {"id": id, "reason": reason}, user, idempotency_key)

    def get_memory(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Read a memory, forgotten ones included, with the words it was learned from, verified now."""
        return self._request("GET memories/{id}", {"id": id}, user)

    async def aget_memory(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Read a memory, forgotten ones included, with the words it was learned from, verified now."""
        return await self._arequest("GET memories/{id}", {"id": id}, user)

    def confirm_memory(
        self, id: str, *, reason: str | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Vouch for a memory."""
        return self._request("POST memories/{id}/confirm", {"id": id, "reason": reason}, user, idempotency_key)

    async def aconfirm_memory(
        self, id: str, *, reason: str | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Vouch for a memory."""
        return await self._arequest("POST memories/{id}/confirm", {"id": id, "reason": reason}, user, idempotency_key)

    def set_memory_use(
        self, id: str, use: str, *, reason: str | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Pin a memory, exclude it from use, or neither."""
        return self._request("PUT memories/{id}/use", {"id": id, "reason": reason, "use": use}, user, idempotency_key)

    async def aset_memory_use(
        self, id: str, use: str, *, reason: str | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Pin a memory, exclude it from use, or neither."""
        return await self._arequest(
            "PUT memories/{id}/use", {"id": id, "reason": reason, "use": use}, user, idempotency_key
        )

    def restore_memory(
        self,
        id: str,
        *,
        reason: str | None = None,
        version: int | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Bring an earlier version back as a new one; what was forgotten comes back as it last was."""
        return self._request(
            "POST memories/{id}/restore", {"id": id, "reason": reason, "version": version}, user, idempotency_key
        )

    async def arestore_memory(
        self,
        id: str,
        *,
        reason: str | None = None,
        version: int | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Bring an earlier version back as a new one; what was forgotten comes back as it last was."""
        return await self._arequest(
            "POST memories/{id}/restore", {"id": id, "reason": reason, "version": version}, user, idempotency_key
        )

    def forget_memories(
        self, memories: Sequence[Any], *, reason: str | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Forget several memories at once: all of them as they were looked at, or none."""
        return self._request("POST memories/forget", {"memories": memories, "reason": reason}, user, idempotency_key)

    async def aforget_memories(
        self, memories: Sequence[Any], *, reason: str | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Forget several memories at once: all of them as they were looked at, or none."""
        return await self._arequest(
            "POST memories/forget", {"memories": memories, "reason": reason}, user, idempotency_key
        )

    def export_memories(self, ids: Sequence[Any], *, user: str | None = None) -> dict[str, Any]:
        """Read several memories with the words that they rest on. Raises ``E_NOT_FOUND`` where one is not there."""
        return self._request("POST memories/export", {"ids": ids}, user)

    async def aexport_memories(self, ids: Sequence[Any], *, user: str | None = None) -> dict[str, Any]:
        """Read several memories with the words that they rest on. Raises ``E_NOT_FOUND`` where one is not there."""
        return await self._arequest("POST memories/export", {"ids": ids}, user)

    def list_versions(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """List a memory's versions: what changed it, who and why."""
        return self._request("GET memories/{id}/history", {"id": id}, user)

    async def alist_versions(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """List a memory's versions: what changed it, who and why."""
        return await self._arequest("GET memories/{id}/history", {"id": id}, user)

    def compare_versions(
        self, id: str, *, a: int | None = None, b: int | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """Show in what two versions of a memory differ."""
        return self._request("GET memories/{id}/compare", {"id": id, "a": a, "b": b}, user)

    async def acompare_versions(
        self, id: str, *, a: int | None = None, b: int | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """Show in what two versions of a memory differ."""
        return await self._arequest("GET memories/{id}/compare", {"id": id, "a": a, "b": b}, user)

    def list_changes(self, *, user: str | None = None) -> dict[str, Any]:
        """List what can be taken back, the newest first."""
        return self._request("GET changes", {}, user)

    async def alist_changes(self, *, user: str | None = None) -> dict[str, Any]:
        """List what can be taken back, the newest first."""
        return await self._arequest("GET changes", {}, user)

    def undo_change(self, id: str, *, user: str | None = None, idempotency_key: str = "") -> dict[str, Any]:
        """Take back what was forgotten, corrected or replaced within the last day: the change that the user chose."""
        return self._request("POST changes/{id}/undo", {"id": id}, user, idempotency_key)

    async def aundo_change(self, id: str, *, user: str | None = None, idempotency_key: str = "") -> dict[str, Any]:
        """Take back what was forgotten, corrected or replaced within the last day: the change that the user chose."""
        return await self._arequest("POST changes/{id}/undo", {"id": id}, user, idempotency_key)

    def list_conflicts(
        self, *, limit: int | None = None, cursor: str | None = None, all: bool | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List memories that contradict each other and wait for a decision, oldest first."""
        return self._request("GET conflicts", {"limit": limit, "cursor": cursor, "all": all}, user)

    async def alist_conflicts(
        self, *, limit: int | None = None, cursor: str | None = None, all: bool | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List memories that contradict each other and wait for a decision, oldest first."""
        return await self._arequest("GET conflicts", {"limit": limit, "cursor": cursor, "all": all}, user)

    def resolve_conflict(
        self,
        id: str,
        resolution: str,
        *,
        winner: str | None = None,
        reason: str | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Settle a conflict. The memory that does not stay is superseded and can be restored."""
        return self._request(
            "POST conflicts/{id}/resolve",
            {"id": id, "resolution": resolution, "winner": winner, "reason": reason},
            user,
            idempotency_key,
        )

    async def aresolve_conflict(
        self,
        id: str,
        resolution: str,
        *,
        winner: str | None = None,
        reason: str | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Settle a conflict. The memory that does not stay is superseded and can be restored."""
        return await self._arequest(
            "POST conflicts/{id}/resolve",
            {"id": id, "resolution": resolution, "winner": winner, "reason": reason},
            user,
            idempotency_key,
        )

    def list_documents(
        self, *, limit: int | None = None, cursor: str | None = None, kind: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List documents (daily notes, MEMORY, profile) by kind, the newest daily notes first."""
        return self._request("GET documents", {"limit": limit, "cursor": cursor, "kind": kind}, user)

    async def alist_documents(
        self, *, limit: int | None = None, cursor: str | None = None, kind: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List documents (daily notes, MEMORY, profile) by kind, the newest daily notes first."""
        return await self._arequest("GET documents", {"limit": limit, "cursor": cursor, "kind": kind}, user)

    def read_document(self, name: str, *, user: str | None = None) -> dict[str, Any]:
        """Read a document as a person edits it."""
        return self._request("GET documents/{name}", {"name": name}, user)

    async def aread_document(self, name: str, *, user: str | None = None) -> dict[str, Any]:
        """Read a document as a person edits it."""
        return await self._arequest("GET documents/{name}", {"name": name}, user)

    def edit_document(
        self,
        name: str,
        body: str,
        version: int,
        *,
        reason: str | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Edit a document: a changed line that was made of a memory corrects the memory."""
        return self._request(
            "PUT documents/{name}",
            {"name": name, "body": body, "version": version, "reason": reason},
            user,
            idempotency_key,
        )

    async def aedit_document(
        self,
        name: str,
        body: str,
        version: int,
        *,
        reason: str | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Edit a document: a changed line that was made of a memory corrects the memory."""
        return await self._arequest(
            "PUT documents/{name}",
            {"name": name, "body": body, "version": version, "reason": reason},
            user,
            idempotency_key,
        )

    def show_document(self, name: str, *, user: str | None = None) -> dict[str, Any]:
        """Read a document by its name."""
        return self._request("GET documents/{name}/text", {"name": name}, user)

    async def ashow_document(self, name: str, *, user: str | None = None) -> dict[str, Any]:
        """Read a document by its name."""
        return await self._arequest("GET documents/{name}/text", {"name": name}, user)

    def list_document_versions(self, name: str, *, user: str | None = None) -> dict[str, Any]:
        """List the kept versions of a document: who made each, when and why."""
        return self._request("GET documents/{name}/history", {"name": name}, user)

    async def alist_document_versions(self, name: str, *, user: str | None = None) -> dict[str, Any]:
        """List the kept versions of a document: who made each, when and why."""
        return await self._arequest("GET documents/{name}/history", {"name": name}, user)

    def restore_document(
        self,
        name: str,
        *,
        version: int | None = None,
        reason: str | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Bring a kept version back as a new one."""
        return self._request(
            "POST documents/{name}/restore", {"name": name, "version": version, "reason": reason}, user, idempotency_key
        )

    async def arestore_document(
        self,
        name: str,
        *,
        version: int | None = None,
        reason: str | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Bring a kept version back as a new one."""
        return await self._arequest(
            "POST documents/{name}/restore", {"name": name, "version": version, "reason": reason}, user, idempotency_key
        )

    def list_sessions(
        self, *, limit: int | None = None, cursor: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List conversations, the last one spoken in first."""
        return self._request("GET sessions", {"limit": limit, "cursor": cursor}, user)

    async def alist_sessions(
        self, *, limit: int | None = None, cursor: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List conversations, the last one spoken in first."""
        return await self._arequest("GET sessions", {"limit": limit, "cursor": cursor}, user)

    def show_session(self, session: str, *, user: str | None = None) -> dict[str, Any]:
        """Read a conversation as memory holds it; what may not be read any more is absent."""
        return self._request("GET sessions/{session}", {"session": session}, user)

    async def ashow_session(self, session: str, *, user: str | None = None) -> dict[str, Any]:
        """Read a conversation as memory holds it; what may not be read any more is absent."""
        return await self._arequest("GET sessions/{session}", {"session": session}, user)

    def list_media(
        self, *, limit: int | None = None, cursor: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List what was attached to messages and is kept, the newest first."""
        return self._request("GET media", {"limit": limit, "cursor": cursor}, user)

    async def alist_media(
        self, *, limit: int | None = None, cursor: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List what was attached to messages and is kept, the newest first."""
        return await self._arequest("GET media", {"limit": limit, "cursor": cursor}, user)

    def read_media(self, sha256: str, *, user: str | None = None) -> dict[str, Any]:
        """Read the bytes of something attached; what was forgotten is not found."""
        return self._request("GET media/{sha256}", {"sha256": sha256}, user)

    async def aread_media(self, sha256: str, *, user: str | None = None) -> dict[str, Any]:
        """Read the bytes of something attached; what was forgotten is not found."""
        return await self._arequest("GET media/{sha256}", {"sha256": sha256}, user)

    def forget_media(self, sha256: str, *, user: str | None = None, idempotency_key: str = "") -> dict[str, Any]:
        """Let go of something attached, in every turn that carries it, at once and for good."""
        return self._request("DELETE media/{sha256}", {"sha256": sha256}, user, idempotency_key)

    async def aforget_media(self, sha256: str, *, user: str | None = None, idempotency_key: str = "") -> dict[str, Any]:
        """Let go of something attached, in every turn that carries it, at once and for good."""
        return await self._arequest("DELETE media/{sha256}", {"sha256": sha256}, user, idempotency_key)

    def list_past(self, *, user: str | None = None) -> dict[str, Any]:
        """List what was brought along from other assistants, the newest first."""
        return self._request("GET past", {}, user)

    async def alist_past(self, *, user: str | None = None) -> dict[str, Any]:
        """List what was brought along from other assistants, the newest first."""
        return await self._arequest("GET past", {}, user)

    def remove_one_past(self, id: str, *, user: str | None = None, idempotency_key: str = "") -> dict[str, Any]:
        """Take an import back: its messages, and what was made of them; again goes on where it was cut off."""
        return self._request("DELETE past/{id}", {"id": id}, user, idempotency_key)

    async def aremove_one_past(self, id: str, *, user: str | None = None, idempotency_key: str = "") -> dict[str, Any]:
        """Take an import back: its messages, and what was made of them; again goes on where it was cut off."""
        return await self._arequest("DELETE past/{id}", {"id": id}, user, idempotency_key)

    def read_remembering(self, *, session: str | None = None, user: str | None = None) -> dict[str, Any]:
        """Tell whether what the person says is remembered: in one conversation, or in general."""
        return self._request("GET remembering", {"session": session}, user)

    async def aread_remembering(self, *, session: str | None = None, user: str | None = None) -> dict[str, Any]:
        """Tell whether what the person says is remembered: in one conversation, or in general."""
        return await self._arequest("GET remembering", {"session": session}, user)

    def stop_remembering(
        self,
        *,
        session: str | None = None,
        minutes: int | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Remember nothing of what the person says from now on."""
        return self._request("POST remembering/stop", {"session": session, "minutes": minutes}, user, idempotency_key)

    async def astop_remembering(
        self,
        *,
        session: str | None = None,
        minutes: int | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Remember nothing of what the person says from now on."""
        return await self._arequest(
            "POST remembering/stop", {"session": session, "minutes": minutes}, user, idempotency_key
        )

    def resume_remembering(
        self, *, session: str | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Remember again what the person says from now on; what was said meanwhile stays unremembered."""
        return self._request("POST remembering/resume", {"session": session}, user, idempotency_key)

    async def aresume_remembering(
        self, *, session: str | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Remember again what the person says from now on; what was said meanwhile stays unremembered."""
        return await self._arequest("POST remembering/resume", {"session": session}, user, idempotency_key)

    def list_receipts(
        self, *, limit: int | None = None, cursor: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List turns that looked into memory, the newest first."""
        return self._request("GET receipts", {"limit": limit, "cursor": cursor}, user)

    async def alist_receipts(
        self, *, limit: int | None = None, cursor: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List turns that looked into memory, the newest first."""
        return await self._arequest("GET receipts", {"limit": limit, "cursor": cursor}, user)

    def show_receipts(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Show why a turn used what it used: every memory that was considered, and why it was or was not used."""
        return self._request("GET receipts/{id}", {"id": id}, user)

    async def ashow_receipts(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Show why a turn used what it used: every memory that was considered, and why it was or was not used."""
        return await self._arequest("GET receipts/{id}", {"id": id}, user)

    def get_operation(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Tell what became of a turn: stored, nothing to store and why, dead letter, or accepted or queued."""
        return self._request("GET operations/{id}", {"id": id}, user)

    async def aget_operation(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Tell what became of a turn: stored, nothing to store and why, dead letter, or accepted or queued."""
        return await self._arequest("GET operations/{id}", {"id": id}, user)

    def list_jobs(
        self, *, limit: int | None = None, cursor: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List the work behind the person's turns, the newest first: what waits, was done, was given up."""
        return self._request("GET jobs", {"limit": limit, "cursor": cursor}, user)

    async def alist_jobs(
        self, *, limit: int | None = None, cursor: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """List the work behind the person's turns, the newest first: what waits, was done, was given up."""
        return await self._arequest("GET jobs", {"limit": limit, "cursor": cursor}, user)

    def read_usage(self, *, days: int | None = None, user: str | None = None) -> dict[str, Any]:
        """Tell what the tenant's models cost, in tokens by UTC day, purpose and role; nothing tells who spoke."""
        return self._request("GET usage", {"days": days}, user)

    async def aread_usage(self, *, days: int | None = None, user: str | None = None) -> dict[str, Any]:
        """Tell what the tenant's models cost, in tokens by UTC day, purpose and role; nothing tells who spoke."""
        return await self._arequest("GET usage", {"days": days}, user)

    def list_accesses(self, *, user: str | None = None) -> dict[str, Any]:
        """List who else read one's memory, and for what reason they gave."""
        return self._request("GET accesses", {}, user)

    async def alist_accesses(self, *, user: str | None = None) -> dict[str, Any]:
        """List who else read one's memory, and for what reason they gave."""
        return await self._arequest("GET accesses", {}, user)

    def erase(
        self,
        confirm: str,
        *,
        person: str | None = None,
        compartment: str | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Erase everything that is kept of a person, for good."""
        return self._request(
            "POST erasures", {"confirm": confirm, "person": person, "compartment": compartment}, user, idempotency_key
        )

    async def aerase(
        self,
        confirm: str,
        *,
        person: str | None = None,
        compartment: str | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Erase everything that is kept of a person, for good."""
        return await self._arequest(
            "POST erasures", {"confirm": confirm, "person": person, "compartment": compartment}, user, idempotency_key
        )

    def list_erasures(self, *, everybody: bool | None = None, user: str | None = None) -> dict[str, Any]:
        """List what was asked to be erased, the newest first."""
        return self._request("GET erasures", {"everybody": everybody}, user)

    async def alist_erasures(self, *, everybody: bool | None = None, user: str | None = None) -> dict[str, Any]:
        """List what was asked to be erased, the newest first."""
        return await self._arequest("GET erasures", {"everybody": everybody}, user)

    def get_erasure(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Tell how far an erasure is; when it is completed, with its certificate."""
        return self._request("GET erasures/{id}", {"id": id}, user)

    async def aget_erasure(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Tell how far an erasure is; when it is completed, with its certificate."""
        return await self._arequest("GET erasures/{id}", {"id": id}, user)

    def place_hold(
        self, person: str, reason: str, *, compartment: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """Let a person not be erased until the hold is lifted."""
        return self._request("POST legal-holds", {"person": person, "reason": reason, "compartment": compartment}, user)

    async def aplace_hold(
        self, person: str, reason: str, *, compartment: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """Let a person not be erased until the hold is lifted."""
        return await self._arequest(
            "POST legal-holds", {"person": person, "reason": reason, "compartment": compartment}, user
        )

    def list_holds(self, *, user: str | None = None) -> dict[str, Any]:
        """List the legal holds of the tenant, lifted ones among them."""
        return self._request("GET legal-holds", {}, user)

    async def alist_holds(self, *, user: str | None = None) -> dict[str, Any]:
        """List the legal holds of the tenant, lifted ones among them."""
        return await self._arequest("GET legal-holds", {}, user)

    def lift_hold(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Lift a legal hold; it stays as a record."""
        return self._request("POST legal-holds/{id}/lift", {"id": id}, user)

    async def alift_hold(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Lift a legal hold; it stays as a record."""
        return await self._arequest("POST legal-holds/{id}/lift", {"id": id}, user)

    def get_legal_profile(self, *, user: str | None = None) -> dict[str, Any]:
        """Tell how long an erasure may take in this tenant."""
        return self._request("GET legal-profile", {}, user)

    async def aget_legal_profile(self, *, user: str | None = None) -> dict[str, Any]:
        """Tell how long an erasure may take in this tenant."""
        return await self._arequest("GET legal-profile", {}, user)

    def set_legal_profile(
        self,
        *,
        days: int | None = None,
        day_type: str | None = None,
        warn_percent: int | None = None,
        critical_percent: int | None = None,
        user: str | None = None,
    ) -> dict[str, Any]:
        """Promise how long an erasure may take from now on."""
        return self._request(
            "PUT legal-profile",
            {"days": days, "day_type": day_type, "warn_percent": warn_percent, "critical_percent": critical_percent},
            user,
        )

    async def aset_legal_profile(
        self,
        *,
        days: int | None = None,
        day_type: str | None = None,
        warn_percent: int | None = None,
        critical_percent: int | None = None,
        user: str | None = None,
    ) -> dict[str, Any]:
        """Promise how long an erasure may take from now on."""
        return await self._arequest(
            "PUT legal-profile",
            {"days": days, "day_type": day_type, "warn_percent": warn_percent, "critical_percent": critical_percent},
            user,
        )

    def show_contract(self, *, user: str | None = None) -> dict[str, Any]:
        """Show the safety contract that is in force: the rules of the package, and what this organisation adds."""
        return self._request("GET safety-contract", {}, user)

    async def ashow_contract(self, *, user: str | None = None) -> dict[str, Any]:
        """Show the safety contract that is in force: the rules of the package, and what this organisation adds."""
        return await self._arequest("GET safety-contract", {}, user)

    def set_contract(self, text: str, *, user: str | None = None) -> dict[str, Any]:
        """Add points to the safety contract, for everybody of the organisation and from their next turn on."""
        return self._request("PUT safety-contract", {"text": text}, user)

    async def aset_contract(self, text: str, *, user: str | None = None) -> dict[str, Any]:
        """Add points to the safety contract, for everybody of the organisation and from their next turn on."""
        return await self._arequest("PUT safety-contract", {"text": text}, user)

    def list_contract_versions(self, *, user: str | None = None) -> dict[str, Any]:
        """List what was added to the safety contract, by whom and when."""
        return self._request("GET safety-contract/versions", {}, user)

    async def alist_contract_versions(self, *, user: str | None = None) -> dict[str, Any]:
        """List what was added to the safety contract, by whom and when."""
        return await self._arequest("GET safety-contract/versions", {}, user)

    def list_skills(self, *, user: str | None = None) -> dict[str, Any]:
        """List the skills of this server, with their tools, their risk, who may use them and where they come from."""
        return self._request("GET skills", {}, user)

    async def alist_skills(self, *, user: str | None = None) -> dict[str, Any]:
        """List the skills of this server, with their tools, their risk, who may use them and where they come from."""
        return await self._arequest("GET skills", {}, user)

    def list_promotions(self, *, status: str | None = None, user: str | None = None) -> dict[str, Any]:
        """List what several people told and what is proposed to the organisation, the newest first."""
        return self._request("GET promotions", {"status": status}, user)

    async def alist_promotions(self, *, status: str | None = None, user: str | None = None) -> dict[str, Any]:
        """List what several people told and what is proposed to the organisation, the newest first."""
        return await self._arequest("GET promotions", {"status": status}, user)

    def get_objection(self, *, user: str | None = None) -> dict[str, Any]:
        """Tell whether what one says is left out when it is counted what several people told."""
        return self._request("GET promotions/objection", {}, user)

    async def aget_objection(self, *, user: str | None = None) -> dict[str, Any]:
        """Tell whether what one says is left out when it is counted what several people told."""
        return await self._arequest("GET promotions/objection", {}, user)

    def object_to_promotion(
        self, *, objects: bool | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Do not count what one says any more."""
        return self._request("POST promotions/objection", {"objects": objects}, user, idempotency_key)

    async def aobject_to_promotion(
        self, *, objects: bool | None = None, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Do not count what one says any more."""
        return await self._arequest("POST promotions/objection", {"objects": objects}, user, idempotency_key)

    def get_promotion(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Show one proposal."""
        return self._request("GET promotions/{id}", {"id": id}, user)

    async def aget_promotion(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Show one proposal."""
        return await self._arequest("GET promotions/{id}", {"id": id}, user)

    def approve_promotion(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Let the organisation know it from now on. Refused with 409 where the one who decides told most of it."""
        return self._request("POST promotions/{id}/approve", {"id": id}, user)

    async def aapprove_promotion(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Let the organisation know it from now on. Refused with 409 where the one who decides told most of it."""
        return await self._arequest("POST promotions/{id}/approve", {"id": id}, user)

    def reject_promotion(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Let it not become knowledge; it is not proposed again."""
        return self._request("POST promotions/{id}/reject", {"id": id}, user)

    async def areject_promotion(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Let it not become knowledge; it is not proposed again."""
        return await self._arequest("POST promotions/{id}/reject", {"id": id}, user)

    def list_experience(self, *, language: str | None = None, user: str | None = None) -> dict[str, Any]:
        """List what the agent has learnt of how its tools end; it holds nobody's words."""
        return self._request("GET experience", {"language": language}, user)

    async def alist_experience(self, *, language: str | None = None, user: str | None = None) -> dict[str, Any]:
        """List what the agent has learnt of how its tools end; it holds nobody's words."""
        return await self._arequest("GET experience", {"language": language}, user)

    def remove_experience(self, lesson: str, *, user: str | None = None) -> dict[str, Any]:
        """Take a lesson out; it is not learnt again."""
        return self._request("DELETE experience/{lesson}", {"lesson": lesson}, user)

    async def aremove_experience(self, lesson: str, *, user: str | None = None) -> dict[str, Any]:
        """Take a lesson out; it is not learnt again."""
        return await self._arequest("DELETE experience/{lesson}", {"lesson": lesson}, user)

    def list_knowledge(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        kind: str | None = None,
        topic: str | None = None,
        source: str | None = None,
        brand: str | None = None,
        removed: bool | None = None,
        user: str | None = None,
    ) -> dict[str, Any]:
        """List what the organisation knows, the newest first."""
        return self._request(
            "GET knowledge",
            {
                "limit": limit,
                "cursor": cursor,
                "kind": kind,
                "topic": topic,
                "source": source,
                "brand": brand,
                "removed": removed,
            },
            user,
        )

    async def alist_knowledge(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        kind: str | None = None,
        topic: str | None = None,
        source: str | None = None,
        brand: str | None = None,
        removed: bool | None = None,
        user: str | None = None,
    ) -> dict[str, Any]:
        """List what the organisation knows, the newest first."""
        return await self._arequest(
            "GET knowledge",
            {
                "limit": limit,
                "cursor": cursor,
                "kind": kind,
                "topic": topic,
                "source": source,
                "brand": brand,
                "removed": removed,
            },
            user,
        )

    def add_knowledge(
        self,
        text: str,
        *,
        kind: str | None = None,
        topic: str | None = None,
        owner: str | None = None,
        org_tier: str | None = None,
        role: str | None = None,
        brand: str | None = None,
        platform: str | None = None,
        language: str | None = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
        relations: Sequence[Any] | None = None,
        reason: str | None = None,
        user: str | None = None,
    ) -> dict[str, Any]:
        """Add one thing that the organisation knows."""
        return self._request(
            "POST knowledge",
            {
                "text": text,
                "kind": kind,
                "topic": topic,
                "owner": owner,
                "org_tier": org_tier,
                "role": role,
                "brand": brand,
                "platform": platform,
                "language": language,
                "valid_from": valid_from,
                "valid_until": valid_until,
                "relations": relations,
                "reason": reason,
            },
            user,
        )

    async def aadd_knowledge(
        self,
        text: str,
        *,
        kind: str | None = None,
        topic: str | None = None,
        owner: str | None = None,
        org_tier: str | None = None,
        role: str | None = None,
        brand: str | None = None,
        platform: str | None = None,
        language: str | None = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
        relations: Sequence[Any] | None = None,
        reason: str | None = None,
        user: str | None = None,
    ) -> dict[str, Any]:
        """Add one thing that the organisation knows."""
        return await self._arequest(
            "POST knowledge",
            {
                "text": text,
                "kind": kind,
                "topic": topic,
                "owner": owner,
                "org_tier": org_tier,
                "role": role,
                "brand": brand,
                "platform": platform,
                "language": language,
                "valid_from": valid_from,
                "valid_until": valid_until,
                "relations": relations,
                "reason": reason,
            },
            user,
        )

    def search_knowledge(self, text: str, *, limit: int | None = None, user: str | None = None) -> dict[str, Any]:
        """Find what the organisation knows about something."""
        return self._request("POST knowledge/search", {"text": text, "limit": limit}, user)

    async def asearch_knowledge(
        self, text: str, *, limit: int | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """Find what the organisation knows about something."""
        return await self._arequest("POST knowledge/search", {"text": text, "limit": limit}, user)

    def read_knowledge(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Read one entry, a removed one as well."""
        return self._request("GET knowledge/{id}", {"id": id}, user)

    async def aread_knowledge(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """Read one entry, a removed one as well."""
        return await self._arequest("GET knowledge/{id}", {"id": id}, user)

    def edit_knowledge(
        self,
        id: str,
        text: str,
        revision: int,
        *,
        kind: str | None = None,
        topic: str | None = None,
        owner: str | None = None,
        org_tier: str | None = None,
        role: str | None = None,
        brand: str | None = None,
        platform: str | None = None,
        language: str | None = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
        relations: Sequence[Any] | None = None,
        reason: str | None = None,
        user: str | None = None,
    ) -> dict[str, Any]:
        """Say something else in an entry; what it said before stays in its history."""
        return self._request(
            "PUT knowledge/{id}",
            {
                "id": id,
                "text": text,
                "kind": kind,
                "topic": topic,
                "owner": owner,
                "org_tier": org_tier,
                "role": role,
                "brand": brand,
                "platform": platform,
                "language": language,
                "valid_from": valid_from,
                "valid_until": valid_until,
                "relations": relations,
                "reason": reason,
                "revision": revision,
            },
            user,
        )

    async def aedit_knowledge(
        self,
        id: str,
        text: str,
        revision: int,
        *,
        kind: str | None = None,
        topic: str | None = None,
        owner: str | None = None,
        org_tier: str | None = None,
        role: str | None = None,
        brand: str | None = None,
        platform: str | None = None,
        language: str | None = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
        relations: Sequence[Any] | None = None,
        reason: str | None = None,
        user: str | None = None,
    ) -> dict[str, Any]:
        """Say something else in an entry; what it said before stays in its history."""
        return await self._arequest(
            "PUT knowledge/{id}",
            {
                "id": id,
                "text": text,
                "kind": kind,
                "topic": topic,
                "owner": owner,
                "org_tier": org_tier,
                "role": role,
                "brand": brand,
                "platform": platform,
                "language": language,
                "valid_from": valid_from,
                "valid_until": valid_until,
                "relations": relations,
                "reason": reason,
                "revision": revision,
            },
            user,
        )

    def remove_knowledge(self, id: str, *, reason: str | None = None, user: str | None = None) -> dict[str, Any]:
        """Take an entry out of every answer at once. Its history stays; reading its source again brings it back."""
        return self._request("DELETE knowledge/{id}", {"id": id, "reason": reason}, user)

    async def aremove_knowledge(self, id: str, *, reason: str | None = None, user: str | None = None) -> dict[str, Any]:
        """Take an entry out of every answer at once. Its history stays; reading its source again brings it back."""
        return await self._arequest("DELETE knowledge/{id}", {"id": id, "reason": reason}, user)

    def list_knowledge_versions(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """List what an entry said before, as far as it was for the caller: who wrote each revision, when and why."""
        return self._request("GET knowledge/{id}/history", {"id": id}, user)

    async def alist_knowledge_versions(self, id: str, *, user: str | None = None) -> dict[str, Any]:
        """List what an entry said before, as far as it was for the caller: who wrote each revision, when and why."""
        return await self._arequest("GET knowledge/{id}/history", {"id": id}, user)

    def list_bookmarks(self, *, user: str | None = None) -> dict[str, Any]:
        """List one's bookmarks of what the organisation knows, as it reads now."""
        return self._request("GET bookmarks", {}, user)

    async def alist_bookmarks(self, *, user: str | None = None) -> dict[str, Any]:
        """List one's bookmarks of what the organisation knows, as it reads now."""
        return await self._arequest("GET bookmarks", {}, user)

    def add_bookmark(self, entry_id: str, *, user: str | None = None, idempotency_key: str = "") -> dict[str, Any]:
        """Bookmark an entry; a second time changes nothing."""
        return self._request("POST bookmarks", {"entry_id": entry_id}, user, idempotency_key)

    async def aadd_bookmark(
        self, entry_id: str, *, user: str | None = None, idempotency_key: str = ""
    ) -> dict[str, Any]:
        """Bookmark an entry; a second time changes nothing."""
        return await self._arequest("POST bookmarks", {"entry_id": entry_id}, user, idempotency_key)

    def remove_bookmark(self, id: str, *, user: str | None = None, idempotency_key: str = "") -> dict[str, Any]:
        """Take a bookmark away."""
        return self._request("DELETE bookmarks/{id}", {"id": id}, user, idempotency_key)

    async def aremove_bookmark(self, id: str, *, user: str | None = None, idempotency_key: str = "") -> dict[str, Any]:
        """Take a bookmark away."""
        return await self._arequest("DELETE bookmarks/{id}", {"id": id}, user, idempotency_key)

    def get_soul(self, *, user: str | None = None) -> dict[str, Any]:
        """Tell how Brain is in this organisation, and what waits."""
        return self._request("GET soul", {}, user)

    async def aget_soul(self, *, user: str | None = None) -> dict[str, Any]:
        """Tell how Brain is in this organisation, and what waits."""
        return await self._arequest("GET soul", {}, user)

    def list_soul_versions(self, *, user: str | None = None) -> dict[str, Any]:
        """List the versions, the newest first."""
        return self._request("GET soul/versions", {}, user)

    async def alist_soul_versions(self, *, user: str | None = None) -> dict[str, Any]:
        """List the versions, the newest first."""
        return await self._arequest("GET soul/versions", {}, user)

    def get_soul_version(self, version: int, *, user: str | None = None) -> dict[str, Any]:
        """Show a version, what it changes, and what was found."""
        return self._request("GET soul/versions/{version}", {"version": version}, user)

    async def aget_soul_version(self, version: int, *, user: str | None = None) -> dict[str, Any]:
        """Show a version, what it changes, and what was found."""
        return await self._arequest("GET soul/versions/{version}", {"version": version}, user)

    def compare_soul_versions(self, before: int, after: int, *, user: str | None = None) -> dict[str, Any]:
        """Compare two versions, line by line."""
        return self._request("GET soul/diff", {"before": before, "after": after}, user)

    async def acompare_soul_versions(self, before: int, after: int, *, user: str | None = None) -> dict[str, Any]:
        """Compare two versions, line by line."""
        return await self._arequest("GET soul/diff", {"before": before, "after": after}, user)

    def propose_soul(
        self,
        intent: str,
        evidence: str,
        *,
        text: str | None = None,
        changes: Sequence[Any] | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Propose a change: evaluated at once, in force when it is approved."""
        return self._request(
            "POST soul/proposals",
            {"intent": intent, "evidence": evidence, "text": text, "changes": changes},
            user,
            idempotency_key,
        )

    async def apropose_soul(
        self,
        intent: str,
        evidence: str,
        *,
        text: str | None = None,
        changes: Sequence[Any] | None = None,
        user: str | None = None,
        idempotency_key: str = "",
    ) -> dict[str, Any]:
        """Propose a change: evaluated at once, in force when it is approved."""
        return await self._arequest(
            "POST soul/proposals",
            {"intent": intent, "evidence": evidence, "text": text, "changes": changes},
            user,
            idempotency_key,
        )

    def decide_soul(self, version: int, decision: str, *, user: str | None = None) -> dict[str, Any]:
        """Approve a proposal of somebody else, or veto any version."""
        return self._request("POST soul/versions/{version}/decision", {"version": version, "decision": decision}, user)

    async def adecide_soul(self, version: int, decision: str, *, user: str | None = None) -> dict[str, Any]:
        """Approve a proposal of somebody else, or veto any version."""
        return await self._arequest(
            "POST soul/versions/{version}/decision", {"version": version, "decision": decision}, user
        )

    def roll_soul_back(self, *, version: int | None = None, user: str | None = None) -> dict[str, Any]:
        """Put the version before the active one, or a certain one, in force again."""
        return self._request("POST soul/rollback", {"version": version}, user)

    async def aroll_soul_back(self, *, version: int | None = None, user: str | None = None) -> dict[str, Any]:
        """Put the version before the active one, or a certain one, in force again."""
        return await self._arequest("POST soul/rollback", {"version": version}, user)

    def pause_soul(self, *, user: str | None = None) -> dict[str, Any]:
        """Let nothing be proposed or applied until it is resumed."""
        return self._request("POST soul/pause", {}, user)

    async def apause_soul(self, *, user: str | None = None) -> dict[str, Any]:
        """Let nothing be proposed or applied until it is resumed."""
        return await self._arequest("POST soul/pause", {}, user)

    def resume_soul(self, *, user: str | None = None) -> dict[str, Any]:
        """Let changes go on."""
        return self._request("POST soul/resume", {}, user)

    async def aresume_soul(self, *, user: str | None = None) -> dict[str, Any]:
        """Let changes go on."""
        return await self._arequest("POST soul/resume", {}, user)

    def import_soul(self, text: str, *, user: str | None = None) -> dict[str, Any]:
        """Put the tenant's own first document in force, once, before anything was changed."""
        return self._request("POST soul/import", {"text": text}, user)

    async def aimport_soul(self, text: str, *, user: str | None = None) -> dict[str, Any]:
        """Put the tenant's own first document in force, once, before anything was changed."""
        return await self._arequest("POST soul/import", {"text": text}, user)

    def start_experiment(
        self, name: str, variants: Sequence[Any], *, guard: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """Start an experiment. One runs at a time; a person gets the same variant until it ends."""
        return self._request("POST experiments", {"name": name, "variants": variants, "guard": guard}, user)

    async def astart_experiment(
        self, name: str, variants: Sequence[Any], *, guard: str | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """Start an experiment. One runs at a time; a person gets the same variant until it ends."""
        return await self._arequest("POST experiments", {"name": name, "variants": variants, "guard": guard}, user)

    def list_experiments(self, *, user: str | None = None) -> dict[str, Any]:
        """List the tenant's experiments."""
        return self._request("GET experiments", {}, user)

    async def alist_experiments(self, *, user: str | None = None) -> dict[str, Any]:
        """List the tenant's experiments."""
        return await self._arequest("GET experiments", {}, user)

    def end_experiment(self, name: str, *, user: str | None = None) -> dict[str, Any]:
        """End an experiment: everybody gets what the server is set to. What was counted stays."""
        return self._request("POST experiments/{name}/end", {"name": name}, user)

    async def aend_experiment(self, name: str, *, user: str | None = None) -> dict[str, Any]:
        """End an experiment: everybody gets what the server is set to. What was counted stays."""
        return await self._arequest("POST experiments/{name}/end", {"name": name}, user)

    def show_experiment(self, name: str, *, user: str | None = None) -> dict[str, Any]:
        """Compare an experiment's variants: replies rejected, things taken back, memories used, and tokens."""
        return self._request("GET experiments/{name}", {"name": name}, user)

    async def ashow_experiment(self, name: str, *, user: str | None = None) -> dict[str, Any]:
        """Compare an experiment's variants: replies rejected, things taken back, memories used, and tokens."""
        return await self._arequest("GET experiments/{name}", {"name": name}, user)

    def read_levels(self, *, user: str | None = None) -> dict[str, Any]:
        """Measure the tenant's service levels now; nothing is kept of it."""
        return self._request("GET levels", {}, user)

    async def aread_levels(self, *, user: str | None = None) -> dict[str, Any]:
        """Measure the tenant's service levels now; nothing is kept of it."""
        return await self._arequest("GET levels", {}, user)

    def report_release(self, release: str, *, user: str | None = None) -> dict[str, Any]:
        """Measure the service levels for a release and keep its verdicts: three of OBSERVE in a row are a FAIL."""
        return self._request("POST levels/releases", {"release": release}, user)

    async def areport_release(self, release: str, *, user: str | None = None) -> dict[str, Any]:
        """Measure the service levels for a release and keep its verdicts: three of OBSERVE in a row are a FAIL."""
        return await self._arequest("POST levels/releases", {"release": release}, user)

    def list_thresholds(self, *, user: str | None = None) -> dict[str, Any]:
        """List where the tenant's figures pass and fail."""
        return self._request("GET levels/thresholds", {}, user)

    async def alist_thresholds(self, *, user: str | None = None) -> dict[str, Any]:
        """List where the tenant's figures pass and fail."""
        return await self._arequest("GET levels/thresholds", {}, user)

    def set_threshold(
        self, figure: str, pass_at: float, *, fail_at: float | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """Judge a figure of the tenant by other numbers than the server's."""
        return self._request(
            "PUT levels/thresholds/{figure}", {"figure": figure, "pass_at": pass_at, "fail_at": fail_at}, user
        )

    async def aset_threshold(
        self, figure: str, pass_at: float, *, fail_at: float | None = None, user: str | None = None
    ) -> dict[str, Any]:
        """Judge a figure of the tenant by other numbers than the server's."""
        return await self._arequest(
            "PUT levels/thresholds/{figure}", {"figure": figure, "pass_at": pass_at, "fail_at": fail_at}, user
        )

    def reset_threshold(self, figure: str, *, user: str | None = None) -> dict[str, Any]:
        """Judge a figure as the server is set again."""
        return self._request("DELETE levels/thresholds/{figure}", {"figure": figure}, user)

    async def areset_threshold(self, figure: str, *, user: str | None = None) -> dict[str, Any]:
        """Judge a figure as the server is set again."""
        return await self._arequest("DELETE levels/thresholds/{figure}", {"figure": figure}, user)

    def record_drill(self, rto_seconds: float, rpo_seconds: float, *, user: str | None = None) -> dict[str, Any]:
        """Tell what a switch to the standby came to; the newest drill counts for every tenant of the installation."""
        return self._request("POST levels/drills", {"rto_seconds": rto_seconds, "rpo_seconds": rpo_seconds}, user)

    async def arecord_drill(self, rto_seconds: float, rpo_seconds: float, *, user: str | None = None) -> dict[str, Any]:
        """Tell what a switch to the standby came to; the newest drill counts for every tenant of the installation."""
        return await self._arequest(
            "POST levels/drills", {"rto_seconds": rto_seconds, "rpo_seconds": rpo_seconds}, user
        )

    def list_alerts(self, *, ended: bool | None = None, user: str | None = None) -> dict[str, Any]:
        """List the alerts of the tenant and of the installation. They tell of nobody."""
        return self._request("GET alerts", {"ended": ended}, user)

    async def alist_alerts(self, *, ended: bool | None = None, user: str | None = None) -> dict[str, Any]:
        """List the alerts of the tenant and of the installation. They tell of nobody."""
        return await self._arequest("GET alerts", {"ended": ended}, user)
