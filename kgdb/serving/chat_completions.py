"""The graphs as models of a chat front end, by OpenAI's protocol."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from kgdb.plain_text import answer_text
from kgdb.serving.problem_details import Refused
from kgdb.serving.question_batches import Asking
from kgdb.serving.request_bodies import ChatBody
from kgdb.serving.rest_routes import key_of, service_of

router = APIRouter(prefix="/v1", tags=["chat"])

_REMEMBERED = 4
"""Questions of a chat that are asked again, so that the last may go on from them."""


@router.get("/models", summary="The graphs, as models of a chat front end")
async def models(request: Request) -> dict[str, Any]:
    """Each graph that the key may see is a model."""
    service = service_of(request)
    found = await service.look_up(service.access.visible, key_of(request))
    listed = [{"id": name, "object": "model", "created": 0, "owned_by": "kgdb"} for name in found]
    return {"object": "list", "data": listed}


@router.post("/chat/completions", summary="Answer the last message of a chat")
async def chat_completions(body: ChatBody, request: Request) -> Response:
    """The answer with the facts that prove it, as one message or as a stream."""
    questions = [each.text for each in body.messages if each.role == "user" and each.text]
    if not questions:
        raise Refused(400, "No question", "No message of the role user has a text.")
    service, key = service_of(request), key_of(request)
    graph = await service.look_up(service.access.graph, key, body.model)
    answer = await service.after(Asking(graph.name, "question"), questions[-_REMEMBERED:])
    if answer.error is not None:
        raise answer.error
    text, usage = answer_text(answer), answer.usage
    about = {"id": f"chatcmpl-{uuid.uuid4().hex}", "created": int(time.time()), "model": body.model}
    if body.stream:
        return StreamingResponse(_chunks(about, text), media_type="text/event-stream")
    message = {"role": "assistant", "content": text}
    return JSONResponse(
        {
            **about,
            "object": "chat.completion",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {
                "prompt_tokens": usage.tokens_in,
                "completion_tokens": usage.tokens_out,
                "total_tokens": usage.tokens_in + usage.tokens_out,
            },
        }
    )


def _chunks(about: dict[str, Any], text: str) -> Iterator[str]:
    deltas = [{"role": "assistant", "content": ""}]
    deltas += [{"content": part} for part in text.splitlines(keepends=True)]
    for delta in [*deltas, {}]:
        reason = None if delta else "stop"
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        chunk = {**about, "object": "chat.completion.chunk", "choices": [choice]}
        yield f"data: {json.dumps(chunk)}\n\n"
    yield "data: [DONE]\n\n"
