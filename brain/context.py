"""Who is asking, and how this run is configured. Studio draws its form from these fields."""

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import Field

from brain.assembly import shared
from brain.resources import Resources


@dataclass(frozen=True, kw_only=True)
class Context:
    """The run's configuration. An authenticated identity overrides who it claims to be.

    ``resources`` are live: neither drawn in Studio's form nor settable over HTTP.
    """

    tenant: Annotated[str, Field(description="The organisation whose data this is.")] = "local"
    user: Annotated[str, Field(description="The person who speaks, by any stable name.")] = "me"
    session: Annotated[str, Field(description="The conversation; the thread's own id when empty.")] = ""
    channel: Annotated[str, Field(description="A group channel; empty for a private conversation.")] = ""
    channel_type: Annotated[str, Field(description="Where the user writes from: dm, telegram, web …")] = "dm"
    account: Annotated[str, Field(description="The account of the bot, when several share a channel.")] = ""
    org_tier: Annotated[str, Field(description="brand_hq, regional_agent or franchise_store.")] = ""
    role: Annotated[str, Field(description="owner, admin, editor or viewer.")] = ""
    time_zone: Annotated[str, Field(description="IANA zone of the user, such as Europe/Paris.")] = ""
    prompt_variant: Annotated[str, Field(description="Which variant of the system prompt to use.")] = "default"
    ranking_policy: Annotated[str, Field(description="Which ranking policy recall uses; the default when empty.")] = ""
    truncation: Annotated[str, Field(description="fixed_priority or constraint_optimization.")] = "fixed_priority"
    max_memories: Annotated[int, Field(ge=0, le=20, description="How many memories a prompt may carry.")] = 8
    max_tool_rounds: Annotated[int, Field(ge=0, le=20, description="How often the model may call tools in a turn.")] = 4
    resources: Resources = field(default_factory=shared, repr=False)
