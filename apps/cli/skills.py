"""``brain skills``: what Brain can do when it is asked to, and where that comes from."""

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.output import say, show_table
from apps.memory_api.skills import SkillList, SkillView, list_skills

skills = typer.Typer(no_args_is_help=True, help="What Brain can do when asked to, and where that comes from.")


def _show(found: SkillList) -> None:
    rows = [(each.name, tool.name, tool.risk, _who(each), each.source) for each in found.skills for tool in each.tools]
    show_table(("skill", "tool", "risk", "who", "from"), rows)
    for name in found.unavailable:
        say(f"MCP server {name} cannot be reached now.")


def _who(skill: SkillView) -> str:
    named = ", ".join((*skill.roles, *skill.org_tiers)) or "everybody"
    return named if skill.usable else f"{named} (not you)"


add_endpoint(skills, list_skills, _show)
