"""The network: two LSTMs, one after the other, each reading the weeks forwards and backwards."""

import torch
from torch import Tensor, nn


class BiLSTM(nn.Module):
    """Deviations and missing marks (students, weeks, features) to a logit of passing (students,).

    After the published predictor (BiLSTM 64, BiLSTM 32, one output), with `width` and half of it.
    """

    def __init__(self, features: int, width: int, dropout: float) -> None:
        super().__init__()
        self.first = nn.LSTM(2 * features, width, batch_first=True, bidirectional=True)
        self.second = nn.LSTM(2 * width, width // 2, batch_first=True, bidirectional=True)
        self.score = nn.Linear(width // 2 * 2, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(self, scaled: Tensor, missing: Tensor) -> Tensor:
        """The logits."""
        weeks, _ = self.first(self.dropout(torch.cat([_tamed(scaled), missing], dim=-1)))
        _, (ends, _) = self.second(self.dropout(weeks))
        logits: Tensor = self.score(self.dropout(torch.cat([ends[0], ends[1]], dim=-1)))
        return logits.squeeze(-1)


def _tamed(scaled: Tensor) -> Tensor:
    # Times and counts have long tails. Nearly the identity up to two deviations, then ever flatter, never flat.
    return 2.0 * torch.asinh(scaled / 2.0)
