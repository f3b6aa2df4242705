"""Prompts as the tokens that a model reads, for models that run in this process."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kgdb.errors import ModelError
from kgdb.language.language_model import Completion, CompletionRequest
from kgdb.wording import counted, short


@dataclass(frozen=True, slots=True)
class Choices:
    """What all texts begin with, and how each goes on (in the order of the choices)."""

    shared: list[int]
    rests: list[list[int]]

    def chosen(self, request: CompletionRequest, scores: Sequence[float]) -> Completion:
        """The choice of the highest score, the first of equal ones."""
        best = max(range(len(scores)), key=lambda i: (scores[i], -i))
        read = len(self.shared) + sum(map(len, self.rests))
        return Completion(request.choices[best], read, 0, tuple(scores))


class Tokens:
    """The tokenizer of a model (of the transformers library), and its chat template.

    Texts of a graph are data. A name such as ``<|im_end|>`` would end the message that it stands
    in, so whatever a prompt holds of the tokenizer's special tokens is broken by a space.
    """

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        added = tokenizer.added_tokens_decoder.values()
        special = {str(token) for token in added if token.special}
        special.update(tokenizer.all_special_tokens)
        longest_first = sorted(filter(None, special), key=lambda text: (-len(text), text))
        self._special = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has."""
        if not texts:
            return []
        plain = [self._plain(text) for text in texts]
        return list(map(len, self.tokenizer(plain, add_special_tokens=False).input_ids))

    def prompt(self, request: CompletionRequest) -> list[int]:
        """The tokens of a prompt, up to where the reply begins."""
        text, is_chat = self._text([("user", request.prompt)], continues=request.continues)
        # A chat template brings the tokens that a text has to begin with.
        return self._started(self.tokenizer(text, add_special_tokens=not is_chat).input_ids)

    def choices(self, request: CompletionRequest) -> Choices:
        """The tokens of the prompt with each of its choices."""
        messages = [("user", request.prompt)]
        return self.replies(messages, request.choices, continues=request.continues)

    def replies(
        self, messages: Sequence[tuple[str, str]], replies: Sequence[str], *, continues: bool
    ) -> Choices:
        """The tokens of messages (a role and a text) with each of some replies.

        Where a reply would merge with the end of the prompt into one token, that end is left to
        the replies.
        """
        text, is_chat = self._text(messages, continues=continues)
        # In running text a word comes with the space before it.
        space = "" if is_chat or not text or text[-1].isspace() else " "
        texts = [text, *(f"{text}{space}{self._plain(reply)}" for reply in replies)]
        whole, *each = self.tokenizer(texts, add_special_tokens=not is_chat).input_ids
        shared = min(_common(whole, tokens) for tokens in each)
        return Choices(self._started(whole[:shared]), [tokens[shared:] for tokens in each])

    def text(self, tokens: Sequence[int]) -> str:
        """The text of tokens that a model wrote; a character that was cut in two is left out."""
        text = self.tokenizer.decode(
            tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return str(text).rstrip("\ufffd")

    def _text(self, messages: Sequence[tuple[str, str]], *, continues: bool) -> tuple[str, bool]:
        """The text that the model goes on with, and whether it is a chat's."""
        plain = [(role, self._plain(content)) for role, content in messages]
        if continues or not self.tokenizer.chat_template:
            return "\n\n".join(content for _, content in plain), False
        text = self.tokenizer.apply_chat_template(
            [{"role": role, "content": content} for role, content in plain],
            tokenize=False,
            add_generation_prompt=True,
            # Models that think aloud first would spend the whole reply on it.
            enable_thinking=False,
        )
        return str(text), True

    def _plain(self, text: str) -> str:
        return self._special.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)

    def _started(self, tokens: list[int]) -> list[int]:
        """No model can go on with nothing."""
        if tokens:
            return tokens
        known = (self.tokenizer.bos_token_id, self.tokenizer.eos_token_id, 0)
        return [next(token for token in known if token is not None)]


def too_long(name: str, prompt: int, reply: int, context: int) -> ModelError:
    """The error of an ask that the model of that name has no room for."""
    return ModelError(
        f"The prompt has {counted(prompt, 'token')} and its reply may have {reply:,}; "
        f"{short(name)} holds {context:,} together.",
        hint="Ask with less text or fewer tokens to reply, or use a model with a larger context.",
    )


def _common(a: Sequence[int], b: Sequence[int]) -> int:
    """How many tokens both begin with."""
    same = 0
    for one, other in zip(a, b, strict=False):
        if one != other:
            break
        same += 1
    return same
