"""What answers at the address of an OpenAI-compatible server, found out by asking it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

import openai

_PATIENCE = 5.0
"""Seconds that a question about the server itself may take."""

_NESTED = (0, 11)
"""The version of vLLM from which constraints go into ``structured_outputs``; one after it, the
``guided_…`` of before are ignored without a word."""


@dataclass(frozen=True, slots=True)
class LLMServer:
    """A server as it describes itself; whatever it does not tell is ``None`` or empty.

    ``context`` is what it has room for in a prompt with its reply, ``models`` what it serves.
    ``nested`` tells how a vLLM takes constraints: in ``structured_outputs``, or as ``guided_…``.
    """

    kind: Literal["vllm", "llama.cpp", "other"] = "other"
    context: int | None = None
    models: tuple[str, ...] = ()
    nested: bool = True

    def constraint(self, kind: Literal["choice", "grammar"], value: Any) -> dict[str, Any]:
        """The fields by which a vLLM is held to one of the choices, or to a grammar."""
        return {"structured_outputs": {kind: value}} if self.nested else {f"guided_{kind}": value}


def look_at(client: openai.OpenAI, model: str) -> LLMServer | None:
    """Ask the server what it is; one that does not tell is plain, one that is down is none."""
    client = client.with_options(timeout=_PATIENCE, max_retries=0)
    try:
        listed = _get(client, "models").get("data")
    except openai.APIConnectionError:
        return None
    models = [entry for entry in listed or () if isinstance(entry, Mapping)]
    names = tuple(str(entry.get("id")) for entry in models)
    # A server of one model often takes any name for it.
    about = models[0] if len(models) == 1 else {}
    about = next((entry for entry in models if entry.get("id") == model), about)
    root = re.sub(r"/v\d+/?$", "", str(client.base_url))
    with suppress(openai.APIConnectionError):
        match about.get("owned_by"):
            case "vllm":
                version = _version(_get(client, f"{root}/version").get("version"))
                nested = version is None or version >= _NESTED
                return LLMServer("vllm", _size(about.get("max_model_len")), names, nested)
            case "llamacpp":
                props = _get(client, f"{root}/props").get("default_generation_settings")
                context = props.get("n_ctx") if isinstance(props, Mapping) else None
                return LLMServer("llama.cpp", _size(context), names)
    return LLMServer("other", _size(about.get("max_model_len")), names)


def _get(client: openai.OpenAI, path: str) -> Mapping[str, Any]:
    """A JSON object that the server has at that path or address, or an empty one."""
    try:
        reply = client.get(path, cast_to=object)
    except openai.APIConnectionError:
        raise
    except (openai.OpenAIError, ValueError, TypeError):
        return {}
    return reply if isinstance(reply, Mapping) else {}


def _version(text: object) -> tuple[int, ...] | None:
    """``(0, 11)`` of ``0.11.2``; ``None`` of one between two versions, which is new."""
    found = re.match(r"(\d+)\.(\d+)(?!.*dev)", text) if isinstance(text, str) else None
    return (int(found[1]), int(found[2])) if found else None


def _size(value: object) -> int | None:
    return value if isinstance(value, int) and value > 0 else None
