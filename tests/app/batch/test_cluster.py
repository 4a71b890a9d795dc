"""The same batch over a Ray cluster of two nodes on this machine's loopback, of which some do not survive it."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

# Read when Ray is imported: nothing is reported to anybody, and "localhost" stays the loopback address.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
pytest.importorskip("ray", reason="Ray is optional: pip install 'scribe-campus[ray]'")

from app.cli import main
from tests.app.batch.questions import lines, row, write
from tests.app.batch.scripted_reader import DEADLY, MakeMortal, answer_to
from tests.app.batch.slow_program import environment

IN, OUT = Path("in.jsonl"), Path("out.jsonl")
NODE = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "node_ip_address": "127.0.0.1"}
Err = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head with one CPU and a node with another, whose workers find this checkout."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
        made = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
        made.add_node(**NODE)
        yield made
        made.shutdown()


@pytest.fixture
def make(place: Path) -> MakeMortal:
    """Readers of which one dies."""
    (place / "graves").mkdir()
    return MakeMortal(place / "asked", place / "graves")


def answer(cluster: Any, make: MakeMortal, *options: str) -> int:
    machines = ["--engine", "ray", "--ray-address", cluster.address, "--parallel", "2", *options]
    return main(["answer", str(IN), "--out", str(OUT), *machines], make)


def questions(count: int, deadly: int) -> None:
    write(IN, [row(number, **({"question": f"Why {DEADLY}?"} if number == deadly else {})) for number in range(count)])


def asked(make: MakeMortal) -> int:
    return len(make.asked.read_text().splitlines()) if make.asked.exists() else 0


def kept(line: dict[str, Any]) -> tuple[Any, ...]:
    """What of a line does not depend on who answered when."""
    return line["id"], line["status"], line["answer"], line["task"], line["model"], line["fingerprint"]


def test_a_worker_that_is_killed_costs_nothing_and_a_local_run_goes_on_in_the_cluster(
    cluster: Any, make: MakeMortal
) -> None:
    questions(30, deadly=17)
    assert main(["answer", str(IN), "--out", str(OUT), "--limit", "5"], make) == 0
    assert answer(cluster, make) == 0
    assert len(list(make.graves.iterdir())) == 1
    assert [line["id"] for line in lines(OUT)] == [f"q{number}" for number in range(30)]
    assert all(line["answer"] == answer_to(line["task"]["question"]) for line in lines(OUT))
    there = [kept(line) for line in lines(OUT)]
    assert main(["answer", str(IN), "--out", str(OUT), "--fresh"], make) == 0
    assert [kept(line) for line in lines(OUT)] == there


def test_a_question_that_kills_every_worker_fails_alone(cluster: Any, make: MakeMortal) -> None:
    questions(8, deadly=3)
    mortal = MakeMortal(make.asked, make.graves, deaths=99)
    assert answer(cluster, mortal) == 3
    assert [line["status"] for line in lines(OUT)] == ["ok"] * 3 + ["error"] + ["ok"] * 4
    assert "3 workers died over this question" in lines(OUT)[3]["error"]["message"]
    assert len(list(make.graves.iterdir())) == 3


def test_a_worker_with_another_model_is_given_no_row(cluster: Any, make: MakeMortal, capsys: Err) -> None:
    questions(30, deadly=99)
    assert answer(cluster, MakeMortal(make.asked, make.graves, alike=False, delay=0.2)) == 1
    assert "a worker found another model" in capsys.readouterr().err
    assert not OUT.exists() or len({line["model"]["name"] for line in lines(OUT)}) == 1


def test_a_cluster_that_is_too_small_or_not_there_is_refused(cluster: Any, make: MakeMortal, capsys: Err) -> None:
    questions(3, deadly=99)
    assert answer(cluster, make, "--ray-gpus", "1") == 2
    assert "no worker fits the cluster: it has 2 CPU, 0 GPU" in capsys.readouterr().err
    nobody = ["--engine", "ray", "--ray-address", "127.0.0.1:9"]
    assert main(["answer", str(IN), "--out", str(OUT), *nobody], make) == 2
    assert "no Ray cluster can be used at 127.0.0.1:9" in capsys.readouterr().err
    assert not OUT.exists()


def test_a_ray_of_our_own_can_be_reached_from_this_machine_alone(place: Path, make: MakeMortal) -> None:
    questions(4, deadly=99)
    machines = ["--engine", "ray", "--ray-workers", "1", "--parallel", "1"]
    argv = ["-m", "tests.app.batch.slow_program", "answer", str(IN), "--out", str(OUT), *machines]
    where = environment(place, delay=1)
    run = subprocess.Popen([sys.executable, *argv], env=where)
    while not asked(make):
        assert run.poll() is None
        time.sleep(0.05)
    family = [psutil.Process(run.pid), *psutil.Process(run.pid).children(recursive=True)]
    listening = {
        connection.laddr.ip.removeprefix("::ffff:")
        for process in family
        for connection in process.net_connections()
        if connection.status == psutil.CONN_LISTEN
    }
    assert listening == {"127.0.0.1"}
    assert run.wait(timeout=60) == 0


def test_a_node_that_is_lost_costs_nothing(cluster: Any, make: MakeMortal) -> None:
    questions(60, deadly=99)
    lost = cluster.add_node(**NODE)

    def lose() -> None:
        while asked(make) < 10:
            time.sleep(0.01)
        cluster.remove_node(lost, allow_graceful=False)

    accident = threading.Thread(target=lose, daemon=True)
    accident.start()
    assert answer(cluster, make, "--ray-workers", "3") == 0
    accident.join()
    assert [line["id"] for line in lines(OUT)] == [f"q{number}" for number in range(60)]
