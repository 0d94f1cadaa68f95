"""``brain experience``: what the agent has learnt of how its tools end."""

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.output import say, show_table
from apps.memory_api import experience as table

experience = typer.Typer(no_args_is_help=True, help="What the agent has learnt of how its tools end.")


def _show_list(found: table.ExperienceList) -> None:
    rows = [(each.lesson, each.times, each.against, each.people, each.text) for each in found.experiences]
    if rows:
        show_table(("lesson", "times", "against", "people", "text"), rows)
    else:
        say("Nothing has been learnt yet.")


def _show_removed(found: table.RemovedExperience) -> None:
    say(f"{found.lesson} is taken out.")


add_endpoint(experience, table.list_experience, _show_list)
add_endpoint(experience, table.remove_experience, _show_removed)
