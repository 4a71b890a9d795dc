"""The names of behaviours are gathered once, and only when one is asked about."""

from pathlib import Path

import pytest

from data.catalogue_languages import catalogue_in
from tests.tools.small_course import ScriptedEmbedder, course_with, student
from tools import get_feature_description
from tools.search.vector_store import VectorStore
from tools.view import StudentView


@pytest.mark.parametrize("language", ["en", "fr"])
def test_names_are_gathered_once_for_all_students(language: str, tmp_path: Path) -> None:
    gathered = get_feature_description._known_names
    gathered.cache_clear()
    vault, course = VectorStore(ScriptedEmbedder(), tmp_path), course_with(student())
    views = [StudentView(course, who, vault, language) for who in course.students.values()]
    tools = [get_feature_description.make(each) for each in views]
    assert gathered.cache_info().misses == 0
    label = catalogue_in(language).by_name("NumberOfSessions").label
    assert [tool.run(feature="NumberOfSessions")["name"] for tool in tools] == [label] * len(tools)
    assert gathered.cache_info().misses == 1


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_behaviour_is_found_by_its_code_its_column_and_its_label(language: str, tmp_path: Path) -> None:
    who = student()
    store = VectorStore(ScriptedEmbedder(), tmp_path)
    tool = get_feature_description.make(StudentView(course_with(who), who, store, language))
    for feature in catalogue_in(language):
        for name in (feature.name, feature.code, feature.label):
            assert tool.run(feature=name)["name"] == feature.label, name
