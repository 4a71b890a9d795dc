"""Two small bundles on disk, one taught in French: two students each with two kinds of report."""

from pathlib import Path

from tests.data.mini_bundle import HEAD, write_mini

REPORT = """Some time is left to pass, and a few things are worth knowing.

- **Causes:** In week 1 you had 3 study sessions, where 5 are typical. During week 2 you made 12 clicks on weekdays.
- **Recent events:** In week 2 your number of study sessions was 2, fewer than the class median of 4.

What I suggest next:

1. Plan one more of your study sessions in week 3, where Filters builds on Vectors from week 2.
"""


def small(root: Path, id: str = "mini", language: str = "en") -> Path:
    """The folder of a bundle with this id."""
    folder = write_mini(root / id)
    head = HEAD.replace('id = "mini"', f'id = "{id}"').replace('language = "en"', f'language = "{language}"')
    (folder / "course.toml").write_text(head)
    for student in ("s001", "s002"):
        for theory in ("nr", "ac"):
            (folder / "reports" / f"{student}.{theory}.md").write_text(REPORT)
    return folder
