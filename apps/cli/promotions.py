"""``brain promotions``: what several people told, proposed to the organisation."""

import typer

from apps.cli.endpoint_commands import add_endpoint
from apps.cli.output import say, show_model, show_table
from apps.memory_api import promotions as table

promotions = typer.Typer(
    no_args_is_help=True, help="What several people told, proposed to the organisation: decide, or object."
)


def _show_list(found: table.ProposalList) -> None:
    rows = [
        (each.id, each.status, each.people, each.sessions, f"{each.proposed_at:%Y-%m-%d}", each.text)
        for each in found.proposals
    ]
    if rows:
        show_table(("proposal", "status", "people", "conversations", "since", "text"), rows)
    else:
        say("Nothing is proposed.")


def _show_objection(found: table.ObjectionView) -> None:
    said = "What you say is not counted." if found.objects else "What you say is counted."
    say(f"{said} Proposals withdrawn: {found.withdrawn}." if found.withdrawn else said)


add_endpoint(promotions, table.list_promotions, _show_list)
add_endpoint(promotions, table.get_promotion, show_model)
add_endpoint(promotions, table.approve_promotion, show_model)
add_endpoint(promotions, table.reject_promotion, show_model)
add_endpoint(promotions, table.object_to_promotion, _show_objection)
add_endpoint(
    promotions,
    table.object_to_promotion,
    _show_objection,
    "allow",
    "Let what one says be counted again.",
    objects=False,
)
add_endpoint(promotions, table.get_objection, _show_objection)
