"""The licences of everything that Scribe installs: `python .ci/licences.py` writes LICENSES.md and fails for a bad one.

What is installed says itself under which licence it is (the metadata of its package). A licence is compatible if
Scribe, under MIT, may be given away together with the package as it comes: permissive ones, and those that ask for the
source of changes to the package's own files alone. What says it in a way that no rule reads stands in REVIEWED, with
what was found in the package.
"""

import re
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "LICENSES.md"
COMPATIBLE = {
    "0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "CNRI-Python", "ISC",
    "LGPL-3.0-only", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0", "Python-2.0", "Unlicense", "Zlib",
}  # fmt: skip
"""SPDX names. LGPL: psycopg is a library of its own, which may be exchanged. BSD: with two or three clauses."""
EXCEPTIONS = {"LLVM-exception"}
SPELLED = {
    "apache 2.0": "Apache-2.0",
    "apache 2.0 license": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "apache": "Apache-2.0",
    "apache-2": "Apache-2.0",
    "bsd license": "BSD",
    "bsd 3-clause": "BSD-3-Clause",
    "bsd 3-clause license": "BSD-3-Clause",
    "new bsd": "BSD-3-Clause",
    "gnu lesser general public license v3 (lgplv3)": "LGPL-3.0-only",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "the mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "psf": "PSF-2.0",
    "python software foundation license": "PSF-2.0",
    "public domain": "Unlicense",
    "the unlicense (unlicense)": "Unlicense",
    "zlib/libpng license": "Zlib",
}
REVIEWED = {"axe-playwright-python": ("MIT", "licenses/LICENSE in its metadata is the MIT licence's text")}
"""By package: the licence, and where it was found."""
OURS = "scribe-campus"


def find_licence(package: metadata.Distribution) -> str:
    """What a package says of itself, as an SPDX expression where that can be read; else its words, or nothing."""
    name = normalise(package.metadata["Name"])
    if name in REVIEWED:
        return REVIEWED[name][0]
    told = package.metadata
    if told["License-Expression"]:
        return str(told["License-Expression"])
    classes = [each.rpartition(" :: ")[2] for each in told.get_all("Classifier") or () if each.startswith("License ::")]
    named = [SPELLED[each.lower()] for each in classes if each.lower() in SPELLED]
    if named:
        return " AND ".join(sorted(set(named)))
    first = (told["License"] or "").strip().split("\n")[0].strip()
    return SPELLED.get(first.lower(), first)


def is_compatible(licence: str) -> bool:
    """Whether an SPDX expression leaves a way that is compatible: one side of an OR, all sides of an AND."""
    bare = licence.replace("(", " ").replace(")", " ")
    ways = [re.split(r"\s+AND\s+", way.strip()) for way in re.split(r"\s+OR\s+", bare)]
    return any(all(_is_allowed(part) for part in way) for way in ways)


def _is_allowed(part: str) -> bool:
    name, _, exception = part.strip().partition(" WITH ")
    return name in COMPATIBLE and (not exception or exception in EXCEPTIONS)


def normalise(name: str) -> str:
    """A package's name as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def list_packages(constraints: Path = ROOT / "constraints.txt") -> list[tuple[str, str, str]]:
    """Name, version and licence of each package that is installed here; of an extra's, if the extra is."""
    named = {normalise(line.partition("==")[0]) for line in constraints.read_text().splitlines()}
    found = {normalise(each.metadata["Name"]): each for each in metadata.distributions()}
    foreign = sorted(found.keys() - named - {OURS, "pip", "setuptools", "wheel"})
    if foreign:
        print(f"not in constraints.txt, and not looked at: {', '.join(foreign)}", file=sys.stderr)
    kept = sorted(found.keys() & named)
    # A local version, such as torch's +cpu, says how it was built here.
    versions = {name: found[name].version.partition("+")[0] for name in kept}
    return [(found[name].metadata["Name"], versions[name], find_licence(found[name])) for name in kept]


def write_table(packages: list[tuple[str, str, str]]) -> str:
    """The page."""
    rows = "".join(f"| {name} | {version} | {licence or '?'} |\n" for name, version, licence in packages)
    reviewed = "".join(f"* {name}: {why}\n" for name, (_, why) in sorted(REVIEWED.items()))
    return (
        "# Licences of what Scribe installs\n\n"
        "Written by `make licences` from what the packages in constraints.txt say of themselves; Scribe itself is\n"
        "under MIT (LICENSE). PyPI's torch for machines with a GPU also brings NVIDIA's CUDA libraries, which are\n"
        "proprietary and come under NVIDIA's own terms; the build for CPUs has none of them.\n\n"
        f"| package | version | licence |\n|---|---|---|\n{rows}"
        + (f"\nRead in the package, since its metadata does not say it:\n\n{reviewed}" if reviewed else "")
    )


def main() -> int:
    """Write the page; 1 if a licence is not known to be compatible, or the page was not as it should be (--check)."""
    packages = list_packages()
    bad = [each for each in packages if not is_compatible(each[2])]
    for name, version, licence in bad:
        print(f"{name} {version}: {licence or 'no licence named'}: not known to be compatible", file=sys.stderr)
    table = write_table(packages)
    if "--check" in sys.argv:
        there = TARGET.read_text(encoding="utf-8").splitlines() if TARGET.exists() else []
        new = [line for line in table.splitlines() if line.startswith("| ") and line not in there]
        print(
            "\n".join(["missing in LICENSES.md, which `make licences` writes:", *new] if new else ["as it should be"])
        )
        return 1 if bad or new else 0
    TARGET.write_text(table, encoding="utf-8")
    print(f"{len(packages)} packages, {len(bad)} not known to be compatible: {TARGET.name}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
