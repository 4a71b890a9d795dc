"""All errors of Scribe, under the name by which they are imported; they are defined in `scribe.plumbing.errors`."""

from scribe.plumbing.errors import (
    BackendError,
    ContextFull,
    ModelFileError,
    QueueFull,
    RecordError,
    RequestRefused,
    ScribeError,
    TransientError,
    UsageError,
)

__all__ = [
    "BackendError",
    "ContextFull",
    "ModelFileError",
    "QueueFull",
    "RecordError",
    "RequestRefused",
    "ScribeError",
    "TransientError",
    "UsageError",
]
