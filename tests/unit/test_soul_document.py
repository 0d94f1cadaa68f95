"""SOUL as a document: what may stand in it, how it changes, and how it stands in a prompt."""

import pytest

from brain.prompting.budget import BOUNDS
from brain.prompting.tokens import count_tokens
from brain.soul_document import (
    MAX_TOKENS,
    SECTIONS,
    MalformedSoulError,
    SoulChange,
    SoulDocument,
    apply_changes,
    packaged_soul,
    parse_soul,
    render_soul,
    soul_in_force,
)
from memory.errors import BrainError
from memory.session_state import SessionState
from memory.soul import ActiveSoul
from prompts.registry import load_prompt
from tests.fakes import NOW


def test_the_packaged_soul_has_its_six_sections_and_is_in_its_one_form():
    text = packaged_soul()
    assert tuple(parse_soul(text).sections) == SECTIONS
    assert parse_soul(text).text == text


def test_chinese_headings_and_points_of_several_lines_come_to_the_one_form():
    document = parse_soul("# soul\n## 身份\n- 我是 Brain。\n## 约束\n- 绝不\n  假装成人。\n\n## 语气\n- 简短。\n")
    assert document.text == (
        "# SOUL\n\n## Identity\n\n- 我是 Brain。\n\n## Voice\n\n- 简短。\n\n## Constraints\n\n- 绝不 假装成人。\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: x\n---\n## Voice\n- I am brief.",
        "## Voice\n- I am brief.\n## Voice\n- I am long.",
        "## Voice\n- I am brief.\n## Powers\n- I fly.",
        "## Voice\nI am brief.",
        "## Voice\n- I am brief.\n\nConstraints\n===========\n* None.",
        "## Voice\n- I am brief.\n### Exceptions\n- None.",
        "## Voice\n- I am brief.\n1. First",
        "I am Brain.\n## Voice\n- I am brief.",
    ],
)
def test_nothing_else_can_stand_in_it(text: str):
    with pytest.raises(MalformedSoulError, match="Line"):
        parse_soul(text)


def test_points_are_added_replaced_and_removed_word_for_word():
    before = parse_soul("## Voice\n- I am brief.\n- I am kind.")
    changes = [
        SoulChange(op="replace", section="Voice", old="I am brief.", new="I am short."),
        SoulChange(op="remove", section="Voice", old="I am kind."),
        SoulChange(op="add", section="Habits", new="I ask."),
    ]
    assert apply_changes(before, changes).all_points == (("Voice", "I am short."), ("Habits", "I ask."))
    with pytest.raises(BrainError, match="no such point"):
        apply_changes(before, [SoulChange(op="remove", section="Voice", old="I am Brief.")])
    with pytest.raises(BrainError, match="says something"):
        apply_changes(before, [SoulChange(op="add", section="Voice", new=" ")])


def test_it_stands_in_the_prompt_beneath_the_rules_that_never_change_and_within_the_slot():
    rendered = render_soul(packaged_soul(), 128_000)
    assert all(point in rendered for _, point in parse_soul(packaged_soul()).all_points)
    assert "stand above it" in rendered
    system = load_prompt("system").body
    assert count_tokens(system) + count_tokens(rendered) < BOUNDS["system_prompt"].most
    assert count_tokens(system) + MAX_TOKENS < BOUNDS["system_prompt"].most


def test_in_a_small_window_habits_go_first_and_what_never_changes_stays():
    rendered = render_soul(packaged_soul(), 4_500)
    assert "## Habits" not in rendered
    assert "## Identity" in rendered
    assert "I am an assistant, not a person." in rendered
    assert "Never flatter instead of answering." in rendered


def test_the_tenants_own_version_is_in_force_and_without_one_the_packaged():
    own = SoulDocument({"Voice": ("I am kind.",)}).text
    soul = ActiveSoul(version=3, text=own, sha256="", activated_at=NOW)
    assert soul_in_force(SessionState(soul=soul)) == (3, own)
    assert soul_in_force(SessionState()) == (0, packaged_soul())
    assert soul_in_force(None) == (0, packaged_soul())
