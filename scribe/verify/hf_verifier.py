"""The trained verifier at run time: a language model with a LoRA adapter and a value head, through transformers.

It needs torch. llama.cpp could pool hidden states as well, but of quantised weights and another adapter's file, on
which this head was not trained; so who asks for the verifier waits for torch, and nobody else does.
"""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import DynamicCache

from scribe.backends.hf import Quantization, encoder, load_network
from scribe.plumbing.errors import BackendError, ModelFileError
from scribe.tutor.session import TokenUse, TutoringSession
from scribe.verify.value_head import ADAPTER_SIGN, load_head
from scribe.verify.verifier_input import encode_verifier_input, write_verifier_input
from scribe.verify.verifying import ValuedTurns


class HfVerifier:
    """A verifier from a folder: `value_head.json`, `value_head.safetensors` and, unless only the head was trained, a
    LoRA adapter. base: the folder of the model under it. Raises ModelFileError.
    """

    def __init__(
        self,
        folder: Path,
        base: Path,
        quantization: Quantization | None = None,
        device: str | None = None,
    ) -> None:
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._head = load_head(folder).to(device)
        adapter = folder if (folder / ADAPTER_SIGN).is_file() else None
        self._network = load_network(base, adapter, quantization, device)
        self._encode = encoder(base)
        self._lock = threading.Lock()
        if (size := int(self._network.config.hidden_size)) != self._head.settings.size:
            raise ModelFileError(f"{folder}: a head for {self._head.settings.size} numbers; {base} has {size}")

    def value(self, session: TutoringSession, candidates: Sequence[str]) -> ValuedTurns:
        """A reward for each candidate; what they share is read once. Raises BackendError."""
        given = [encode_verifier_input(write_verifier_input(session, each), self._encode) for each in candidates]
        if not given:
            return ValuedTurns(())
        context = given[0][0]
        longest = len(context) + max(len(response) for _, response in given)
        if longest > int(self._network.config.max_position_embeddings):
            raise BackendError(f"{session.brief.task}: {longest} tokens to verify are more than the model takes")
        with self._lock, torch.inference_mode():
            cache = DynamicCache(config=self._network.config)
            before = self._run(context, cache)
            rewards = [self._value(before, response, cache) for _, response in given]
        read = len(context) + sum(len(response) for _, response in given)
        return ValuedTurns(tuple(rewards), TokenUse(read, 0))

    def _value(self, before: Tensor, response: list[int], cache: Any) -> float:
        after = self._run(response, cache)
        cache.crop(-len(response))
        hidden = after if self._head.settings.pooling == "response" else torch.cat([before, after])
        return float(self._head.value_mean(hidden.mean(0, keepdim=True))[0])

    def _run(self, ids: list[int], cache: Any) -> Tensor:
        """The last hidden states (S, D) of ids that follow what the cache holds, which then holds them too."""
        given = torch.tensor([ids], device=self._network.device)
        try:
            said = self._network(
                given, past_key_values=cache, use_cache=True, output_hidden_states=True, logits_to_keep=1
            )
        except RuntimeError as error:  # out of memory, above all
            raise BackendError(f"the verifier could not read {len(ids)} tokens: {error}") from error
        hidden: Tensor = said.hidden_states[-1][0].float()
        return hidden
