"""Who is asking, and how this run is configured. Studio draws its form from these fields."""

from dataclasses import Field, dataclass, field, fields
from datetime import timedelta
from typing import Annotated

from pydantic import Field as Described

from brain.approval import ApprovalPolicy, parse_acts
from brain.resources import Resources
from brain.settings_routing import require_routing
from brain.wiring import shared_resources
from memory.errors import bad_request
from memory.names import require_name

MAX_CONFIGURED = 20


@dataclass(frozen=True, kw_only=True)
class Claim:
    """Whose memory a run works on, as the caller says: the whole form of the graphs behind the conversation.

    An authenticated identity overrides it. ``resources`` are live: neither drawn in Studio's form nor settable over
    HTTP.
    """

    tenant: Annotated[str, Described(description="The organisation whose data this is.")] = "local"
    user: Annotated[str, Described(description="The person who speaks, by any stable name.")] = "me"
    channel: Annotated[str, Described(description="A group channel; empty for a private conversation.")] = ""
    channel_type: Annotated[str, Described(description="Where the user writes from: dm, telegram, web …")] = "dm"
    account: Annotated[str, Described(description="The account of the bot, when several share a channel.")] = ""
    resources: Resources = field(default_factory=shared_resources, repr=False)

    def __post_init__(self) -> None:
        """Clients send what they like; what this form does not allow is refused before a run begins."""
        for each in fields(self):
            _check_field(each, getattr(self, each.name))


@dataclass(frozen=True, kw_only=True)
class Context(Claim):
    """Who is asking, and the configuration of the turn."""

    session: Annotated[str, Described(description="The conversation; the thread's own id when empty.")] = ""
    org_tier: Annotated[str, Described(description="brand_hq, regional_agent or franchise_store.")] = ""
    role: Annotated[str, Described(description="owner, admin, editor or viewer.")] = ""
    brand: Annotated[str, Described(description="The brand that Brain speaks for, where the tenant has several.")] = ""
    time_zone: Annotated[str, Described(description="IANA zone of the user, such as Europe/Paris.")] = ""
    prompt_variant: Annotated[str, Described(description="Which variant of the system prompt to use.")] = "default"
    ranking_policy: Annotated[str, Described(description="Which ranking policy recall uses.")] = ""
    truncation: Annotated[str, Described(description="fixed_priority or constraint_optimization.")] = "fixed_priority"
    routing: Annotated[str, Described(description="off or by_intent; what the server says when empty.")] = ""
    experiment_variant: Annotated[
        str, Described(description="A variant of the running experiment, to try it; not for who signed in.")
    ] = ""
    learn: Annotated[bool, Described(description="Whether memory may take anything from what is said.")] = True
    max_memories: Annotated[
        int, Described(ge=0, le=MAX_CONFIGURED, description="How many memories a prompt may carry.")
    ] = 8
    max_tool_rounds: Annotated[int, Described(ge=0, le=MAX_CONFIGURED, description="Tool rounds of a turn.")] = 4
    approval: Annotated[
        str, Described(description="Acts that wait for approval beside the server's own: bulk, tools, conflicts.")
    ] = ""

    def __post_init__(self) -> None:
        """Acts that there are not are refused too."""
        super().__post_init__()
        if self.routing:
            require_routing(self.routing)
        try:
            parse_acts(self.approval)
        except ValueError as error:
            raise bad_request(f"approval: {error}.") from None

    @property
    def approval_policy(self) -> ApprovalPolicy:
        """The operator's policy; a caller may only add to it."""
        settings = self.resources.settings
        acts = parse_acts(settings.approval) | parse_acts(self.approval)
        return ApprovalPolicy(acts, settings.approval_bulk, timedelta(hours=settings.approval_hours))


def _check_field(known: Field[object], value: object) -> None:
    if known.name == "resources":
        return
    if isinstance(known.default, bool):
        if not isinstance(value, bool):
            raise bad_request(f"{known.name} must be true or false.")
        return
    if isinstance(known.default, str) and not isinstance(value, str):
        raise bad_request(f"{known.name} must be text.")
    if isinstance(value, str) and value:
        require_name(known.name, value)
    if isinstance(known.default, int) and not (type(value) is int and 0 <= value <= MAX_CONFIGURED):
        raise bad_request(f"{known.name} must be a number from 0 to {MAX_CONFIGURED}.")
