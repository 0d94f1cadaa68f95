"""What several people told, in the panel: an administrator decides on proposals, and everybody may object."""

from starlette.responses import Response

from apps.memory_api import promotions
from apps.panel.page import Visit


async def list_promotions(visit: Visit) -> Response:
    """Whether the one who looks is counted; for an administrator, every proposal."""
    objection: promotions.ObjectionView = await visit.ask(promotions.get_objection)
    found = promotions.ProposalList(proposals=[])
    if visit.may("admin"):
        found = await visit.ask(promotions.list_promotions)
    return visit.render("promotions.html", proposals=found.proposals, objects=objection.objects)


async def approve_promotion(visit: Visit) -> Response:
    """Let the organisation know it."""
    await visit.ask(promotions.approve_promotion, id=visit.request.path_params["proposal_id"])
    return visit.redirect("/panel/promotions", "decided")


async def reject_promotion(visit: Visit) -> Response:
    """Let it not become knowledge."""
    await visit.ask(promotions.reject_promotion, id=visit.request.path_params["proposal_id"])
    return visit.redirect("/panel/promotions", "decided")


async def object_to_promotion(visit: Visit) -> Response:
    """Object, or take the objection back."""
    await visit.ask(promotions.object_to_promotion, objects=visit.read_field("objects", 3) == "yes")
    return visit.redirect("/panel/promotions", "objection")
