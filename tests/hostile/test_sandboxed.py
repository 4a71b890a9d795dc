"""Code of a programming task looks for what others have: none of it is in its reach."""

import shutil
import socket
from pathlib import Path
from textwrap import indent

import pytest

from scribe.sandbox.result import SandboxLimits
from scribe.sandbox.running import run_suite
from tests.hostile.corpus import choose
from tests.hostile.world import PROOF, find_leaks, write_world


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap")
@pytest.mark.timeout(330)
def test_code_finds_nothing_of_another_student_or_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_world(tmp_path)
    (tmp_path / "proof").write_text(PROOF)
    monkeypatch.setenv("SCRIBE_API_KEY", PROOF)
    attacks = choose("sandbox")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        bodies = [each.text.replace("WORLD", str(tmp_path)).replace("PORT", port) for each in attacks]
        tests = "\n\n".join(f"def test_{n}():\n{indent(body, '    ')}" for n, body in enumerate(bodies))
        result = run_suite({}, tests, SandboxLimits(cpu_seconds=2, seconds=6, total_seconds=200))
    assert len(result.cases) == len(attacks)
    for attack, case in zip(attacks, result.cases, strict=True):
        assert case.reason != "unreached", attack.id
        assert not find_leaks(f"{case.message} {case.output}") and "OUT" not in case.output, attack.id
