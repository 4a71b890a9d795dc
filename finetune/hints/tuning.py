"""A head with changes to MiniLM, both learned at once: LoRA (by peft) on its words and all matrices of its encoder."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from numpy.typing import NDArray
from peft import LoraConfig, get_peft_model
from torch import Tensor, nn

from finetune.hints.network import BLURRED, LETTERS_RATE, Features, LearningHead, outputs, told_before, wanted
from finetune.hints.sample import Sample
from tools.embedder import trainable_minilm
from tools.minilm import WORDS, Changes
from tools.reading.reader import LONGEST, SCALE, Head, fingerprint, readings_of

RANK, ALPHA = 32, 64.0
MATRICES = r"encoder\..*\.(query|key|value|dense)|" + WORDS.replace(".", r"\.")
PASSES, BATCH, RATE, HEAD_RATE, WARMUP = 1.5, 64, 1e-3, 2e-3, 0.06
AHEAD = 24
"""Batches that are sorted by length together, so that little is padding."""

Told = Callable[[int, int, float], None]
"""Is told how many steps are done, of how many, and the loss."""


class Encoder(nn.Module):
    """MiniLM with adapters: questions to vectors of length 1, as sentence-transformers makes them."""

    def __init__(self) -> None:
        super().__init__()
        whole = trainable_minilm()
        self._tokenizer = whole.tokenizer
        config = LoraConfig(r=RANK, lora_alpha=ALPHA, lora_dropout=0.05, target_modules=MATRICES)
        self.inner = get_peft_model(whole[0].auto_model, config)

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text."""
        ids: list[list[int]] = self._tokenizer(list(texts), truncation=True, max_length=LONGEST)["input_ids"]
        return ids

    def forward(self, ids: Sequence[Sequence[int]]) -> Tensor:
        """(texts, D)."""
        longest = max(len(each) for each in ids)
        tokens, there = torch.zeros(len(ids), longest, dtype=torch.long), torch.zeros(len(ids), longest)
        for row, each in enumerate(ids):
            tokens[row, : len(each)], there[row, : len(each)] = torch.tensor(each), 1.0
        hidden = self.inner(input_ids=tokens, attention_mask=there).last_hidden_state.float()
        mean = (hidden * there[..., None]).sum(1) / there.sum(1, keepdim=True)
        return F.normalize(mean, dim=1)

    def changes(self) -> Changes:
        """What the adapters add to each matrix, in two factors."""
        found = {}
        for name, module in self.inner.base_model.model.named_modules():
            if name == WORDS:
                up, down = module.lora_embedding_A["default"].T, module.lora_embedding_B["default"].T
            elif hasattr(module, "lora_A"):
                up, down = module.lora_B["default"].weight, module.lora_A["default"].weight
            else:
                continue
            found[name] = ((up * ALPHA / RANK).detach().numpy(), down.detach().numpy())
        return found


def tune(given: Sample, told: Told = lambda done, total, loss: None, seed: int = 0, passes: float = PASSES) -> Head:
    """A head for the sample, and the changes to MiniLM that go with it; the sample's own embeddings do not matter."""
    torch.manual_seed(seed)
    names = outputs(given)
    encoder, features = Encoder(), Features(given.texts)
    reader = LearningHead(encoder.inner.config.hidden_size, len(readings_of(names)), len(names))
    shares, before = torch.from_numpy(wanted(given, names)), told_before(given, names)
    ids = encoder.ids(given.texts)
    steps = max(1, int(passes * len(ids) / BATCH))
    optimizers = _optimizers(encoder, reader)
    rates = [torch.optim.lr_scheduler.LambdaLR(one, lambda step: _rate(step / steps)) for one in optimizers]
    for step, rows in enumerate(_batches([len(each) for each in ids], steps, seed), start=1):
        with torch.autocast("cpu", torch.bfloat16):
            vectors = encoder([ids[row] for row in rows])
        scores = reader(vectors * SCALE, before[rows], features.of(rows))
        loss = F.cross_entropy(scores, shares[rows], label_smoothing=BLURRED)
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        for optimizer, rate in zip(optimizers, rates, strict=True):
            optimizer.step()
            optimizer.zero_grad()
            rate.step()
        told(step, steps, float(loss.detach()))
    changes = encoder.changes()
    return reader.head(names, fingerprint(changes), changes)


def _optimizers(encoder: Encoder, reader: LearningHead) -> list[torch.optim.Optimizer]:
    adapters = [weight for weight in encoder.parameters() if weight.requires_grad]
    own = [*reader.inner.parameters(), *reader.outer.parameters()]
    groups = [{"params": adapters, "lr": RATE}, {"params": own, "lr": HEAD_RATE}]
    return [
        torch.optim.AdamW(groups, weight_decay=0.01),
        torch.optim.SparseAdam(reader.letters.parameters(), lr=LETTERS_RATE),
    ]


def _rate(fraction: float) -> float:
    """Of the full rate: up in a straight line, and down in another."""
    return max(0.01, min(fraction / WARMUP, (1 - fraction) / (1 - WARMUP)))


def _batches(lengths: Sequence[int], steps: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Rows of a batch, all of about one length; every row once in a pass."""
    random, ready = np.random.default_rng(seed), list[NDArray[np.int64]]()
    sizes = np.array(lengths)
    for _ in range(steps):
        if not ready:
            drawn = random.permutation(len(sizes))
            for start in range(0, len(drawn), BATCH * AHEAD):
                piece = drawn[start : start + BATCH * AHEAD]
                piece = piece[np.argsort(sizes[piece], kind="stable")]
                ready += [piece[at : at + BATCH] for at in range(0, len(piece), BATCH)]
            ready = [ready[place] for place in random.permutation(len(ready))]
        yield ready.pop()
