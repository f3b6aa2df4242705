"""Keeping what a model writes to a JSON schema or a grammar, by the library llguidance.

Before each token the library tells which ones may follow; the model chooses among those. JSON is
written on one line, with one space after each comma and colon, so that no model can lose itself in
white space.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from llguidance import LLMatcher, LLTokenizer
from llguidance.hf import from_tokenizer
from numpy.typing import NDArray

from kgdb.errors import ModelError
from kgdb.language.language_model import CompletionRequest
from kgdb.lazy import lazy_property

_ONE_LINE: Any = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}

Mask = NDArray[np.bool_]


class Constraints:
    """Constraints in the tokens of one model.

    ``size`` is the number of logits of the model, ``ends`` are the tokens that end its replies.
    """

    def __init__(self, tokenizer: Any, size: int, ends: Collection[int]) -> None:
        self._tokenizer = tokenizer
        self._size = size
        self._ends = sorted(ends)

    def of(self, request: CompletionRequest) -> Constraint:
        """The constraint of an ask that has a schema or a grammar.

        Raises :class:`ModelError` where that cannot be read.
        """
        endings = None
        if request.schema is not None:
            kind, endings = "JSON schema", self._endings
            grammar = LLMatcher.grammar_from_json_schema(
                json.dumps(request.schema), overrides=_ONE_LINE
            )
        else:
            kind = "grammar"
            grammar = LLMatcher.grammar_from_lark(request.grammar or "")
        matcher = LLMatcher(self._vocabulary, grammar, log_level=0)
        if matcher.is_error():
            raise ModelError(
                f"The {kind} of an ask cannot be kept: {matcher.get_error().strip()}",
                hint="llguidance tells what schemas and grammars may hold: "
                "https://github.com/guidance-ai/llguidance/tree/main/docs",
            )
        return Constraint(matcher, self._vocabulary, self._size, endings)

    @lazy_property
    def _vocabulary(self) -> LLTokenizer:
        try:
            return from_tokenizer(self._tokenizer, n_vocab=self._size, eos_token=self._ends)
        except ValueError as error:
            raise ModelError(
                f"This model's replies cannot be held to a schema or grammar: {error}",
                hint="Use a model with a fast tokenizer (a file tokenizer.json).",
            ) from error

    @lazy_property
    def _endings(self) -> _Endings:
        of_string, of_value, of_number = np.zeros((3, self._size), dtype=np.bool_)
        marks = set(b'"]}')
        for token in range(min(self._size, self._vocabulary.vocab_size)):
            if token in self._ends or self._vocabulary.is_special_token(token):
                continue
            written = self._vocabulary.decode_bytes([token])
            closes = marks.issuperset(written)
            of_string[token] = closes and written.startswith(b'"')
            of_value[token] = closes and written.startswith((b"]", b"}"))
            of_number[token] = written in (b",", b", ", b', "')
        return _Endings(of_string, of_value, of_number)


@dataclass(frozen=True, slots=True)
class _Endings:
    """Tokens that bring JSON to its end.

    Those that close a string, and may be more; those that close an array or object; those that
    end a number before a further property.
    """

    of_string: Mask
    of_value: Mask
    of_number: Mask


class Constraint:
    """One reply that keeps a schema or a grammar, token by token."""

    def __init__(
        self,
        matcher: LLMatcher,
        vocabulary: LLTokenizer,
        size: int,
        endings: _Endings | None = None,
    ) -> None:
        self._matcher = matcher
        self._vocabulary = vocabulary
        self._size = size
        self._endings = endings
        self._is_in_string = self._is_escaped = False

    def start(self) -> list[int]:
        """Begin anew. The tokens that every reply begins with are given, and taken as written."""
        self._matcher.reset()
        self._is_in_string = self._is_escaped = False
        tokens = self._matcher.compute_ff_tokens()
        for token in tokens:
            self.take(token)
        return tokens

    def allowed(self) -> Mask:
        """Which tokens may follow."""
        packed = np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8)
        return np.unpackbits(packed, bitorder="little")[: self._size].astype(np.bool_)

    def closing(self) -> Mask:
        """Which tokens may follow in a reply that has to come to its end.

        In JSON those that close what is open, wherever one may follow: then strings end, optional
        items and properties are left out, and what is begun of a listed value is completed.
        """
        allowed = self.allowed()
        if self._endings is None:
            return allowed
        if self._is_in_string:
            preferred = [self._endings.of_string]
        else:
            preferred = [self._endings.of_value, self._endings.of_number]
        for ending in preferred:
            if (allowed & ending).any():
                return allowed & ending
        return allowed

    def take(self, token: int) -> None:
        """Take a token as written. Raises :class:`ModelError` for one that must not follow."""
        if not self._matcher.consume_token(token):
            raise ModelError(f"The reply left its constraint: {self._matcher.get_error()}")
        if self._endings:
            for byte in self._vocabulary.decode_bytes([token]):
                self._read(byte)

    def _read(self, byte: int) -> None:
        """Keep track of whether what is written ends inside a string of JSON."""
        if self._is_escaped:
            self._is_escaped = False
        elif byte == ord('"'):
            self._is_in_string = not self._is_in_string
        elif byte == ord("\\"):
            self._is_escaped = True

    @property
    def complete(self) -> bool:
        """Whether what is written keeps the constraint as it is."""
        return self._matcher.is_accepting()

    @property
    def over(self) -> bool:
        """Whether nothing can follow."""
        return self._matcher.is_stopped()
