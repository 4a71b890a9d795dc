"""A study as its TOML file says it; `demo.toml` is one, and shows every key."""

import dataclasses
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from annotated_types import Ge, Gt, Le, Len
from pydantic import BaseModel, ConfigDict, StringConstraints, TypeAdapter, ValidationError, model_validator

from app.campus.texts import Consent, ConsentText
from app.study.plan import SIZE
from scribe.plumbing.errors import UsageError
from scribe.plumbing.toml_text import parse_toml
from tools.assembly.settings import AssistantSettings

DEMO = Path(__file__).with_name("demo.toml")
DEMO_DATABASE = "study-demo.db"
"""Where the demo keeps what it is told, in the folder in which it runs."""
BASE = "{base}"
"""What a model's path may say: the base model that comes with Scribe, without our adapter."""

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][\w.+ -]{0,60}$")]
Settings = TypeVar("Settings")


class StudyTable(BaseModel):
    """What all tables share: no key that we don't know."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class StudyModel(StudyTable):
    """A model that is studied. model, answer: keys of these tables of the settings file, which apply where none stands.

    No participant sees the id; it names the model in exports and figures.
    """

    id: Name
    model: dict[str, Any] = {}
    answer: dict[str, Any] = {}

    def apply(self, settings: AssistantSettings) -> AssistantSettings:
        """The settings of the assistant with this model. Raises UsageError naming the key."""
        changed = dataclasses.replace(
            settings,
            model=_merge(settings.model, self.model, f"model {self.id}"),
            answer=_merge(settings.answer, self.answer, f"model {self.id}"),
        )
        if changed.model.path == BASE:
            from data.pretrained.package import find_base_gguf

            return changed.with_changes("model", path=str(find_base_gguf()))
        return changed


class StudyReport(StudyTable):
    """A report that is talked about. theory: the kind of report."""

    course: str
    student: str
    theory: str = "nr"


class StudyQuestions(StudyTable):
    """How many questions a participant asks about each report."""

    least: Annotated[int, Ge(1), Le(20)] = 3
    most: Annotated[int, Ge(1), Le(20)] = 5

    @model_validator(mode="after")
    def _check(self) -> "StudyQuestions":
        if self.least > self.most:
            raise ValueError("least is more than most")
        return self


@dataclass(frozen=True, slots=True)
class CriterionText:
    """What is rated, in one language: a word, and what 5 means."""

    name: str
    text: str


class StudyCriterion(StudyTable):
    """What is rated from 1 to 5. id: its name in exports and figures."""

    id: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_]{0,40}$")]
    en: CriterionText
    fr: CriterionText

    def choose(self, language: str) -> CriterionText:
        """The text in this language."""
        return self.fr if language == "fr" else self.en


class StudyText(StudyTable):
    """A text in both languages."""

    en: ConsentText
    fr: ConsentText

    def choose(self, language: str) -> ConsentText:
        """The text in this language."""
        return self.fr if language == "fr" else self.en


class Study(StudyTable):
    """A whole study.

    id: its name in the database; another id is another study. seed: of the order in which ways are filled.
    idle_hours: after which somebody who has not finished counts as dropped out, and their place is given again.
    """

    id: Name
    seed: Annotated[int, Ge(0)] = 0
    idle_hours: Annotated[float, Gt(0)] = 3.0
    questions: StudyQuestions = StudyQuestions()
    consent: Consent
    introduction: StudyText
    models: Annotated[tuple[StudyModel, ...], Len(SIZE, SIZE)]
    reports: Annotated[tuple[StudyReport, ...], Len(SIZE, SIZE)]
    criteria: Annotated[tuple[StudyCriterion, ...], Len(1, 12)]

    @model_validator(mode="after")
    def _check(self) -> "Study":
        for what, names in (
            ("models", [each.id for each in self.models]),
            ("reports", [name_report(each) for each in self.reports]),
            ("criteria", [each.id for each in self.criteria]),
        ):
            if len(set(names)) < len(names):
                raise ValueError(f"two of the {what} are the same: {', '.join(names)}")
        return self

    @property
    def consent_version(self) -> str:
        """The version of the consent, as it is kept."""
        return f"{self.id}/{self.consent.version}"


def name_report(report: StudyReport) -> str:
    """The name of a report in exports, e.g. `dsp/s001/nr`."""
    return f"{report.course}/{report.student}/{report.theory}"


def read_study(path: Path) -> Study:
    """A study from its file; criteria and introduction are those of the demo where it has none. Raises UsageError."""
    try:
        told = parse_toml(path.read_text(encoding="utf-8"))
        demo = tomllib.loads(DEMO.read_text(encoding="utf-8"))
        return Study.model_validate({key: demo[key] for key in ("criteria", "introduction")} | told)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the study"
        raise UsageError(f"{path}: {where}: {first['msg']} (app/study/demo.toml shows every key)") from error
    except OSError as error:
        raise UsageError(f"the study {path} cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"the study {path} is not valid TOML: {error}") from error


def _merge(settings: Settings, given: dict[str, Any], where: str) -> Settings:
    """The settings with these keys replaced."""
    known = dataclasses.asdict(settings)  # type: ignore[call-overload]
    if unknown := sorted(set(given) - set(known)):
        raise UsageError(f"{where} has no key {unknown[0]!r}; valid are {', '.join(known)}")
    try:
        return TypeAdapter(type(settings)).validate_python(known | given)
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"{where}: {'.'.join(map(str, first['loc']))} = {first['input']!r}: {first['msg']}") from error
