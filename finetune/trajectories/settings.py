"""The section [trajectories] of a pipeline: who answers the questions, and how."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from eval.judge.endpoint import is_near
from finetune.trajectories.slips import KINDS
from scribe.errors import UsageError

_ONLY_SPEED = ("remote", "parallel", "timeout", "pause", "max_errors", "input_price", "output_price", "budget")
_OF_API = ("base_url", "model", "temperature", "top_p", "seed", "max_tokens", "tries", "steps", "faults")
_OF_EXPERT = ("slips", "kinds", "varied")


@dataclass(frozen=True, slots=True)
class TrajectorySettings:
    """teacher: the scripted expert, or a model behind an OpenAI-compatible address.

    courses: the folder of bundles; empty for those that come with Scribe. hints: in the prompt from heads that have not
    seen the question's wording ("folded": on generated questions the one in use is too often right, and a pupil would
    trust it too much), from the one in use ("served"), or none.

    Of the expert: slips, the chance of a deliberate mistake at each move; kinds of mistake; varied, whether it takes
    any valid order of calls or always the shortest.

    Of a model: remote allows an address outside this machine and its private network. parallel questions at once.
    timeout in seconds without a byte; pause in seconds before the first of three retries. tries: how often a question
    may be asked until it ends answered. max_errors: how many questions may fail by the server before the run stops.
    Prices in dollars for a million tokens; budget in dollars, 0 for none. steps and faults are the agent's limits.
    """

    teacher: Literal["scripted", "api"] = "scripted"
    courses: str = ""
    hints: Literal["served", "folded", "none"] = "folded"
    slips: float = 0.05
    kinds: tuple[str, ...] = tuple(KINDS)
    varied: bool = True
    base_url: str = "http://127.0.0.1:8080/v1"
    model: str = ""
    remote: bool = False
    parallel: int = 8
    timeout: float = 180.0
    pause: float = 1.0
    temperature: float = 0.3
    top_p: float = 1.0
    seed: int = 0
    max_tokens: int = 700
    tries: int = 1
    steps: int = 8
    faults: int = 3
    max_errors: int = 20
    input_price: float = 0.0
    output_price: float = 0.0
    budget: float = 0.0

    def __post_init__(self) -> None:
        if unknown := [kind for kind in self.kinds if kind not in KINDS]:
            raise UsageError(f"[trajectories] kinds has no {unknown[0]!r}; it may have: {', '.join(KINDS)}")
        if not 0.0 <= self.slips <= 1.0:
            raise UsageError(f"[trajectories] slips is a chance from 0 to 1 and is {self.slips}")
        if self.parallel < 1 or self.tries < 1:
            raise UsageError("[trajectories] parallel and tries must be at least 1")
        if self.teacher == "api":
            self._check_address()

    def _check_address(self) -> None:
        if not self.model:
            raise UsageError("[trajectories] model is missing: which model behind base_url is the teacher?")
        if not self.remote and not is_near(self.base_url):
            raise UsageError(
                f"{self.base_url} is outside this machine and its network, and questions go there with students' "
                "reports; set [trajectories] remote = true if that is allowed"
            )
        if self.budget and not (self.input_price or self.output_price):
            raise UsageError("[trajectories] budget needs input_price and output_price, dollars per million tokens")

    @property
    def decisive(self) -> Mapping[str, Any]:
        """The settings that the answers depend on; the others may change between runs."""
        others = _OF_API if self.teacher == "scripted" else _OF_EXPERT
        return {name: value for name, value in asdict(self).items() if name not in (*_ONLY_SPEED, *others)}

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Dollars for so many tokens; those from a cache are counted at the full price."""
        return (prompt_tokens * self.input_price + completion_tokens * self.output_price) / 1e6
