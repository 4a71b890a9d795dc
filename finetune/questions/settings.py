"""What the section [questions] of a pipeline's file may say."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from finetune.questions import categories
from finetune.questions.offline import LENGTHS, Mixture
from scribe.errors import UsageError

_SHARES = ("follow_ups", "double", "strange", "feelings", "bare", "slips", "in_report", "english", "closest")
_LEAST = {"each": 1, "outside": 0, "students": 0, "parallel": 1, "tries": 1, "repeats": 1, "shown": 0}
CLOSEST = 0.97


@dataclass(frozen=True, slots=True)
class Settings:
    """Who is asked about what, by whom, and what is thrown away. Raises UsageError for what cannot be.

    students: of each course, drawn by `seed`, 0 for all; of those held out if `held_out`, else of the others.
    theories: kinds of report. each: questions of a category about a report; outside: of those out of scope; each_of:
    of a category that is to have another number.
    The shares from `follow_ups` to `lengths` are the offline source's, see `offline.Mixture`; of an API only
    `follow_ups` and `lengths` are asked.

    base_url, model: an OpenAI-compatible address; allow_remote: it may lie outside this network. samples: a file of
    real questions for style and length, by default the one in eval/; shown: how many of them a prompt carries.
    temperature, max_tokens, leave_out, timeout (seconds), parallel, tries: how it is asked.

    shortest, longest: words; 0 for those of the samples; small talk may be shorter. alike: similarity in percent from
    which two questions of a student are the same (rapidfuzz); meaning: cosine from which they are, 0 for not compared,
    by default 0.97 for an API's questions (offline ones hardly ever differ in words alone); repeats: how often the
    same words may stand in the file.
    """

    source: Literal["offline", "api"] = "offline"
    students: int = 16
    theories: tuple[str, ...] = ("nr", "con")
    categories: tuple[str, ...] = ("well", "where", "how", "next", "course")
    each: int = 20
    outside: int = 4
    each_of: Mapping[str, int] = field(default_factory=dict)
    seed: int = 1
    held_out: bool = False
    follow_ups: float = 0.12
    double: float = 0.08
    strange: float = 0.3
    feelings: float = 0.15
    bare: float = 0.2
    slips: float = 0.15
    in_report: float = 0.6
    english: float = 0.1
    lengths: Mapping[str, float] = field(default_factory=lambda: {"short": 0.25, "medium": 0.45, "long": 0.3})
    base_url: str = ""
    model: str = ""
    allow_remote: bool = False
    samples: str = ""
    shown: int = 6
    temperature: float = 1.0
    max_tokens: int = 1500
    leave_out: tuple[str, ...] = ()
    timeout: float = 180.0
    parallel: int = 4
    tries: int = 6
    shortest: int = 3
    longest: int = 0
    alike: float = 90.0
    meaning: float | None = None
    repeats: int = 20

    def __post_init__(self) -> None:
        categories.named((*self.categories, *self.each_of))
        if strange := [name for name in self.lengths if name not in LENGTHS]:
            raise UsageError(f"[questions] lengths has no {strange[0]!r}; there are: {', '.join(LENGTHS)}")
        if not self.lengths or min(self.lengths.values()) < 0 or not sum(self.lengths.values()):
            raise UsageError("[questions] lengths must give some class a weight above 0, and none one below")
        for name in _SHARES:
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"[questions] {name} is a share from 0 to 1, not {getattr(self, name)}")
        if few := [name for name, count in self.each_of.items() if count < 0]:
            raise UsageError(f"[questions] each_of must be at least 0, not {self.each_of[few[0]]} for {few[0]}")
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise UsageError(f"[questions] {name} must be at least {least}, not {getattr(self, name)}")
        if self.source == "api" and not (self.base_url and self.model):
            raise UsageError('[questions] source = "api" needs base_url and model; or take source = "offline"')

    @property
    def closest(self) -> float:
        """The cosine from which two questions mean the same; 0 where meanings are not compared."""
        if self.meaning is not None:
            return self.meaning
        return CLOSEST if self.source == "api" else 0.0

    @property
    def mixture(self) -> Mixture:
        """What the offline source draws by."""
        return Mixture(
            self.follow_ups, self.double, self.strange, self.feelings, self.bare, self.slips, self.in_report,
            self.english, dict(self.lengths),
        )  # fmt: skip
