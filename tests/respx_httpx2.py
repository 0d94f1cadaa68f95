"""respx for the HTTP client that the OpenAI library uses: ``respx.mock(using=HTTPX2)`` once this module is imported."""

from typing import Any, ClassVar

import httpcore2
from respx.mocks import HTTPCoreMocker

HTTPX2 = "httpcore2"


class HTTPCore2Mocker(HTTPCoreMocker):
    """The same interception one package further on: httpx2 is httpx under a new name, and so is its core."""

    name = HTTPX2
    targets: ClassVar[list[str]] = [target.replace("httpcore.", "httpcore2.") for target in HTTPCoreMocker.targets]

    @classmethod
    def from_sync_httpx_response(cls, httpx_response: Any, target: Any, **kwargs: Any) -> Any:
        """The mocked answer as httpcore2 would return it."""
        return httpcore2.Response(
            status=httpx_response.status_code,
            headers=httpx_response.headers.raw,
            content=httpx_response.stream,
            extensions=httpx_response.extensions,
        )
