"""Replies out of a file: recorded once with a model, given again without it.

A recording is a file of JSON lines. The first tells the model; each further one holds an ask with
its completion, or how many tokens a text has. It can be read, put under version control, and
written by hand.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, fields, replace
from pathlib import Path
from threading import Lock
from typing import Any

from kgdb.errors import ModelError, UsageError
from kgdb.language.language_model import Completion, CompletionRequest, LanguageModel
from kgdb.language.text.prompt_fit import tokens_at_most
from kgdb.wording import short

_SHOWN = 80


class Recording:
    """What a model replied, by what it was asked."""

    def __init__(
        self,
        file: Path,
        model: str,
        context: int,
        grammars: bool = False,
        parameters: int | None = None,
    ) -> None:
        self.file = file
        self.model = model
        self.context = context
        self.grammars = grammars
        self.parameters = parameters
        self._lock = Lock()
        self._completions: dict[str, Completion] = {}
        self._counts: dict[str, int] = {}

    @classmethod
    def read(cls, file: Path) -> Recording:
        """The recording in a file. Raises :class:`UsageError` where that is none."""
        try:
            # Other separators of lines, which splitlines() knows, may stand in a reply.
            lines = file.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(
                f"The recording {file} cannot be read: {getattr(error, 'strerror', None) or error}",
                hint=f"Record one with another model: --llm record:{file}=smollm2",
            ) from error
        recording = None
        if not lines[-1]:
            lines.pop()
        for number, line in enumerate(lines, 1):
            try:
                held = json.loads(line)
                if recording is None:
                    recording = cls(
                        file,
                        str(held["model"]),
                        int(held["context"]),
                        bool(held.get("grammars")),
                        held.get("parameters") and int(held["parameters"]),
                    )
                elif "ask" in held:
                    request, completion = _ask(held["ask"]), _completion(held["completion"])
                    recording._completions[_key(request)] = completion
                else:
                    recording._counts[str(held["text"])] = int(held["tokens"])
            except (ValueError, TypeError, KeyError) as error:
                raise UsageError(
                    f"{file}, line {number}, is no line of a recording: {error!r}",
                    hint="A recording begins with its model, "
                    '{"model": "smollm2", "context": 8192}; then come lines of the form '
                    '{"ask": {"prompt": "…"}, "completion": {"text": "…"}}.',
                ) from error
        if recording is None:
            raise UsageError(
                f"The recording {file} is empty.",
                hint=f"Record one with another model: --llm record:{file}=smollm2",
            )
        return recording

    def start(self) -> None:
        """Write the first line of a new file."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        told: dict[str, Any] = {"model": self.model, "context": self.context}
        if self.grammars:
            told["grammars"] = True
        if self.parameters:
            told["parameters"] = self.parameters
        self._write(told, "w")

    def completion(self, request: CompletionRequest) -> Completion | None:
        """The reply, if there is one."""
        return self._completions.get(_key(request))

    def count(self, text: str) -> int | None:
        """The tokens of a text, if they were counted."""
        return self._counts.get(_digest(text))

    def add(self, request: CompletionRequest, completion: Completion) -> None:
        """Keep a reply."""
        self._completions[_key(request)] = completion
        self._write({"ask": _told(request), "completion": _told(replace(completion, cached=False))})

    def add_count(self, text: str, tokens: int) -> None:
        """Keep how many tokens a text has."""
        self._counts[_digest(text)] = tokens
        self._write({"text": _digest(text), "tokens": tokens})

    def _write(self, held: Mapping[str, Any], mode: str = "a") -> None:
        # A long line is written in parts, between which another thread's would come.
        with self._lock, self.file.open(mode, encoding="utf-8") as file:
            file.write(f"{json.dumps(held, ensure_ascii=False)}\n")


class ReplayModel:
    """The replies of a recording, and an error for what is not in it."""

    def __init__(self, file: Path) -> None:
        self._recording = Recording.read(file)
        self.name = f"{self._recording.model} (replayed)"

    @property
    def context(self) -> int:
        """That of the model that was recorded."""
        return self._recording.context

    @property
    def supports_grammar(self) -> bool:
        """As the model that was recorded."""
        return self._recording.grammars

    @property
    def parameters(self) -> int | None:
        """Those of the model that was recorded."""
        return self._recording.parameters

    def count(self, texts: Sequence[str]) -> list[int]:
        """As recorded; of other texts an upper estimate."""
        known = map(self._recording.count, texts)
        return [
            tokens_at_most(text) if count is None else count
            for text, count in zip(texts, known, strict=True)
        ]

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        """As recorded."""
        return [self._reply(request) for request in requests]

    def _reply(self, request: CompletionRequest) -> Completion | ModelError:
        completion = self._recording.completion(request)
        if completion is not None:
            return replace(completion, cached=True)
        beginning = request.prompt[:_SHOWN] + "…" * (len(request.prompt) > _SHOWN)
        file = self._recording.file
        return ModelError(
            f"The recording {file} has no reply to {short(beginning)} (with these choices, schema "
            "and limits).",
            hint=f"Record it: run the same with --llm record:{file}={self._recording.model}",
        )


class RecordingModel:
    """A model whose replies are kept in a file; what the file holds already is not asked again."""

    def __init__(self, file: Path, name: str, inner: LanguageModel) -> None:
        self.name = inner.name
        self.context = inner.context
        self.supports_grammar = inner.supports_grammar
        self.parameters = inner.parameters
        self._inner = inner
        if file.is_file() and file.stat().st_size:
            self._recording = Recording.read(file)
            if self._recording.model != name:
                raise UsageError(
                    f"{file} is a recording of {short(self._recording.model)}, not of "
                    f"{short(name)}.",
                    hint="Record each model in a file of its own.",
                )
        else:
            self._recording = Recording(
                file, name, inner.context, inner.supports_grammar, inner.parameters
            )
            self._recording.start()

    def count(self, texts: Sequence[str]) -> list[int]:
        """As the model counts."""
        counts = self._inner.count(texts)
        for text, count in zip(texts, counts, strict=True):
            if self._recording.count(text) is None:
                self._recording.add_count(text, count)
        return counts

    def complete(self, requests: Sequence[CompletionRequest]) -> list[Completion | ModelError]:
        """As recorded, or as the model replies now; errors are not recorded, for they may pass."""
        known = [self._recording.completion(request) for request in requests]
        results: list[Completion | ModelError | None] = [
            completion and replace(completion, cached=True) for completion in known
        ]
        new = [place for place, result in enumerate(results) if result is None]
        replies = self._inner.complete([requests[place] for place in new]) if new else []
        for place, reply in zip(new, replies, strict=True):
            results[place] = reply
            if isinstance(reply, Completion):
                self._recording.add(requests[place], reply)
        return [result for result in results if result is not None]


def _told(value: CompletionRequest | Completion) -> dict[str, Any]:
    """The fields that say something: those that are not as they are by default."""
    held = asdict(value)
    return {
        field.name: held[field.name]
        for field in fields(value)
        if field.default is MISSING or getattr(value, field.name) != field.default
    }


def _key(request: CompletionRequest) -> str:
    return _digest(json.dumps(_told(request), sort_keys=True))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _ask(held: Mapping[str, Any]) -> CompletionRequest:
    lists = {key: tuple(held[key]) for key in ("choices", "stop") if key in held}
    return CompletionRequest(**{**held, **lists})


def _completion(held: Mapping[str, Any]) -> Completion:
    counts = {"tokens_in": 0, "tokens_out": 0, **held}
    if counts.get("scores") is not None:
        counts["scores"] = tuple(counts["scores"])
    return Completion(**counts)
