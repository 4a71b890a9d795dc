"""SHA256SUMS beside a model's files, as `sha256sum` writes it; `scribe doctor` holds the files against it."""

from pathlib import Path

from scribe.backends.fingerprint import sha256

NAME = "SHA256SUMS"


def write(*paths: Path) -> None:
    """Write the sums of files in one folder."""
    (paths[0].parent / NAME).write_text("".join(f"{sha256(path)}  {path.name}\n" for path in paths), encoding="utf-8")


def update(path: Path) -> None:
    """Put the file's new sum in place of its old one, where there are sums."""
    known = path.parent / NAME
    if known.exists():
        kept = [line for line in known.read_text(encoding="utf-8").splitlines() if not line.endswith(f" {path.name}")]
        known.write_text("\n".join([*kept, f"{sha256(path)}  {path.name}"]) + "\n", encoding="utf-8")
