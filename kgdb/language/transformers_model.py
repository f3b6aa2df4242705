"""Language models in this process, by the transformers library."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from kgdb.errors import ModelError
from kgdb.language.base import Ask, Completion


class TransformersModel:
    """A causal language model that scores choices by their exact log-probabilities.

    A prompt is run once and its attention cache shared by all of its choices, so that a menu costs
    little more than its own words.
    """

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self._tokenizer = AutoTokenizer.from_pretrained(path)
        # float32 on a CPU: without matrix units for bfloat16 that is several times slower there.
        dtype = torch.float32 if not torch.cuda.is_available() else torch.bfloat16
        self._model = AutoModelForCausalLM.from_pretrained(path, dtype=dtype)
        self._model.to("cuda" if torch.cuda.is_available() else "cpu").eval()

    @property
    def context(self) -> int:
        """What the model was trained for."""
        return int(self._model.config.max_position_embeddings)

    def count(self, texts: Sequence[str]) -> list[int]:
        """As the model's own tokenizer counts."""
        return [len(self._tokenizer(text, add_special_tokens=False).input_ids) for text in texts]

    def complete(self, asks: Sequence[Ask]) -> list[Completion | ModelError]:
        """Of choices the one of the highest log-probability, the first of equal ones."""
        return [
            self._choose(self._text(ask), ask.choices) if ask.choices else self._write(ask)
            for ask in asks
        ]

    def _text(self, ask: Ask) -> str:
        if ask.continues or not self._tokenizer.chat_template:
            return ask.prompt
        message = [{"role": "user", "content": ask.prompt}]
        text = self._tokenizer.apply_chat_template(
            message, tokenize=False, add_generation_prompt=True
        )
        return str(text)

    @torch.inference_mode()
    def _write(self, ask: Ask) -> Completion:
        given = self._tokenizer(self._text(ask), return_tensors="pt").to(self._model.device)
        length = given.input_ids.shape[1]
        written = self._model.generate(
            **given,
            max_new_tokens=ask.max_tokens,
            do_sample=False,
            stop_strings=list(ask.stop) or None,
            tokenizer=self._tokenizer,
        )[0, length:]
        text = self._tokenizer.decode(written, skip_special_tokens=True)
        for stop in ask.stop:
            text = text.partition(stop)[0]
        cut = len(written) == ask.max_tokens
        return Completion(text.strip(), length, len(written), finish="length" if cut else "stop")

    @torch.inference_mode()
    def _choose(self, prompt: str, options: Sequence[str]) -> Completion:
        prefix = self._tokenizer(prompt).input_ids
        # The space belongs to the first word of a choice, as it would in running text.
        continuations = [
            self._tokenizer(f" {option}", add_special_tokens=False).input_ids for option in options
        ]
        device = self._model.device
        shared = self._model(
            torch.tensor([prefix], device=device), use_cache=True, logits_to_keep=1
        )
        cache = shared.past_key_values
        cache.batch_repeat_interleave(len(options))
        longest = max(map(len, continuations))
        tokens = torch.zeros((len(options), longest), dtype=torch.long, device=device)
        mask = torch.zeros((len(options), len(prefix) + longest), dtype=torch.long, device=device)
        for row, continuation in enumerate(continuations):
            tokens[row, : len(continuation)] = torch.tensor(continuation, device=device)
            mask[row, : len(prefix) + len(continuation)] = 1
        logits = self._model(tokens, attention_mask=mask, past_key_values=cache).logits
        first = shared.logits[:, -1:].expand(len(options), -1, -1)
        # The logits before a token predict it: shift them by one.
        predicting = torch.cat([first, logits[:, :-1]], dim=1).float().log_softmax(-1)
        each = predicting.gather(-1, tokens.unsqueeze(-1)).squeeze(-1)
        scores = (each * mask[:, len(prefix) :]).sum(-1).tolist()
        best = max(range(len(options)), key=lambda i: (scores[i], -i))
        return Completion(
            text=options[best],
            tokens_in=len(prefix) + sum(map(len, continuations)),
            tokens_out=0,
            scores=tuple(scores),
        )
