"""`scribe judge`: files of answers to one file of judgements, as far as nobody has asked before.

Exit codes: 0 every verdict is there, 2 refused with nothing asked, 3 some are missing (failed, or not readable), 130
interrupted. After 3 and 130 the same command goes on where it was. An answers' row without an answer is not judged,
and counted.
"""

import argparse
import contextlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from app.commands import INTERRUPTED, UNRESOLVED, state_folder
from app.commands.arguments import NO_TOOLS_FILE, add_gone, parse_amount, parse_count, parse_whole, split_names
from eval.judge import local, rubric
from eval.judge.asking import EndpointJudge, JudgeEndpoint, JudgeSampling, RateLimit
from eval.judge.batch_files import read_responses, write_requests
from eval.judge.items import JudgeItem, JudgeRuns, make_items, read_runs
from eval.judge.judgement import LOCAL, Judgement, read_judgements
from eval.judge.running import JudgeOutcome, JudgeTally, collect_judgements, find_open, judge_items
from eval.judge.store import Store, WriteJudgements, claim_output
from eval.judge.tool_descriptions import FindToolLines, find_undescribed
from scribe.plumbing.errors import UsageError
from scribe.plumbing.http import is_campus_address
from scribe.plumbing.progress import show_progress
from scribe.plumbing.signals import notice_interruption
from tools.assembly.assistant import RecordedCourses
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("answers", type=Path, nargs="+", metavar="ANSWERS.jsonl", help="what `scribe answer` wrote")
    parser.add_argument("--out", type=Path, required=True, metavar="OUT.jsonl", help="one judgement a line")
    parser.add_argument("--judge", required=True, metavar="MODEL", help="name at the address; local: checks, no model")
    parser.add_argument("--base-url", metavar="URL", help="address of an OpenAI-compatible API (key: SCRIBE_API_KEY)")
    parser.add_argument("--allow-remote", action="store_true", help="reports and questions may leave this network")
    parser.add_argument("--criteria", nargs="+", default=[], metavar="ID", help="only these (default: all there are)")
    parser.add_argument("--rubrics", type=Path, metavar="DIR", help="your own criteria, one TOML file each")
    add_gone(parser, "--tools", NO_TOOLS_FILE)
    repeats = "requests for each verdict; the paper: 5"
    parser.add_argument("--repeats", type=parse_count, default=1, metavar="N", help=repeats)
    parser.add_argument("--limit", type=parse_count, metavar="N", help="only the first N rows of each file")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="where every judgement is kept, for all runs")
    parser.add_argument("--retry-unparsed", action="store_true", help="ask again where no verdict could be read")
    parser.add_argument("--max-errors", type=parse_whole, default=20, metavar="N", help="stop after more failures")
    pace = parser.add_argument_group("pace")
    pace.add_argument("--parallel", type=parse_count, default=8, metavar="N", help="requests at a time")
    pace.add_argument("--rpm", type=parse_amount, default=0.0, metavar="N", help="at most N requests a minute")
    pace.add_argument("--tpm", type=parse_amount, default=0.0, metavar="N", help="at most N prompt tokens a minute")
    asking = parser.add_argument_group("how the judge is asked")
    asking.add_argument("--temperature", type=parse_amount, default=0.0, metavar="T")
    asking.add_argument("--max-tokens", type=parse_count, default=2048, metavar="N", help="for reasoning and decision")
    refused = "fields it refuses: seed, temperature, max_tokens (it then gets max_completion_tokens)"
    asking.add_argument("--leave-out", default="", metavar="A,B", help=refused)
    asking.add_argument("--timeout", type=parse_amount, default=180.0, metavar="S", help="seconds without an answer")
    apart = parser.add_argument_group("without asking now")
    apart.add_argument("--dry-run", action="store_true", help="say what would be asked and its tokens, ask nothing")
    apart.add_argument("--batch-out", type=Path, metavar="FILE", help="write what is open as OpenAI batch requests")
    apart.add_argument("--batch-in", type=Path, nargs="+", metavar="FILE", help="take in a batch's responses")


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    _refuse_nonsense(arguments)
    runs = read_runs(arguments.answers, arguments.limit)
    with claim_output(arguments.out) as write:
        if arguments.judge == LOCAL:
            return _check_locally(arguments, runs, RecordedCourses(settings), write)
        endpoint = _make_endpoint(arguments)
        rubrics = rubric.load(arguments.rubrics or rubric.RUBRICS, split_names(arguments.criteria))
        tools = RecordedCourses(settings).signatures
        _report_undescribed(runs, tools)
        items = make_items(runs.cases, rubrics, arguments.repeats, tools, endpoint.identity)
        with contextlib.closing(Store(arguments.cache or state_folder() / "judgements.sqlite")) as store:
            if arguments.out.exists():  # it may have been made with another cache, and is written anew
                for each in read_judgements(arguments.out):
                    if each.judge != LOCAL:
                        store.put(each)
            return _judge(arguments, runs, endpoint, items, store, write)


def _refuse_nonsense(arguments: argparse.Namespace) -> None:
    remote = [name for name in ("base_url", "batch_out", "batch_in", "rubrics") if getattr(arguments, name)]
    if arguments.judge == LOCAL and (remote or arguments.repeats > 1 or arguments.dry_run):
        raise UsageError("--judge local asks nobody; it goes with --criteria and --limit only")
    if sum(map(bool, (arguments.dry_run, arguments.batch_out, arguments.batch_in))) > 1:
        raise UsageError("--dry-run, --batch-out and --batch-in are three different things; give one at a time")
    if arguments.judge != LOCAL and not arguments.base_url:
        raise UsageError("whose judge? give its address with --base-url, or --judge local for checks without a model")
    if arguments.out.resolve() in [path.resolve() for path in arguments.answers]:
        raise UsageError(f"--out {arguments.out} would overwrite the answers; give another file as --out")
    if not arguments.out.resolve().parent.is_dir():
        raise UsageError(f"there is no folder {arguments.out.parent} for the output; make it first")


def _make_endpoint(arguments: argparse.Namespace) -> JudgeEndpoint:
    """The judge's address. Raises UsageError for one outside this network unless that is allowed."""
    sampling = JudgeSampling(arguments.temperature, arguments.max_tokens, split_names([arguments.leave_out]))
    endpoint = JudgeEndpoint(arguments.base_url, arguments.judge, sampling, arguments.timeout or 180.0)
    asks_now = not (arguments.dry_run or arguments.batch_in)
    if asks_now and not arguments.allow_remote and not is_campus_address(arguments.base_url):
        raise UsageError(
            f"{arguments.base_url} is not in this network: students' reports, questions and answers would be sent "
            "there (never their ids). If they may be, say --allow-remote"
        )
    return endpoint


def _report_undescribed(runs: JudgeRuns, find_tools: FindToolLines) -> None:
    found = (find_undescribed(case.record, find_tools(case.record)) for case in runs.cases)
    unknown = sorted({name for each in found for name, worked in each.items() if worked})
    if unknown:
        print(f"nothing describes {', '.join(unknown)} to the judge, which answers used")


def _check_locally(
    arguments: argparse.Namespace, runs: JudgeRuns, courses: RecordedCourses, write: WriteJudgements
) -> int:
    wanted = split_names(arguments.criteria)
    unknown = [name for name in wanted if name not in local.CRITERIA]
    if unknown:
        there = ", ".join(local.CRITERIA)
        raise UsageError(f"there is no check of {', '.join(unknown)} without a model; there is one of {there}")
    checks = local.LocalChecks(courses.check)
    found = [each for case in runs.cases for each in checks.judge(case) if not wanted or each.criterion in wanted]
    write(found)
    print("checks without a model; they do not stand for a judge, and relevance cannot be decided without one")
    return _summarise(arguments, runs, found, len(found), "")


def _judge(
    arguments: argparse.Namespace,
    runs: JudgeRuns,
    endpoint: JudgeEndpoint,
    items: Sequence[JudgeItem],
    store: Store,
    write: WriteJudgements,
) -> int:
    """What the arguments want done with the items: estimated, written as a batch, taken in from one, or asked."""
    todo = find_open(items, store, arguments.retry_unparsed)
    if arguments.dry_run:
        read, written = sum(item.prompt_tokens for item in todo), arguments.max_tokens * len(todo)
        found = f"{len(runs.cases)} answers, {sum(runs.unanswered.values())} rows without one; {len(items)} judgements"
        print(f"{found}, {len(todo)} of them to be asked")
        print(f"about {read:,.0f} tokens to read and up to {written:,} to write")
        return 0
    if arguments.batch_out:
        paths = write_requests(todo, endpoint, arguments.batch_out)
        print(f"{len(todo)} requests in {', '.join(map(str, paths)) or 'no file: nothing is open'}")
        return 0
    if arguments.batch_in:
        incoming = read_responses(arguments.batch_in, items, endpoint)
        for each in incoming.judgements:
            store.put(each)
        write(kept := list(collect_judgements(items, store)))
        if incoming.strange:
            others = "other answers, criteria, judge, repeats or tools"
            print(f"{incoming.strange} responses belong to none of these requests: {others}")
        return _summarise(arguments, runs, kept, len(items), incoming.trouble)
    outcome = _ask_judge(arguments, endpoint, items, store)
    write(outcome.judgements)
    code = _summarise(arguments, runs, outcome.judgements, len(items), outcome.tally.trouble)
    return INTERRUPTED if outcome.state == "interrupted" else code


def _ask_judge(
    arguments: argparse.Namespace, endpoint: JudgeEndpoint, items: Sequence[JudgeItem], store: Store
) -> JudgeOutcome:
    asking = EndpointJudge(endpoint, RateLimit(arguments.rpm, arguments.tpm))
    with notice_interruption() as interrupted, show_progress() as on_progress:

        def show(tally: JudgeTally) -> None:
            label = f"judging, {tally.failed} failed" if tally.failed else "judging"
            on_progress(label, tally.cached + tally.asked, tally.wanted)

        limits = arguments.parallel, arguments.max_errors
        return judge_items(items, store, asking.judge, *limits, interrupted, show, arguments.retry_unparsed)


def _summarise(
    arguments: argparse.Namespace, runs: JudgeRuns, judgements: Iterable[Judgement], wanted: int, trouble: str
) -> int:
    counts: dict[str, Counter[str]] = {}
    for each in judgements:
        counts.setdefault(each.criterion, Counter())[each.verdict] += 1
    for criterion, found in sorted(counts.items()):
        print(f"{criterion}: {found['yes']} yes, {found['no']} no, {found['unparsed']} unparsed")
    missing = wanted - sum(sum(found.values()) for found in counts.values())
    unanswered = sum(runs.unanswered.values())
    if unanswered:
        print(f"{unanswered} rows have no answer and were not judged")
    if missing:
        print(f"{missing} of {wanted} are missing; run the same again to go on")
    if trouble:
        print(f"the first that failed: {trouble}")
    print(arguments.out)
    return UNRESOLVED if missing or any(found["unparsed"] for found in counts.values()) else 0
