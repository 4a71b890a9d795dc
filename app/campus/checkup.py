"""One finding of `scribe doctor`."""

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "note", "missing"]


@dataclass(frozen=True, slots=True)
class Checkup:
    """One thing looked at. Something missing means that no question can be asked; a note does not."""

    state: State
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        mark = {"ok": "ok     ", "note": "note   ", "missing": "MISSING"}[self.state]
        return f"{mark}  {self.what}" + (f"\n         -> {self.remedy}" if self.remedy else "")
