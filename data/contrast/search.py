"""What is searched for: the cheapest change within bounds that brings the logit to a margin."""

from dataclasses import dataclass, fields, replace

import torch
from torch import Tensor

from data.predictor.model import Predictor


@dataclass(frozen=True, slots=True)
class Search:
    """One search per student. Changes are deviations (students, weeks, features), added to `start`.

    Sought is the change within `low`..`high` (low <= 0 <= high) with the least elastic net
    `up` * increase + `down` * decrease + `spread` / 2 * change^2, summed over cells, for which
    `toward` * logit >= `need`. `toward` is +1 for pass and -1 for fail; `toward`, `need` and `spread` (students,).
    """

    start: Tensor
    missing: Tensor
    toward: Tensor
    need: Tensor
    low: Tensor
    high: Tensor
    up: Tensor
    down: Tensor
    spread: Tensor

    def select(self, rows: Tensor) -> "Search":
        """The searches of some students (indices or marks)."""
        return Search(*(getattr(self, each.name)[rows] for each in fields(self)))

    def restrict(self, usable: Tensor) -> "Search":
        """The same with no change but in usable cells (marks: students, weeks, features)."""
        return replace(self, low=self.low * usable, high=self.high * usable)

    def margin(self, predictor: Predictor, change: Tensor) -> Tensor:
        """How far the logit is on the sought side after a change (students,)."""
        return self.toward * predictor.logit(self.start + change, self.missing)

    def differentiate(self, predictor: Predictor, change: Tensor) -> tuple[Tensor, Tensor]:
        """The margin at a change (students,), and its slope per deviation (students, weeks, features)."""
        at = change.detach().requires_grad_()
        margin = self.margin(predictor, at)
        (slope,) = torch.autograd.grad(margin.sum(), at)
        return margin.detach(), slope

    def reaches(self, predictor: Predictor, change: Tensor) -> Tensor:
        """Marks of the students whose change does what is sought (students,)."""
        with torch.no_grad():
            return self.margin(predictor, change) >= self.need
