"""Language models of other kinds than the default one, tiny and of random weights: how they look at
what they have read differs, and what they say must not depend on what was asked together."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM

from kgdb.language.local.batch_memory import Memory
from kgdb.language.local.choice_scoring import log_probabilities
from kgdb.language.local.prefill import read
from kgdb.language.local.prompt_tokens import Choices

pytestmark = [pytest.mark.unit, pytest.mark.slow]

_WORDS = 97
_COMMON: dict[str, Any] = {
    "vocab_size": _WORDS,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
_GROUPED: dict[str, Any] = _COMMON | {
    "intermediate_size": 48,
    "num_key_value_heads": 2,
    "max_position_embeddings": 128,
}
_KINDS: dict[str, dict[str, Any]] = {
    "llama": _GROUPED,
    "qwen2": _GROUPED,
    "qwen3": _GROUPED | {"head_dim": 8},
    "gpt2": _COMMON | {"n_positions": 128},
    "opt": _COMMON | {"ffn_dim": 48, "word_embed_proj_dim": 32, "max_position_embeddings": 128},
    "mistral": _GROUPED | {"sliding_window": 8},
    "gemma3_text": _GROUPED | {"head_dim": 8, "sliding_window": 8, "num_hidden_layers": 6},
    "bloom": _COMMON,
    "falcon": _COMMON | {"alibi": True, "new_decoder_architecture": False},
}


@pytest.fixture(scope="module", params=list(_KINDS))
def network(request: pytest.FixtureRequest) -> Any:
    torch.manual_seed(0)
    config = AutoConfig.for_model(request.param, **_KINDS[request.param])
    network = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
    for weights in network.parameters():
        # As they are drawn, all words are nearly as likely as one another.
        torch.nn.init.normal_(weights, std=0.3) if weights.dim() > 1 else None
    return network


@torch.inference_mode()
def logits_of(network: Any, tokens: list[int]) -> torch.Tensor:
    """Those that follow each of the tokens, read without anything kept."""
    logits: torch.Tensor = network(torch.tensor([tokens]), use_cache=False).logits[0].float()
    return logits


def test_choices_are_scored_as_if_each_were_read_alone(network: Any) -> None:
    shared = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
    rests = [[20], [20, 21, 22], [20, 21, 23, 24], [30, 21, 22], [20, 21, 22], [31, 32, 33, 34, 35]]
    found = log_probabilities(network, Memory(network), Choices(shared, rests))
    for rest, score in zip(rests, found, strict=True):
        logs = logits_of(network, shared + rest).log_softmax(-1)[len(shared) - 1 : -1]
        expected = logs.gather(-1, torch.tensor(rest)[:, None]).sum().item()
        assert score == pytest.approx(expected, abs=1e-3)


@torch.inference_mode()
def test_what_replies_see_is_the_same_together_and_alone(network: Any) -> None:
    begin = list(range(3, 20))
    prompts = [[*begin, 40, 41, 42], [*begin, 50], [*begin, 60, 61]]
    replies = [[70, 71, 72, 73], [74, 75, 76, 77], [78, 79, 80, 81]]
    going = [0, 1, 2]
    together = read(network, prompts, room=4)
    cache, mask, logits = together.cache, together.mask, together.logits
    for step in range(4):
        for row, each in zip(going, logits, strict=True):
            alone = logits_of(network, prompts[row] + replies[row][:step])[-1]
            assert torch.allclose(each, alone, atol=1e-3)
        if step == 2:
            going = [0, 2]
            cache.batch_select_indices(torch.tensor(going))
            mask = mask[going]
        positions = mask.sum(-1, keepdim=True)
        mask = torch.cat([mask, mask.new_ones((len(going), 1))], dim=-1)
        given = {} if network.config.model_type == "bloom" else {"position_ids": positions}
        logits = network(
            torch.tensor([[replies[row][step]] for row in going]),
            attention_mask=mask,
            cache=cache,
            **given,
        ).logits[:, -1]
