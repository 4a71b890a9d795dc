"""The command that puts Python behind walls: bubblewrap with every namespace, a few read-only folders, no rights."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scribe.sandbox.result import SandboxLimits, SandboxMissing
from scribe.sandbox.syscalls import build_filter

NOBODY = "65534"
_LIBRARIES = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")
_VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"
_NAMESPACES = (
    *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--uid", NOBODY, "--gid", NOBODY, "--hostname", "sandbox", "--die-with-parent", "--new-session", "--as-pid-1"),
    *("--clearenv", "--setenv", "LANG", "C.UTF-8", "--setenv", "LD_LIBRARY_PATH", "/python/lib"),
    # Sets are in the same order each time: a test fails today as it will tomorrow.
    *("--setenv", "PYTHONHASHSEED", "0", "--setenv", "PYTHONDONTWRITEBYTECODE", "1"),
)


@dataclass(frozen=True, slots=True)
class WalledCommand:
    """A command line, and the files that it inherits."""

    words: tuple[str, ...]
    files: tuple[int, ...]


def find_bubblewrap() -> str:
    """The path of `bwrap`; raises SandboxMissing."""
    found = shutil.which("bwrap")
    if found is None:
        raise SandboxMissing(
            "code of others runs only in a sandbox, and this machine has no bubblewrap: "
            "apt-get install bubblewrap (or your system's package of that name)"
        )
    return found


@contextmanager
def build_walls(program: str, limits: SandboxLimits) -> Iterator[WalledCommand]:
    """The command that runs a program's text by this Python behind walls, as long as the filter's file is open.

    Raises SandboxMissing.
    """
    bubblewrap = find_bubblewrap()
    rules = os.memfd_create("seccomp")
    try:
        os.write(rules, build_filter())
        os.lseek(rules, 0, os.SEEK_SET)
        prefix = Path(sys.base_prefix)
        words = [bubblewrap]
        if os.geteuid() == 0:
            words, prefix = [*_leave_root(bubblewrap, prefix), bubblewrap], Path("/mnt")
        words += [*_NAMESPACES, *_system(), *_python(prefix), "--dev-bind", "/dev/null", "/dev/null"]
        words += ["--perms", "0700", "--size", str(limits.disk), "--tmpfs", "/work", "--chdir", "/work"]
        words += ["--remount-ro", "/", "--seccomp", str(rules), "--"]
        yield WalledCommand((*words, f"/python/bin/{_VERSION}", "-S", "-s", "-P", "-c", program), (rules,))
    finally:
        os.close(rules)


def _leave_root(bubblewrap: str, prefix: Path) -> tuple[str, ...]:
    """What root puts first: become nobody, since no limit on processes holds for root, in whatever namespace.

    Python is shown in /mnt: nobody may not walk through root's own folders, where it may stand.
    """
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        raise SandboxMissing("as root the sandbox needs setpriv: apt-get install util-linux")
    return (
        *(bubblewrap, "--ro-bind", "/", "/", "--dev-bind", "/dev", "/dev", "--bind", "/proc", "/proc"),
        *("--ro-bind", str(prefix), "/mnt"),
        # A space of processes, since who was root may not signal nobody: what is left ends with the space.
        *("--unshare-pid", "--die-with-parent", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--"),
        *(setpriv, "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups", "--inh-caps=-all"),
    )


def _system() -> Iterator[str]:
    """Shared libraries, read-only; no programs, no settings, no devices, no /proc."""
    for name in _LIBRARIES:
        path = Path(name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), name)
        elif path.is_dir():
            yield from ("--ro-bind", name, name)
    if Path("/etc/ld.so.cache").is_file():
        yield from ("--ro-bind", "/etc/ld.so.cache", "/etc/ld.so.cache")


def _python(prefix: Path) -> Iterator[str]:
    """This Python with its standard library, and nothing that was installed into it."""
    standard = Path(sysconfig.get_path("stdlib"))
    inside = f"/python/{sys.platlibdir}/{_VERSION}"
    yield from ("--ro-bind", str(prefix / "bin" / _VERSION), f"/python/bin/{_VERSION}")
    yield from ("--ro-bind", str(prefix / standard.relative_to(sys.base_prefix)), inside)
    if (standard / "site-packages").is_dir():
        yield from ("--tmpfs", f"{inside}/site-packages", "--remount-ro", f"{inside}/site-packages")
    for library in sorted((Path(sys.base_prefix) / "lib").glob("libpython*.so*")):
        yield from ("--ro-bind", str(prefix / "lib" / library.name), f"/python/lib/{library.name}")
