"""What a campus sets of the coding tutor."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TutoringSettings:
    """open: whether people who have signed in find the tutor, and their tests run on this machine, in a sandbox."""

    open: bool = False
