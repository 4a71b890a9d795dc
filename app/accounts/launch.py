"""What an LTI launch says: who comes, from which course, as what. Names and e-mail addresses in it are not read."""

from collections.abc import Collection, Mapping
from typing import Annotated, Any, Literal

from joserfc.jwt import JWTClaimsRegistry
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.accounts.person import Place, Role
from app.accounts.platform import Platform
from app.accounts.routes import SignInError

LEEWAY = 60
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership"
# In full, since `membership/Learner#Instructor` is a kind of learner; short names are allowed for these alone.
STAFF = frozenset({"Instructor", "Administrator", f"{ROLE}#Instructor", f"{ROLE}#Administrator"}) | {
    f"{ROLE}/Instructor#TeachingAssistant",
    f"{ROLE}#TeachingAssistant",
}
STUDENT = frozenset({"Learner", f"{ROLE}#Learner"})
Identifier = Annotated[str, Field(min_length=1, max_length=255)]


class LaunchContext(BaseModel):
    """The course on the platform; a label is what people call it (Moodle: short name, Canvas: course code)."""

    model_config = ConfigDict(coerce_numbers_to_str=True)
    id: Identifier
    label: str | None = None


class LaunchLink(BaseModel):
    """The link that was followed."""

    model_config = ConfigDict(coerce_numbers_to_str=True)
    id: Identifier


class LaunchMessage(BaseModel):
    """A resource link launch (LTI 1.3 Core, section 5.3 and 5.4)."""

    model_config = ConfigDict(
        coerce_numbers_to_str=True,
        alias_generator=lambda name: name if name in ("sub", "locale") else f"{CLAIM}{name}",
    )
    sub: Identifier
    message_type: Literal["LtiResourceLinkRequest"]
    version: Literal["1.3.0"]
    deployment_id: Identifier
    target_link_uri: str
    resource_link: LaunchLink
    roles: list[str]
    context: LaunchContext | None = None
    custom: dict[str, Any] | None = None
    launch_presentation: dict[str, Any] | None = None
    locale: str | None = None

    @property
    def any_locale(self) -> object:
        """The person's locale, else the page's."""
        return self.locale or (self.launch_presentation or {}).get("locale")

    def read_custom(self, name: str) -> str:
        """A custom parameter; empty if it was not given, or the platform left its `$variable` as it stood."""
        value = (self.custom or {}).get(name)
        return value if isinstance(value, str) and not value.startswith("$") else ""


def check_launch(claims: dict[str, Any], platform: Platform, nonce: str) -> LaunchMessage:
    """The message in a token whose signature is right.

    Raises JoseError for a wrong issuer, audience, nonce or time, and SignInError for what LTI demands beyond these.
    """
    JWTClaimsRegistry(
        leeway=LEEWAY,
        iss={"essential": True, "value": platform.issuer},
        aud={"essential": True, "value": platform.client_id},
        nonce={"essential": True, "value": nonce},
        exp={"essential": True},
        iat={"essential": True},
    ).validate(claims)
    audience = claims["aud"]
    party = claims.get("azp", "" if isinstance(audience, list) and len(audience) > 1 else platform.client_id)
    if party != platform.client_id:
        raise SignInError("the launch is for another tool (azp)")
    try:
        message = LaunchMessage.model_validate(claims)
    except ValidationError as error:
        wrong = ", ".join(str(each["loc"][0]).removeprefix(CLAIM) for each in error.errors())
        raise SignInError(f"the launch is no resource link launch of LTI 1.3: {wrong}") from None
    if message.deployment_id not in platform.deployment_ids:
        raise SignInError(f"deployment {message.deployment_id[:60]!r} of {platform.issuer} is not in deployment_ids")
    return message


def find_course(message: LaunchMessage, platform: Platform, courses: Collection[str]) -> str:
    """Our id of the course that the launch comes from; empty if it comes from none of ours."""
    chosen = message.read_custom("course") if platform.trust_course else ""
    if not chosen and message.context is not None:
        names = (message.context.id, message.context.label or "")
        known = platform.courses if platform.courses is not None else {name: name for name in names}
        chosen = next((known[name] for name in names if known.get(name) in courses), "")
    return chosen if chosen in courses else ""


def find_place(
    message: LaunchMessage, platform: Platform, rostered: Place | None, students: Collection[str]
) -> Place | None:
    """What the person is in the course; None for students whose id nobody says, and for roles that are neither.

    rostered: what the roster says that they are. students: the ids of the course.
    """
    role = read_role(message.roles)
    if role == "staff":
        return Place("staff")
    if role is None:
        return None
    if rostered is not None and rostered.role == "student":
        return rostered
    given = message.read_custom("student") if platform.trust_student else ""
    return Place("student", given) if given in students else None


def read_role(roles: Collection[str]) -> Role | None:
    """The role in the course; roles in the institution or the system are none in a course."""
    if STAFF.intersection(roles):
        return "staff"
    return "student" if STUDENT.intersection(roles) else None


def merge_places(places: Mapping[str, Place], course: str, place: Place | None) -> dict[str, Place]:
    """The places with another one in this course, or with none there."""
    others = {id: each for id, each in places.items() if id != course}
    return others if place is None else {**others, course: place}
