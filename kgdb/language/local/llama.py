"""Llama models as the default language model is one, computed with PyTorch alone.

The transformers library takes twice as long to import its model classes as PyTorch takes to be
there, and they are most of what a single question waits for. Here is what such a model computes, in
the form that the rest of this package takes from the library; tests hold it to the library's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch.nn.functional import embedding, linear, scaled_dot_product_attention, silu
from transformers.cache_utils import DynamicCache
from transformers.configuration_utils import PreTrainedConfig
from transformers.tokenization_utils_tokenizers import PreTrainedTokenizerFast

from kgdb.language.local.adapters import adapter_folder, lora_scale
from kgdb.language.local.weights import Weights, device, numbers

_LORA_A, _LORA_B = ".lora_A.weight", ".lora_B.weight"


def load_llama(folder: Path, dtype: str | None = None, adapter: str | None = None) -> Weights:
    """The Llama model and the tokenizer that a folder holds; see :func:`load_weights`.

    It is one of the plain kind: without biases, and with the default rotary embeddings. The LoRA
    adapter is merged into it.
    """
    model = Llama(folder, numbers(dtype), device())
    if adapter:
        model.merge(adapter_folder(adapter))
    return Weights(model, PreTrainedTokenizerFast.from_pretrained(folder))


@dataclass(frozen=True, slots=True)
class Output:
    """What a run gives: the logits, and the cache with the tokens that were read."""

    logits: torch.Tensor
    cache: Any


class Llama:
    """A causal language model of the plain Llama kind, for inference."""

    def __init__(self, folder: Path, dtype: torch.dtype, device: torch.device) -> None:
        config: Any = PreTrainedConfig.from_json_file(folder / "config.json")
        # Each implementation of attention takes other masks; these are the ones that sdpa takes.
        config._attn_implementation = "sdpa"
        self.config = config
        self.generation_config: Any = PreTrainedConfig.from_json_file(
            folder / "generation_config.json"
        )
        self.dtype, self.device = dtype, device
        self._weights = {
            name: weight.to(device=device, dtype=dtype)
            for name, weight in load_file(folder / "model.safetensors").items()
        }
        tied = "lm_head.weight" not in self._weights
        self._output = "model.embed_tokens" if tied else "lm_head"
        self._head = int(config.head_dim)
        theta = config.rope_parameters["rope_theta"]
        halves = torch.arange(0, self._head, 2, dtype=torch.float32) / self._head
        self._frequencies = (1.0 / theta**halves).to(device)

    def parameters(self) -> Iterable[torch.Tensor]:
        """All weights."""
        return self._weights.values()

    def merge(self, adapter: Path) -> None:
        """Add the LoRA adapter in a folder to the weights, as peft merges it."""
        scale = lora_scale(adapter)
        parts = load_file(adapter / "adapter_model.safetensors")
        for name in sorted(name for name in parts if name.endswith(_LORA_A)):
            module = name.removeprefix("base_model.model.").removesuffix(_LORA_A)
            weight = self._weights[f"{module}.weight"]
            low = parts.pop(name)
            high = parts.pop(f"{name.removesuffix(_LORA_A)}{_LORA_B}")
            delta = (high.float() @ low.float()) * scale
            weight += delta.to(device=self.device, dtype=self.dtype)
        if parts:
            raise ValueError(f"the adapter has weights that are no LoRA: {min(parts)}")

    def forward(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor | None = None,
        position_ids: torch.Tensor | None = None,
        cache: Any = None,
        use_cache: bool = True,
        logits_to_keep: int = 0,
    ) -> Output:
        """The logits of the last tokens (0: of all), after those in the cache.

        A mask of two dimensions has a 1 for each token that may be attended to; one of four is
        added to the weights of attention.
        """
        if cache is None and use_cache:
            cache = DynamicCache()
        states = self.states(input_ids, attention_mask, position_ids, cache)
        states = self._normalized(states[:, -logits_to_keep:], "model.norm")
        return Output(self._linear(states, self._output), cache)

    def states(
        self,
        input_ids: torch.Tensor,
        attention_mask: torch.Tensor | None = None,
        position_ids: torch.Tensor | None = None,
        cache: Any = None,
        layers: int | None = None,
    ) -> torch.Tensor:
        """The hidden states of all tokens after the first layers (``None``: after all)."""
        before = cache.get_seq_length() if cache is not None else 0
        length = input_ids.shape[1]
        if position_ids is None:
            position_ids = torch.arange(before, before + length, device=self.device)[None]
        mask = self._mask(attention_mask, before, length)
        rotation = self._rotation(position_ids)
        states = embedding(input_ids, self._weights["model.embed_tokens.weight"])
        for layer in range(self.config.num_hidden_layers if layers is None else layers):
            name = f"model.layers.{layer}"
            normal = self._normalized(states, f"{name}.input_layernorm")
            states = states + self._attended(normal, layer, mask, rotation, cache)
            normal = self._normalized(states, f"{name}.post_attention_layernorm")
            gate = silu(self._linear(normal, f"{name}.mlp.gate_proj"))
            wide = gate * self._linear(normal, f"{name}.mlp.up_proj")
            states = states + self._linear(wide, f"{name}.mlp.down_proj")
        return states

    __call__ = forward

    def _attended(
        self,
        states: torch.Tensor,
        layer: int,
        mask: torch.Tensor | None,
        rotation: tuple[torch.Tensor, torch.Tensor],
        cache: Any,
    ) -> torch.Tensor:
        name = f"model.layers.{layer}.self_attn"
        shape = (*states.shape[:2], -1, self._head)
        queries, keys, values = (
            self._linear(states, f"{name}.{part}_proj").view(shape).transpose(1, 2)
            for part in "qkv"
        )
        queries, keys = _rotated(queries, *rotation), _rotated(keys, *rotation)
        if cache is not None:
            keys, values = cache.update(keys, values, layer)
        attended = scaled_dot_product_attention(
            queries,
            keys,
            values,
            attn_mask=mask,
            is_causal=mask is None and queries.shape[2] > 1,
            enable_gqa=True,
        )
        return self._linear(attended.transpose(1, 2).flatten(2), f"{name}.o_proj")

    def _mask(self, given: torch.Tensor | None, before: int, length: int) -> torch.Tensor | None:
        """What each token may attend to; ``None``: all before it, and itself."""
        if given is not None and given.dim() == 4:
            return given
        if given is None and (before == 0 or length == 1):
            return None
        seen = torch.ones((length, before + length), dtype=torch.bool, device=self.device)
        seen = seen.tril(before)
        return seen if given is None else seen & given[:, None, None, :].bool()

    def _rotation(self, positions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The cosines and sines of rotary embeddings."""
        angles = positions[:, None, :, None].float() * self._frequencies
        angles = torch.cat((angles, angles), dim=-1)
        return angles.cos().to(self.dtype), angles.sin().to(self.dtype)

    def _normalized(self, states: torch.Tensor, name: str) -> torch.Tensor:
        wide = states.float()
        variance = wide.pow(2).mean(-1, keepdim=True)
        wide = wide * torch.rsqrt(variance + self.config.rms_norm_eps)
        normal: torch.Tensor = self._weights[f"{name}.weight"] * wide.to(self.dtype)
        return normal

    def _linear(self, states: torch.Tensor, name: str) -> torch.Tensor:
        return linear(states, self._weights[f"{name}.weight"])


def _rotated(states: torch.Tensor, cosines: torch.Tensor, sines: torch.Tensor) -> torch.Tensor:
    first, second = states.chunk(2, dim=-1)
    return states * cosines + torch.cat((-second, first), dim=-1) * sines
