"""Which embedding model serves a person: the configured one, or, where nobody chose, the one that has served so far."""

from dataclasses import replace

from brain.resources import Resources
from memory.scope import Scope


async def with_serving_embedder(resources: Resources, scope: Scope) -> Resources:
    """The resources with the embedder that serves this person.

    Before the encoder became the default, a key alone made OpenAI's model the default: whoever's rows carry its vectors
    goes on with it until they are switched.
    """
    earlier, index = resources.earlier_embedder, resources.memory.index
    if earlier is None:
        return resources
    is_served = await resources.serving_models.is_served(index, scope, earlier.name, resources.clock())
    return replace(resources, embedder=earlier) if is_served else resources
