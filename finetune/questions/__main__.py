"""Write a file of questions by itself.

python -m finetune.questions --course dsp --course geo --out questions.jsonl
python -m finetune.questions --course dsp --settings pipeline.toml --out questions.jsonl
"""

import argparse
import json
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from data import bundle
from data.course import BundleError
from finetune import manifest, sections
from finetune.questions.settings import Settings
from finetune.questions.step import run
from scribe.errors import ScribeError, UsageError


def main(words: Sequence[str] | None = None) -> int:
    """Run the step and print what was counted; 2 if it cannot be run as told."""
    parser = argparse.ArgumentParser(
        prog="python -m finetune.questions", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--course", action="append", required=True, metavar="ID or FOLDER")
    parser.add_argument("--settings", type=Path, help="a pipeline's file; its section [questions] counts")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(words)
    try:
        run(_settings(given.settings), [folder(name) for name in given.course], given.out, _told)
    except (ScribeError, BundleError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    made = manifest.read(given.out)
    print(json.dumps(made and made.counts, ensure_ascii=False, indent=1))
    return 0


def folder(name: str) -> Path:
    """The bundle of a course of ours, or the folder itself. Raises BundleError if there is neither."""
    return Path(name) if Path(name).is_dir() else bundle.COURSES / bundle.find(name).id


def _settings(path: Path | None) -> Settings:
    if path is None:
        return Settings()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error
    return sections.settings(Settings, content.get("questions", {}), "questions")


def _told(step: str, done: int, total: int) -> None:
    if done == total or done % 50 == 0:
        print(f"{step}: {done} of {total}", file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main())
