"""`scribe judge`, killed at random moments again and again, then let run to its end.

    python -m eval.judge.kills --answers 400 --repeats 5 --kills 20

400 answers by five criteria, five times: 10,000 judgements. Each kill is `kill -9`. The program is the real one; its
judge is scripted, on loopback, and notes every request. At the end no judgement may be lost or there twice, each must
be what the judge said of this answer, by this criterion, at this repeat, and no judgement that was kept before a kill
may have been asked for after it.
"""

import argparse
import hashlib
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from eval.judge import rubric
from eval.judge.asking import READINGS
from eval.judge.judgement import Judgement, read_judgements
from eval.judge.scripted_judge import Body, ScriptedJudge, ScriptedReply, decide, serve_judge
from eval.judge.store import Store
from scribe import records
from scribe.errors import BackendError
from scribe.records import Record
from scribe.trajectory import Answer, Stop, Task, Trajectory

Key = tuple[str, str, int]
"""Answer, criterion, repeat."""

PARALLEL = 8
LONGEST = 240.0
"""Seconds for one run to get as far as it is to be killed."""
_ASKED = re.compile(
    r"Your word is (\w+)\.\n<<<end of ANSWER .*?^Criterion: ([^\n]+?)\. Judge", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Found:
    """What is left behind. again: judgements that were kept and then asked for once more; requests: all that came."""

    wanted: int
    kills: int
    kept: tuple[int, ...]
    lost: int
    twice: int
    wrong: int
    again: int
    requests: int
    seconds: float

    @property
    def good(self) -> bool:
        """Whether nothing was lost, repeated or mixed up."""
        return not (self.lost or self.twice or self.wrong or self.again)


@dataclass(frozen=True, slots=True)
class Place:
    """The files of one such run, in a folder of its own."""

    folder: Path
    answers: int
    repeats: int

    @property
    def cache(self) -> Path:
        """Where judgements are kept."""
        return self.folder / "cache.sqlite"

    @property
    def out(self) -> Path:
        """What the last run writes."""
        return self.folder / "judgements.jsonl"

    def start(self, url: str) -> "subprocess.Popen[bytes]":
        """The real program on these files."""
        given = ["--out", self.out, "--cache", self.cache, "--judge", "any", "--base-url", url]
        count = ["--repeats", str(self.repeats), "--parallel", str(PARALLEL)]
        command = [sys.executable, "-m", "app.cli", "judge", self.folder / "answers.jsonl", *given, *count]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        return subprocess.Popen(list(map(str, command)), env=environment, **quiet)  # type: ignore[call-overload,no-any-return]

    def keys(self) -> set[Key]:
        """What is kept by now."""
        if not self.cache.exists():
            return set()
        with closing(Store(self.cache)) as store:
            return {(each.answer, each.criterion, each.repeat) for each in store.all()}


def killed_and_resumed(place: Place, kills: int, seed: int = 0) -> Found:
    """Judge, killed `kills` times, then to the end."""
    began, moments = time.perf_counter(), random.Random(seed)
    records.write(place.folder / "answers.jsonl", map(_record, range(place.answers)))
    titles = {each.title: each.id for each in rubric.load()}
    wanted = place.answers * len(titles) * place.repeats
    kept: list[int] = []
    again, killed = 0, 0
    with serve_judge(_said) as judge:
        for kill in range(kills):
            before, asked = place.keys(), len(judge.asked)
            # Some are killed while they start; the others when their share of the work is done.
            share = 0 if kill % 10 == 9 else 1 + int(moments.random() * 2 * wanted / (kills + 2) / 1.2)
            killed += _is_killed(place.start(judge.url), judge, asked + share, moments)
            again += len(before & _keys(judge.asked[asked:], titles))
            kept.append(len(place.keys()))
        before, asked = place.keys(), len(judge.asked)
        place.start(judge.url).wait()
        again += len(before & _keys(judge.asked[asked:], titles))
        requests = len(judge.asked)
    lines = list(read_judgements(place.out))
    counts = Counter((each.answer, each.criterion, each.repeat) for each in lines)
    twice, wrong = sum(count > 1 for count in counts.values()), sum(not _is_right(each) for each in lines)
    spent = time.perf_counter() - began
    return Found(wanted, killed, tuple(kept), wanted - len(counts), twice, wrong, again, requests, spent)


def _is_killed(run: "subprocess.Popen[bytes]", judge: ScriptedJudge, requests: int, moments: random.Random) -> bool:
    """Kill the program when the judge was asked so often; False if it was done before."""
    deadline = time.monotonic() + LONGEST
    while run.poll() is None and len(judge.asked) < requests:
        if time.monotonic() > deadline:
            run.kill()
            raise BackendError(f"the program asked {len(judge.asked)} times in {LONGEST:.0f} s; is the machine busy?")
        time.sleep(0.001)
    time.sleep(moments.random() * 0.05)
    run.send_signal(signal.SIGKILL)
    return run.wait() == -signal.SIGKILL


def _record(number: int) -> Record:
    """An answer that no other has."""
    task = Task("dsp", "s001", "What is my word?", "Your report says little.")
    text = f"Your word is word{number}."
    done = Trajectory(task).then(Answer("Enough.", text)).ended(Stop.ANSWERED)
    return Record.of(done, f"word{number}", {"name": "scripted"})


def _said(body: Body, number: int) -> ScriptedReply:
    word, title, repeat = _key(body)
    return decide(_verdict(word, title, repeat), reasoning=f"{word}, {title}, {repeat}")


def _verdict(word: str, title: str, repeat: int) -> str:
    return "YES" if hashlib.sha256(f"{word} {title} {repeat}".encode()).digest()[0] % 2 else "NO"


def _is_right(found: Judgement) -> bool:
    title = next(each.title for each in _RUBRICS if each.id == found.criterion)
    said = f"{found.answer}, {title}, {found.repeat}"
    verdict = _verdict(found.answer, title, found.repeat).lower()
    return found.reasoning.strip() == said and found.verdict == verdict


_RUBRICS = rubric.load()


def _key(body: Body) -> Key:
    match = _ASKED.search(body["messages"][-1]["content"])
    if match is None:
        raise ValueError("the request does not hold what it is about")
    return match[1], match[2], int(body["seed"]) // READINGS


def _keys(asked: Iterable[Body], titles: dict[str, str]) -> set[Key]:
    return {(word, titles[title], repeat) for word, title, repeat in map(_key, asked)}


def main() -> None:
    """Do it and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=400)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--kills", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = killed_and_resumed(Place(Path(folder), given.answers, given.repeats), given.kills)
    print(f"{found.wanted} judgements, {found.kills} kills -9 (kept at each: {', '.join(map(str, found.kept))})")
    print(f"lost {found.lost}, twice {found.twice}, wrong {found.wrong}, kept and asked again {found.again}")
    in_hand = found.requests - found.wanted
    print(f"{found.requests} requests: {in_hand} were in hand when a run was killed; {found.seconds:.0f} s")
    sys.exit(0 if found.good else 1)


if __name__ == "__main__":
    main()
