"""The doctor's check of the language models: whether they answer, at that path, and under those names."""

import asyncio
from collections.abc import Iterator, Sequence

from apps.doctor.findings import Finding, degraded_finding, ok_finding
from brain.settings import Settings, strip_credentials

SECONDS = 3.0
MAX_NAMES = 8
"""How many of the offered models are named."""
_CHECK_KEY = "Check OPENAI_API_KEY and BRAIN_BASE_URL; until then replies come from memory alone."
_ENDPOINT = "/chat/completions"

Offer = frozenset[str] | str
"""The models of an address, or why it is of no use."""
_NOT_THERE = "nothing is served at this path"


async def model_finding(settings: Settings) -> Finding:
    """Ask the provider for its list of models, which costs nothing."""
    if settings.openai_api_key is None and settings.base_url is None:
        return ok_finding("model", "none configured: rules understand, replies come from memory alone")
    where = strip_credentials(settings.base_url) if settings.base_url else "OpenAI"
    offer = await _fetch_offer(settings, settings.base_url)
    if offer == _NOT_THERE:
        return await _try_other_paths(settings, where)
    if isinstance(offer, str):
        return degraded_finding("model", f"{where}: {offer}", _CHECK_KEY)
    return _check_models(settings, where, offer)


def _check_models(settings: Settings, where: str, offer: frozenset[str]) -> Finding:
    """Whether the configured models are among those offered; a server that lists none is believed."""
    wanted = dict.fromkeys((settings.chat_model, settings.fast_model))
    missing = [name for name in wanted if offer.isdisjoint((name, f"{name}:latest"))]
    if not offer or not missing:
        return ok_finding("model", f"{' and '.join(wanted)} at {where}, which answers")
    return degraded_finding(
        "model",
        f"{where} does not offer {' or '.join(missing)}, but {_shorten_list(sorted(offer))}",
        "Set BRAIN_CHAT_MODEL and BRAIN_FAST_MODEL to what it offers; until then replies come from memory alone.",
    )


async def _try_other_paths(settings: Settings, where: str) -> Finding:
    """The same server at the paths that are meant most often. One without any list of models is as good as any."""
    for address in _likely_addresses(settings.base_url or ""):
        if not isinstance(await _fetch_offer(settings, address), str):
            told = strip_credentials(address)
            return degraded_finding("model", f"{where}: {_NOT_THERE}, but at {told}", f"Set BRAIN_BASE_URL={told}.")
    names = f"{settings.chat_model} and {settings.fast_model}"
    return ok_finding("model", f"{names} at {where}, which answers but lists no models: the names are unchecked")


def _likely_addresses(address: str) -> Iterator[str]:
    base = address.rstrip("/")
    if base.endswith(_ENDPOINT):
        yield base.removesuffix(_ENDPOINT)
    elif not base.endswith("/v1"):
        yield f"{base}/v1"


async def _fetch_offer(settings: Settings, address: str | None) -> Offer:
    import openai  # takes 0.4 s to import, which a run on rules need not wait for

    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else "none"
    client = openai.AsyncOpenAI(base_url=address, api_key=key, timeout=SECONDS, max_retries=0)
    try:
        async with client, asyncio.timeout(SECONDS):
            page = await client.models.list()
            return frozenset(str(each.id) for each in page.data)
    except (openai.AuthenticationError, openai.PermissionDeniedError):
        return "the key is refused"
    except (openai.NotFoundError, ValueError, TypeError, AttributeError):
        return _NOT_THERE  # or a page for people instead of a list
    except openai.APIStatusError as error:
        return f"it answers with status {error.status_code}"
    except (openai.APIConnectionError, TimeoutError):
        return "it cannot be reached"


def _shorten_list(names: Sequence[str]) -> str:
    left = len(names) - MAX_NAMES
    return ", ".join(names[:MAX_NAMES]) + (f" and {left} more" if left > 0 else "")
