"""Language models behind an OpenAI-compatible server: vLLM, llama.cpp, Ollama, a hosted one."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import openai

from kgdb.errors import ModelError
from kgdb.language.base import Ask, Completion

_PARALLEL = 8
_INSTRUCTION = (
    "Continue the text with exactly one of the given choices. "
    'Reply with JSON: {"choice": "<one of the choices, word for word>"}.'
)


class OpenAIModel:
    """A chat model that is held to the choices by a JSON schema.

    Servers that enforce schemas (vLLM, llama.cpp, Ollama, OpenAI) cannot answer anything else.
    Where a server ignores the schema, a reply that is none of the choices is an error, never a
    guess.
    """

    def __init__(self, model: str, base_url: str | None) -> None:
        self.name = model
        try:
            self._client = openai.OpenAI(
                base_url=base_url,
                # Servers of one's own take any key, but the client insists on one.
                api_key=os.environ.get("OPENAI_API_KEY") or ("none" if base_url else None),
                timeout=120,
                max_retries=3,
            )
        except openai.OpenAIError as error:
            raise ModelError(
                f"The model openai:{model} cannot be called: {error}",
                hint="Set OPENAI_API_KEY, or name your own server: --llm openai:MODEL@URL",
            ) from error

    @property
    def context(self) -> int:
        """Servers do not tell it in a common way; what small ones are started with."""
        return 4096

    def count(self, texts: Sequence[str]) -> list[int]:
        """An upper estimate: a token seldom has fewer than three bytes."""
        return [len(text.encode()) // 3 + 1 for text in texts]

    def complete(self, asks: Sequence[Ask]) -> list[Completion | ModelError]:
        """Several at a time; of choices the one that the model names, without scores."""
        with ThreadPoolExecutor(_PARALLEL) as pool:
            return list(pool.map(self._answered, asks))

    def _answered(self, ask: Ask) -> Completion | ModelError:
        try:
            return self._choose(ask.prompt, ask.choices)
        except ModelError as error:
            return error

    def _choose(self, prompt: str, options: Sequence[str]) -> Completion:
        listed = "\n".join(f"- {option}" for option in options)
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {"choice": {"type": "string", "enum": list(options)}},
            "required": ["choice"],
            "additionalProperties": False,
        }
        try:
            reply = self._client.chat.completions.create(
                model=self.name,
                messages=[
                    {"role": "system", "content": _INSTRUCTION},
                    {"role": "user", "content": f"{prompt} …\n\nChoices:\n{listed}"},
                ],
                temperature=0,
                seed=0,
                response_format={
                    "type": "json_schema",
                    "json_schema": {"name": "choice", "schema": schema, "strict": True},
                },
            )
            content = str(reply.choices[0].message.content or "")
            tokens_in = reply.usage.prompt_tokens if reply.usage else 0
            tokens_out = reply.usage.completion_tokens if reply.usage else 0
        except openai.OpenAIError as error:
            raise ModelError(
                f"The model {self.name!r} at {self._client.base_url} failed: {error}",
                hint="Check that the server is up and serves this model (GET …/v1/models).",
            ) from error
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            # The client takes any successful reply for what it expects.
            raise ModelError(
                f"What answers at {self._client.base_url} is no OpenAI-compatible server.",
                hint="Check the URL after @; most end in /v1.",
            ) from error
        return Completion(_chosen(content, options), tokens_in, tokens_out)


def _chosen(content: str, options: Sequence[str]) -> str:
    try:
        choice = json.loads(content)["choice"]
    except (ValueError, TypeError, KeyError):
        choice = content.strip()
    if choice in options:
        return str(choice)
    raise ModelError(
        f"The model was asked for one of {len(options)} choices and replied {content[:200]!r}.",
        hint="Use a server that enforces JSON schemas (vLLM, llama.cpp and Ollama do), "
        "or a larger model.",
    )
