"""What a person asks of memory: what it means, which memory it means, and what is done. A step of the turn runs it."""
# pyright: reportUnknownMemberType=false
# LangGraph leaves its node types partly open.

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime

from brain.context import Context
from brain.state import MemoryChange, OpenTurn, Update
from evolution.requests.answer_question import answer_question
from evolution.requests.carry_out_decision import carry_out_decision
from evolution.requests.correct import correct
from evolution.requests.erase import erase
from evolution.requests.forget import forget
from evolution.requests.keep import keep_unchanged, remember, switch_record, withhold
from evolution.requests.propose import propose
from evolution.requests.request_state import RequestState, choose_step, note_others, understand
from evolution.requests.undo import undo
from nodes.change_memory import begin_request, finish_request

builder = (
    StateGraph(RequestState)
    .add_node("understand", understand)
    .add_node("carry_out_decision", carry_out_decision)
    .add_node("answer_question", answer_question)
    .add_node("propose", propose)
    .add_node("forget", forget)
    .add_node("correct", correct)
    .add_node("erase", erase)
    .add_node("undo", undo)
    .add_node("withhold", withhold)
    .add_node("remember", remember)
    .add_node("switch_record", switch_record)
    .add_node("keep_unchanged", keep_unchanged)
    .add_node("note_others", note_others)
    .add_edge(START, "understand")
    .add_conditional_edges("understand", choose_step)
    .add_edge("carry_out_decision", "note_others")
    .add_edge("propose", "note_others")
    .add_edge("forget", "note_others")
    .add_edge("correct", "note_others")
    .add_edge("note_others", END)
    .add_edge("answer_question", END)
    .add_edge("erase", END)
    .add_edge("undo", END)
    .add_edge("withhold", END)
    .add_edge("remember", END)
    .add_edge("switch_record", END)
    .add_edge("keep_unchanged", END)
)

graph = builder.compile(name="memory_request", checkpointer=False)
_UNSAVED: RunnableConfig = {"configurable": {"__pregel_durability": "async"}}
"""LangGraph hands on the durability of the turn: under ``sync`` it would wait for a checkpoint that is never made."""


async def change_memory(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """Carry out what was asked; where anything went, this turn's own prompt is without it.

    What the policy has wait for approval is asked for, and carried out when the node runs again with the decision.
    Nothing of the request's own steps is checkpointed: a turn that is cut off begins them again.
    """
    asked = begin_request(state, runtime)
    done = await graph.ainvoke(asked, _UNSAVED)  # pyright: ignore[reportArgumentType]
    change: MemoryChange = done["change"]
    return await finish_request(change, asked.run, state, runtime)
