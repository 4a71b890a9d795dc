"""A model that answers by the question, and what else several files of faults share."""

from collections.abc import Iterator

import pytest

from tests.killing.scripted_model import ScriptedModel, serve_scripted_model


@pytest.fixture(scope="module")
def scripted_model() -> Iterator[ScriptedModel]:
    with serve_scripted_model() as model:
        yield model
