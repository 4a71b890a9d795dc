"""The page and the files beside it: all there, self-contained, and nothing of what others wrote runs in it."""

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from eval.judge import rubric
from eval.judge.judgement import Label, digest_answer
from eval.report.charts import make_label
from eval.report.page import break_lines, render_page, write_report
from eval.report.report import JudgePart, Report, build_report
from eval.report.runs import LoadedRuns, ReportRequest, load_runs
from eval.tool_use.answers import AnswerRow, Expectation
from scribe.plumbing.errors import RecordError, ScribeError, UsageError
from tests.app.told import mini_courses
from tests.eval.report.judging import judged, write
from tests.eval.tool_use.rows import act, answered, failed, fault, unresolved
from tests.eval.tool_use.rows import write as write_answers

HOSTILE = '<script>alert("x")</script></details></main><img src=x onerror=alert(1)>'


class Tags(HTMLParser):
    """The tags of a page with their attributes, and whether each that opens is closed in its turn."""

    VOID = frozenset({"meta", "img", "br"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.open += [] if tag in self.VOID else [tag]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def answer_as(name: str) -> tuple[AnswerRow, ...]:
    lookup = act("map_week_to_topic", says=HOSTILE, week=HOSTILE)
    return (
        answered("a0", lookup, fault(), question=HOSTILE, says=f"{HOSTILE} So says {name}."),
        answered("a1", act("textbook_search", ok=False), says=f"As {name} has it."),
        unresolved("a2", fault()),
        failed("a3"),
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Report:
    tmp_path = tmp_path_factory.mktemp("runs")
    runs = {name: answer_as(name) for name in ("base", "tuned")}
    for name, letters in (("base", "nn"), ("tuned", "yn")):
        write_answers(tmp_path / f"{name}.jsonl", *runs[name])
        said = [
            *judged(letters, run=name, judge=HOSTILE, answers=runs[name]),
            *judged("yy", run=name, judge="local", answers=runs[name]),
        ]
        write(tmp_path / f"{name}.judgements.jsonl", said)
    people = ("ada", "ben")
    texts = [digest_answer(row.record) for row in runs["base"]]
    labels = [Label(who, f"base#a{n}", "relevance", n == 0, texts[n]) for who in people for n in (0, 1)]
    given = [str(tmp_path / "base.jsonl"), f"tuned <b>={tmp_path / 'tuned.jsonl'}"]
    folder = mini_courses(tmp_path / "courses")
    return build_report(ReportRequest(given, labels=[write(tmp_path / "labels.jsonl", labels)], courses=folder))


def test_what_others_wrote_is_text_and_never_markup(made: Report) -> None:
    tags = Tags(render_page(made))
    assert not tags.open
    assert not {"script", "iframe", "object"} & {tag for tag, _ in tags.found}
    assert not [name for _, attributes in tags.found for name in attributes if name.startswith("on")]


def test_the_page_needs_nothing_from_anywhere(made: Report) -> None:
    text = render_page(made)
    addresses = [attributes.get(name) or "" for _, attributes in Tags(text).found for name in ("src", "href")]
    assert all(not each or each.startswith(("data:", "#", "csv/", "png/")) for each in addresses)
    assert "url(" not in text
    assert "@import" not in text


def test_a_students_id_is_not_on_the_page(made: Report) -> None:
    assert "s001" not in render_page(made)


def test_every_link_of_the_page_leads_somewhere(made: Report, tmp_path: Path) -> None:
    index = write_report(made, tmp_path / "out")
    tags = Tags(index.read_text(encoding="utf-8")).found
    places = {attributes.get("id") for _, attributes in tags}
    for link in (attributes["href"] or "" for _, attributes in tags if "href" in attributes):
        assert link[1:] in places if link.startswith("#") else (index.parent / link).is_file()


def test_every_figure_says_in_words_what_it_shows(made: Report) -> None:
    images = [attributes for tag, attributes in Tags(render_page(made)).found if tag == "img"]
    assert len(images) == len(made.charts)
    assert all(attributes["alt"] for attributes in images)


def test_traces_and_reasons_are_one_click_away(made: Report) -> None:
    text = render_page(made)
    assert text.index("<details>") < text.index("What the judge said") < text.index("Because.")
    assert "RuntimeError" in text


def test_what_each_criterion_means_is_one_click_away(made: Report) -> None:
    text = render_page(made)
    at = text.index("<details><summary>What the criteria mean")
    (relevance,) = rubric.load(wanted=["relevance"])
    assert all(break_lines(part) in text[at:] for part in (relevance.title, relevance.yes, relevance.no))


def test_a_campus_own_criterion_is_defined_by_its_own_rubric(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "run.jsonl", answered("a0"))
    write(tmp_path / "run.judgements.jsonl", [*judged("y", criterion="warmth"), *judged("y", criterion="gone")])
    folder = tmp_path / "rubrics"
    folder.mkdir()
    own = (rubric.RUBRICS / "relevance.toml").read_text(encoding="utf-8").replace("title =", 'title = "<Warmth>" #', 1)
    (folder / "warmth.toml").write_text(own, encoding="utf-8")
    courses = mini_courses(tmp_path / "courses")
    text = render_page(build_report(ReportRequest([str(path)], courses=courses, rubrics=folder)))
    assert "<h4>&lt;Warmth&gt;</h4>" in text
    assert "<h4>gone</h4><p>No rubric here defines it" in text


def test_on_paper_traces_and_definitions_are_open(made: Report, tmp_path: Path, browser: Any) -> None:
    index = write_report(made, tmp_path / "out")
    opened = browser.new_page()
    opened.goto(index.as_uri())
    for medium, visible in (("screen", False), ("print", True)):
        opened.emulate_media(media=medium)
        for words in ("Because.", "Fault:", "NO:"):
            found = opened.locator("details").get_by_text(words).first
            assert found.evaluate("e => e.checkVisibility()") is visible
    opened.close()


def load(runs: list[str], *judgements: Path) -> LoadedRuns:
    return load_runs(ReportRequest(runs, judgements))


def _titles(part: JudgePart) -> list[str]:
    return [*(table.title for table in part.tables), *(chart.title for chart in part.charts)]


def test_the_checks_without_a_model_are_marked_wherever_they_stand(made: Report) -> None:
    local = [each for each in made.judges if each.local]
    assert [each.judge for each in made.judges][-1] == "local"
    assert all("no judge" in title for part in local for title in _titles(part))
    assert made.agreement is not None
    assert "local (no model)" in made.agreement.markdown()
    assert "stand in for no judge" in render_page(made)


def test_tables_and_figures_lie_beside_the_page_as_csv_and_png(made: Report, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_report(made, out)
    for table in made.tables:
        with (out / "csv" / f"{table.id}.csv").open(newline="", encoding="utf-8") as file:
            head, *rows = csv.reader(file)
        assert head == list(table.head)
        assert len(rows) == len(table.rows)
    assert all((out / "png" / f"{each.id}.png").read_bytes().startswith(b"\x89PNG") for each in made.charts)
    shared = {each.id for each in made.tables} & {each.id for each in made.charts}
    assert shared == {"tools"}


def test_writing_again_takes_away_only_what_an_earlier_report_left(made: Report, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_report(made, out)
    (out / "csv" / "mine.csv").write_text("mine")
    (out / "csv" / "old.csv").write_text("old")
    outside = tmp_path / "precious.csv"
    outside.write_text("precious")
    (out / "files.json").write_text(json.dumps(["csv/old.csv", "csv/../../precious.csv", 3]))
    write_report(made, out)
    assert (out / "csv" / "mine.csv").exists()
    assert not (out / "csv" / "old.csv").exists()
    assert outside.exists()


def test_the_same_results_give_the_same_files(made: Report, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_report(made, tmp_path / name)
    files = [
        sorted(path.relative_to(tmp_path / name) for path in (tmp_path / name).rglob("*.*")) for name in ("one", "two")
    ]
    assert files[0] == files[1]
    for path in files[0]:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes()


def test_a_place_that_cannot_be_written_is_named(made: Report, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="give another --out"):
        write_report(made, tmp_path / "file")


def test_judgements_find_their_answers_whatever_their_run_was_called(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "run.jsonl", answered("a0"))
    loaded = load([f"mine={path}"], write(tmp_path / "j.jsonl", judged("y", run="other")))
    assert ([each.run for each in loaded.runs[0].judgements], loaded.unmatched) == (["run"], 0)


def test_judgements_of_answers_that_are_not_there_are_counted(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "run.jsonl", answered("a0"))
    write(tmp_path / "run.judgements.jsonl", judged("yyy"))
    loaded = load([str(path)])
    assert (len(loaded.runs[0].judgements), loaded.unmatched) == (1, 2)


@pytest.mark.parametrize(
    ("runs", "compare", "error", "said"),
    [
        (["a=run.jsonl", "a=run.jsonl"], [], UsageError, "two runs are called 'a'"),
        (["gone.jsonl"], [], RecordError, "gone.jsonl cannot be read"),
        (["run.jsonl"], [("run", "other")], UsageError, "no run 'other' to compare; there are: run"),
    ],
)
def test_what_cannot_be_reported_on_is_refused_with_its_name(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    runs: list[str],
    compare: list[tuple[str, str]],
    error: type[ScribeError],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_answers(tmp_path / "run.jsonl", answered("a0"))
    with pytest.raises(error, match=said):
        build_report(ReportRequest(runs, compare=compare))


def test_a_run_that_nobody_judged_still_gets_its_page(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "run.jsonl", failed("a0"))
    known = {"a0": Expectation("how")}
    text = render_page(
        build_report(ReportRequest([str(path)], expectations=known, courses=mini_courses(tmp_path / "courses")))
    )
    assert "No run has been judged" in text
    assert re.search(r"1 of 1 questions failed", text)


def test_a_course_that_nobody_asked_about_cannot_be_set_apart(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "run.jsonl", answered("a0"))
    with pytest.raises(UsageError, match="no answer is about the course 'LVN' of --unseen; there are: mini"):
        build_report(ReportRequest([str(path)], unseen=["LVN"]))


def test_judges_whose_names_make_the_same_file_name_do_not_overwrite_one_another(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "run.jsonl", answered("a0"))
    write(tmp_path / "run.judgements.jsonl", [*judged("y", judge="gpt-4.1"), *judged("n", judge="gpt_4_1")])
    found = build_report(ReportRequest([str(path)], courses=mini_courses(tmp_path / "courses")))
    assert len({table.id for table in found.tables}) == len(found.tables)
    assert len({chart.id for chart in found.charts}) == len(found.charts)


def test_names_that_a_figure_cannot_hold_do_not_stop_the_report(tmp_path: Path) -> None:
    odd = "\x07" + "x" * 200
    path = write_answers(tmp_path / "run.jsonl", answered("a0", act(odd)), answered("a1", act("_hidden")))
    write(tmp_path / "run.judgements.jsonl", judged("yn", criterion=odd.replace("\x07", "$\\frac$")))
    runs = [f"_{odd}$=={path}".replace("==", "=")]
    found = build_report(ReportRequest(runs, courses=mini_courses(tmp_path / "courses")))
    write_report(found, tmp_path / "out")
    assert make_label("_hidden") == " _hidden"
    assert len(make_label(odd)) <= 48


def test_reasons_of_the_checks_are_not_put_into_a_judges_mouth(tmp_path: Path) -> None:
    path = write_answers(tmp_path / "run.jsonl", answered("a0"))
    write(tmp_path / "run.judgements.jsonl", judged("n", judge="local"))
    text = render_page(build_report(ReportRequest([str(path)], courses=mini_courses(tmp_path / "courses"))))
    assert "What the checks found (no judge)" in text
    assert "What the judge said" not in text
