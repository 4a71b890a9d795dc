"""What tests of pages share."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium. A test that asks for it is skipped where there is none."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("no Chromium")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as engine:
        opened = engine.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()
