"""The wiring, as drawn."""

from pathlib import Path
from typing import Any

import pytest

from brain.context import Context
from graphs.brain import builder, graph
from graphs.retry import is_retryable
from memory.errors import BrainError, bad_request, unavailable
from prompts.registry import list_prompts

SNAPSHOT = Path(__file__).parents[1] / "snapshots" / "brain.mmd"


def drawn() -> str:
    return graph.get_graph().draw_mermaid()  # pyright: ignore[reportUnknownMemberType]


def test_the_turn_is_wired_as_the_snapshot_shows():
    assert drawn() == SNAPSHOT.read_text("utf-8"), "Redraw it with: python -m tests.unit.test_graph"


def test_the_exported_graph_brings_neither_saver_nor_store():
    assert graph.checkpointer is None  # pyright: ignore[reportUnknownMemberType]
    assert graph.store is None


def test_the_context_form_describes_every_field_and_hides_the_live_ones():
    schema: dict[str, Any] = graph.get_context_jsonschema() or {}
    fields: dict[str, Any] = schema["properties"]
    assert "resources" not in fields
    assert {name for name, field in fields.items() if not field.get("description")} == set()
    assert {name for name, field in fields.items() if "default" not in field} == set()
    assert fields["tenant"]["default"] == Context.tenant == "local"


@pytest.mark.parametrize(
    "claimed",
    [{"max_memories": 100_000}, {"max_memories": -5}, {"max_tool_rounds": "abc"}, {"user": 5}, {"session": {"a": 1}}],
)
def test_what_the_form_does_not_allow_is_refused(claimed: dict[str, Any]):
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        Context(**claimed)


def test_a_caller_may_put_in_messages_and_nothing_else():
    assert set(graph.get_input_jsonschema()["properties"]) == {"messages"}  # pyright: ignore[reportUnknownMemberType]


def test_only_a_dependency_that_may_come_back_is_tried_again():
    assert is_retryable(unavailable("away"))
    assert not is_retryable(bad_request("wrong"))
    assert not is_retryable(ValueError("a bug"))


def test_every_step_of_the_drawing_is_a_node_of_its_own():
    assert set(builder.nodes) == {
        "open_session",
        "classify_intent",
        "rewrite_query",
        "retrieve",
        "retrieve_rewritten",
        "consult_knowledge",
        "rerank",
        "sanitize",
        "change_memory",
        "approve",
        "assemble",
        "check_guard",
        "respond",
        "dispatch_tools",
        "capture_signals",
    }


def test_each_node_that_asks_a_model_finds_its_prompt_under_its_own_name():
    assert {"classify_intent", "rewrite_query", "sanitize"} <= set(list_prompts())


if __name__ == "__main__":
    SNAPSHOT.write_text(drawn(), "utf-8")
