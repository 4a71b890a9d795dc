"""Which versions of Python and of packages something was made with."""

import platform
from collections.abc import Iterable
from importlib import metadata


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Python, and each of these packages as far as it is installed."""
    found = {"python": platform.python_version()}
    for name in packages:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found
