"""A server that speaks the OpenAI protocol over HTTP, and fails in the ways that servers do."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Request = dict[str, Any]


@dataclass
class Response:
    """What a request is answered with; ``reset`` breaks the connection in the middle of it.

    ``trickle`` is how many seconds pass between two bytes of the body.
    """

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    delay: float = 0.0
    reset: bool = False
    trickle: float = 0.0


def chat(
    content: str | None, finish: str = "stop", tokens: tuple[int, int] = (11, 5), **more: Any
) -> Response:
    """A reply of a chat model; its message may have more than a content."""
    message = {"role": "assistant", "content": content, **more}
    return Response(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": "tiny",
            "choices": [{"index": 0, "finish_reason": finish, "message": message}],
            "usage": {
                "prompt_tokens": tokens[0],
                "completion_tokens": tokens[1],
                "total_tokens": sum(tokens),
            },
        }
    )


def completion(*choices: Mapping[str, Any], tokens: tuple[int, int] = (11, 5)) -> Response:
    """A reply of ``/v1/completions``."""
    return Response(
        {
            "id": "1",
            "object": "text_completion",
            "created": 0,
            "model": "tiny",
            "choices": [
                {"index": i, "finish_reason": "stop", "logprobs": None, **choice}
                for i, choice in enumerate(choices)
            ],
            "usage": {
                "prompt_tokens": tokens[0],
                "completion_tokens": tokens[1],
                "total_tokens": sum(tokens),
            },
        }
    )


def failure(status: int, message: str = "out of order", **more: Any) -> Response:
    return Response({"error": {"message": message, **more}}, status, {"Retry-After-Ms": "1"})


def user(request: Request) -> str:
    """The one message of a request, which is a user's."""
    (message,) = request["messages"]
    assert message["role"] == "user"
    return str(message["content"])


def models(**about: Any) -> Response:
    """What ``/v1/models`` tells of the model ``tiny``."""
    return Response({"object": "list", "data": [{"id": "tiny", "object": "model", **about}]})


@dataclass
class Server:
    """What it was sent, and what it answers: ``reply`` makes a response of a request to a path.

    ``about`` has what it tells of itself, by path; the rest of its paths are not found.
    """

    url: str = ""
    reply: Callable[[Request], Response] = lambda request: chat("fine")
    paths: tuple[str, ...] = ("/v1/chat/completions",)
    about: dict[str, Response] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)

    def looked_at(self) -> list[str]:
        """The paths that were asked for what the server is."""
        return [path for path in self.asked if path not in self.paths]

    def says(self, *contents: str | Response) -> None:
        """Reply with these, one after the other, and then the last for ever."""
        remaining = list(contents)

        def reply(request: Request) -> Response:
            content = remaining.pop(0) if len(remaining) > 1 else remaining[0]
            return content if isinstance(content, Response) else chat(content)

        self.reply = reply

    def is_vllm(self, version: str = "0.11.2", context: int = 32_768) -> None:
        self.about = {
            "/v1/models": models(owned_by="vllm", max_model_len=context),
            "/version": Response({"version": version}),
        }
        self.paths = ("/v1/chat/completions", "/v1/completions")


@contextmanager
def serving() -> Iterator[Server]:
    """A server in a thread, until the block ends."""
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            state.asked.append(self.path)
            self.send(state.about.get(self.path, failure(404, "not found")))

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.asked.append(self.path)
            if self.path not in state.paths:
                self.send(failure(404, f"there is no {self.path}"))
                return
            state.requests.append(request)
            state.keys.append(self.headers.get("Authorization"))
            self.send(state.reply(request))

        def send(self, response: Response) -> None:
            body = response.body
            if not isinstance(body, bytes):
                body = json.dumps(body).encode()
            time.sleep(response.delay)
            try:
                self.send_response(response.status)
                self.send_header("Content-Type", response.content_type)
                self.send_header("Content-Length", str(len(body)))
                for name, value in response.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                if response.reset:
                    self.wfile.write(body[: len(body) // 2])
                    self.wfile.flush()
                    # Closed with a reset, not with an orderly end.
                    linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    self.connection.close()
                    return
                for place in range(len(body) if response.trickle else 0):
                    self.wfile.write(body[place : place + 1])
                    time.sleep(response.trickle)
                if not response.trickle:
                    self.wfile.write(body)
            except OSError:
                pass  # whoever asked went away

        def finish(self) -> None:
            with suppress(OSError, ValueError):  # the connection was reset
                super().finish()

        def log_message(self, *arguments: object) -> None:
            """Quiet."""

    class Listening(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 64
        block_on_close = False

        def handle_error(self, *arguments: object) -> None:
            """Quiet: it was meant to fail."""

    with Listening(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        state.url = f"http://127.0.0.1:{listening.server_port}/v1"
        yield state
        listening.shutdown()
        thread.join()
