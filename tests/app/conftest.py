"""What tests of several folders need: a PostgreSQL of their own."""

from collections.abc import Iterator

import pytest

from tests.app.store.cluster import BINARIES, Cluster, run_cluster


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    if BINARIES is None:
        pytest.skip("PostgreSQL is not installed")
    with run_cluster() as running:
        yield running
