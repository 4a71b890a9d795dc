"""Two files compared, from reading them to tables and pictures."""

import csv
import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer
from transformers import LlamaForCausalLM

from eval.similarity.__main__ import main, write_tables
from eval.similarity.comparison import ALL, compare_questions
from eval.similarity.questions import PerplexityModel, SourceQuestion, read_questions, read_random_questions
from eval.table import Table
from scribe.plumbing.errors import ModelFileError, RecordError, UsageError
from tests.scribe.backends.tiny import make_model
from tests.tools.small_course import ScriptedEmbedder

WORDS = [
    "why", "what", "how", "week", "quiz", "video", "grade", "report", "session", "filter", "sample", "help", "points",
    "exam", "plan", "late",
]  # fmt: skip
SOURCE = np.random.default_rng(5)


def asked(count: int, course: str = "dsp", least: int = 4) -> list[SourceQuestion]:
    lengths = SOURCE.integers(least, 14, size=count)
    return [
        SourceQuestion(course, ("where", "how")[number % 2], " ".join(SOURCE.choice(WORDS, length)))
        for number, length in enumerate(lengths)
    ]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def found(model: Path) -> dict[str, Table]:
    strange = read_random_questions()
    given = [*asked(30), *asked(10, "geo")], asked(20), strange
    return {
        table.id: table
        for table in compare_questions(
            *given, PerplexityModel(model).perplexities, ScriptedEmbedder().embed, resamples=20
        )
    }


def test_perplexity_is_e_to_the_models_own_loss(model: Path) -> None:
    given = ["Why did week 3 go wrong?", "x", "What should I do next about the topic, please, and when?"]
    network = LlamaForCausalLM.from_pretrained(model).eval()
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    wanted = []
    for text in given:
        ids = torch.tensor([[0, *tokenizer.encode(text).ids]])
        with torch.no_grad():
            wanted.append(math.exp(float(network(input_ids=ids, labels=ids).loss)))
    assert PerplexityModel(model).perplexities(given) == pytest.approx(wanted, rel=1e-4)


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="no model in the Hugging Face format"):
        PerplexityModel(tmp_path)


def test_groups_are_compared_where_both_have_enough_and_languages_never(found: dict[str, Table]) -> None:
    groups = {(row["group"], row["name"]): row for row in found["groups"].named_rows()}
    assert groups["course", ALL]["generated"] == 30 and groups["course", ALL]["real"] == 20
    assert groups["course", "geo"]["JSD entropy"] is None and groups["course", "geo"]["cosine generated"]
    assert groups["category", "where"]["generated"] == 15 and groups["category", "where"]["JSD entropy"]
    assert set(groups) == {("course", n) for n in (ALL, "dsp", "geo")} | {("category", n) for n in ("where", "how")}


def test_questions_of_one_kind_lie_together_and_random_ones_apart(found: dict[str, Table]) -> None:
    p = {(row["method"], row["pair"]): float(row["p"] or 0) for row in found["hotelling"].named_rows()}
    for method in ("t-SNE", "principal components"):
        assert p[method, "generated – random"] < 1e-4 > p[method, "real – random"]
    assert p["principal components", "generated – real"] > 1e-4
    sources = Counter(row["source"] for row in found["tsne"].named_rows())
    assert sources == dict.fromkeys(("generated", "real", "random"), 20)


def test_tables_are_written(found: dict[str, Table], tmp_path: Path) -> None:
    write_tables([*found.values()], tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"groups.csv", "hotelling.csv", "centres.csv", "tsne.csv", "questions.csv"}
    rows = list(csv.DictReader((tmp_path / "out" / "questions.csv").open(encoding="utf-8")))
    assert len(rows) == 60 and {row["set"] for row in rows} == {"generated", "real"}
    assert "by our team" in found["groups"].markdown()


def test_files_on_other_courses_are_not_compared(model: Path) -> None:
    with pytest.raises(UsageError, match="about dsp"):
        compare_questions(
            asked(6, "geo"), asked(6), WORDS, PerplexityModel(model).perplexities, ScriptedEmbedder().embed
        )


@pytest.mark.parametrize(
    ("content", "complaint"),
    [("{\n", "q.jsonl:1: not JSON"), ('{"course": "dsp", "category": "how"}\n', "q.jsonl:1: question")],
)
def test_a_line_that_is_no_question_is_named(tmp_path: Path, content: str, complaint: str) -> None:
    (tmp_path / "q.jsonl").write_text(content)
    with pytest.raises(RecordError, match=complaint):
        read_questions(tmp_path / "q.jsonl")


def test_random_questions_of_ours_are_as_many_as_real_ones_may_be() -> None:
    strange = read_random_questions()
    assert len(strange) == len(set(strange)) == 80 and not any(line.startswith("#") for line in strange)


def test_the_command_says_what_it_cannot_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    real = tmp_path / "real.jsonl"
    real.write_text(json.dumps({"course": "dsp", "category": "how", "question": "how so"}) + "\n")
    given = [str(tmp_path / "none.jsonl"), str(real), "--out", str(tmp_path / "out"), "--model", str(tmp_path)]
    assert main(given) == 2
    assert "none.jsonl cannot be read" in capsys.readouterr().err and not (tmp_path / "out").exists()
