"""An identity provider on loopback: it publishes a key, and signs tokens with it."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

AUDIENCE = "brain"


class Issuer:
    """Leaving the context ends the server and its thread."""

    def __init__(self) -> None:
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        published: dict[str, Any] = {**RSAAlgorithm.to_jwk(self._key.public_key(), as_dict=True), "kid": "k1"}
        body = json.dumps({"keys": [published]}).encode()

        class Keys(BaseHTTPRequestHandler):
            """Answers every question with the keys."""

            def do_GET(self) -> None:
                """The key set."""
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Keep quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Keys)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="issuer")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def settings(self) -> dict[str, str]:
        """What to tell a server that shall trust it."""
        url = f"http://127.0.0.1:{self._server.server_address[1]}/keys"
        return {"auth_jwks_url": url, "auth_audience": AUDIENCE}

    def token(self, tenant: str, user: str, **claims: object) -> str:
        """Good for ten minutes, unless the claims say otherwise."""
        told = {"tenant": tenant, "sub": user, "aud": AUDIENCE, "exp": int(time.time()) + 600, **claims}
        return jwt.encode(told, self._key, algorithm="RS256", headers={"kid": "k1"})

    def bearer(self, tenant: str, user: str, **claims: object) -> dict[str, str]:
        """The header that carries a token."""
        return {"Authorization": f"Bearer {self.token(tenant, user, **claims)}"}
