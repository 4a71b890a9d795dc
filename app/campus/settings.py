"""What a campus sets beyond the assistant; each class is a table of the settings file, each field a key."""

from dataclasses import dataclass, field

from app.accounts.settings import AccountSettings, HeaderSettings, LtiSettings, OpenidSettings
from app.store.settings import LimitSettings, StorageSettings
from app.tutoring.settings import TutoringSettings
from tools.assembly.settings import AssistantSettings


@dataclass(frozen=True, slots=True)
class PrivacySettings:
    """consent: a TOML file with the campus's own text (`consent.toml` shows its form); empty: the text with Scribe.

    staff_read: whether staff may open transcripts, under pseudonyms; each look is recorded.
    """

    consent: str = ""
    staff_read: bool = False


@dataclass(frozen=True, slots=True)
class SiteSettings:
    """The address at which people see the page.

    hosts: names that a request's Host may have, empty: localhost alone. metrics: a file with the word that whoever
    reads /metrics must bring; without it this machine alone may.
    """

    hosts: tuple[str, ...] = ()
    metrics: str = ""


@dataclass(frozen=True, slots=True)
class CampusSettings(AssistantSettings):
    """All tables."""

    site: SiteSettings = field(default_factory=SiteSettings)
    accounts: AccountSettings = field(default_factory=AccountSettings)
    header: HeaderSettings = field(default_factory=HeaderSettings)
    openid: OpenidSettings = field(default_factory=OpenidSettings)
    lti: LtiSettings = field(default_factory=LtiSettings)
    storage: StorageSettings = field(default_factory=StorageSettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    privacy: PrivacySettings = field(default_factory=PrivacySettings)
    tutoring: TutoringSettings = field(default_factory=TutoringSettings)
