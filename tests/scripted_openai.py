"""An OpenAI-compatible server on loopback that follows a script: for tests that run Brain as a whole process.

In a test: ``with ScriptedOpenAI([Step(text="Hello")]) as server: … server.base_url``. As a process:
``python -m tests.scripted_openai --script steps.json --port-file port [--log requests.jsonl]``, ended by a signal.
Embeddings need no step: without one they are computed from the text.
"""

import argparse
import json
import signal
import socket
import struct
import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self, cast

from tests.openai_script import Request, Script, Step, read_script
from tests.openai_wire import DONE, Json, chunks, completion, embeddings, error, event

DIMENSIONS = 64
MODELS = ("gpt-4.1", "gpt-4.1-mini", "llama3.1:latest")
_LOOPBACK = "127.0.0.1"


class ScriptedOpenAI:
    """The server as a context manager. Leaving it ends every connection and thread, hanging ones included."""

    def __init__(self, steps: Sequence[Step], log: Path | None = None) -> None:
        self.script = Script(steps)
        self._server = _Server(self.script, log)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="scripted-openai")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.closing.set()
        self.let_go()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def let_go(self) -> None:
        """Answer what is held, now and from now on."""
        self._server.released.set()

    @property
    def port(self) -> int:
        """Chosen by the operating system."""
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> str:
        """What to configure as the provider's address."""
        return f"http://{_LOOPBACK}:{self.port}/v1"

    @property
    def settings(self) -> dict[str, str]:
        """What to tell a server whose model it shall be."""
        return {"openai_api_key": "sk-test", "base_url": self.base_url}

    @property
    def requests(self) -> list[Request]:
        """Everything that was asked, in order."""
        return self.script.requests

    @property
    def unscripted(self) -> list[Request]:
        """What was asked without a step for it."""
        return self.script.unscripted


class _Server(ThreadingHTTPServer):
    daemon_threads = False

    def __init__(self, script: Script, log: Path | None) -> None:
        super().__init__((_LOOPBACK, 0), _Handler)
        self.script = script
        self.closing, self.released = threading.Event(), threading.Event()
        self._log = log
        self._log_lock = threading.Lock()

    def record(self, request: Request) -> None:
        """Append the request to the log, without its key, for a test in another process."""
        if self._log is None:
            return
        shown: Json = {"path": request.path, "body": request.body}
        with self._log_lock, self._log.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(shown, ensure_ascii=False) + "\n")


class _Handler(BaseHTTPRequestHandler):
    """One request per connection, so that a thread never waits for a client that says nothing more."""

    protocol_version = "HTTP/1.1"
    timeout = 10

    @property
    def scripted(self) -> _Server:
        """The server, by its own type."""
        return cast("_Server", self.server)

    def do_GET(self) -> None:
        """The list of models, for a client that checks whether somebody is there."""
        if self.path != "/v1/models":
            self._send_json(404, error("There is nothing here."))
            return
        self._send_json(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in MODELS]})

    def do_POST(self) -> None:
        """Whatever the script says."""
        body: Json = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        request = Request(path=self.path, body=body, headers=dict(self.headers.items()))
        self.scripted.record(request)
        step = self.scripted.script.next(request)
        try:
            self._answer(request, step)
        except ConnectionError:
            self.close_connection = True  # the client has gone, as an impatient one does

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet; tests read the recorded requests."""

    def _answer(self, request: Request, step: Step | None) -> None:
        if step is None:
            self._answer_unscripted(request)
            return
        if step.held:
            self.scripted.released.wait()
        self.scripted.closing.wait(None if step.hang else step.delay)
        if step.hang:
            self.close_connection = True
        elif step.raw is not None or step.status != 200:
            self._send(step.status, _raw(step), step.headers)
        elif request.endpoint == "embeddings":
            self._send_json(200, _embedded(request))
        elif request.streamed:
            self._stream(step)
        else:
            self._answer_whole(step)

    def _answer_unscripted(self, request: Request) -> None:
        if request.endpoint == "embeddings":
            self._send_json(200, _embedded(request))
        else:
            self._send_json(500, error(f"The script has no step for {request.endpoint} {request.form}."))

    def _answer_whole(self, step: Step) -> None:
        body = json.dumps(completion(step.said)).encode()
        self._send(200, body, step.headers, body[: step.cut_after])
        if step.cut_after is not None:
            self._reset()

    def _stream(self, step: Step) -> None:
        self._open(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        for number, piece in enumerate(chunks(step.said)):
            if number == step.cut_after:
                self._reset()
                return
            if number == step.stall_after:
                self.scripted.closing.wait()
                self.close_connection = True
                return
            self._write_chunk(event(piece))
        self._write_chunk(DONE)
        self._write_chunk(b"")

    def _write_chunk(self, piece: bytes) -> None:
        self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")

    def _reset(self) -> None:
        """Break the connection the hard way, as a crashed provider does."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True

    def _send_json(self, status: int, body: Json) -> None:
        self._send(status, json.dumps(body).encode(), {})

    def _send(self, status: int, body: bytes, headers: dict[str, str], sent: bytes | None = None) -> None:
        """Send a body, or as much of it as the connection lasts."""
        self._open(status, {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers})
        self.wfile.write(body if sent is None else sent)

    def _open(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()


def _raw(step: Step) -> bytes:
    if step.raw is not None:
        return step.raw.encode()
    return json.dumps(error(f"scripted {step.status}")).encode()


def _embedded(request: Request) -> Json:
    asked = request.body["input"]
    texts = [asked] if isinstance(asked, str) else [str(text) for text in asked]
    dimensions = int(request.body.get("dimensions") or DIMENSIONS)
    return embeddings(texts, dimensions, str(request.body.get("encoding_format", "float")), request.model)


def main() -> None:
    """Run until told to stop; the port file appears when the server listens."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--script", type=Path, required=True)
    parser.add_argument("--port-file", type=Path, required=True)
    parser.add_argument("--log", type=Path)
    asked = parser.parse_args()
    told_to_stop = threading.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda _number, _frame: told_to_stop.set())
    with ScriptedOpenAI(read_script(asked.script), asked.log) as server:
        draft = asked.port_file.with_suffix(".draft")
        draft.write_text(str(server.port))
        draft.rename(asked.port_file)
        told_to_stop.wait()


if __name__ == "__main__":
    main()
