"""What can go wrong on our side or the world's. A model's mistakes are values (`Fault`), never these.

- ScribeError
  - UsageError         the caller asked for something that does not exist or cannot be
  - BackendError       a model could not be loaded or did not answer
    - ModelFileError   a model file is missing, truncated or not what it claims to be
    - ContextFull      the prompt does not fit the model's context
    - QueueFull        too many requests wait for the model already
    - TransientError   a server is busy or out of reach; asking again may help
    - RequestRefused   a server takes requests, but not this one
  - RecordError        a record on disk is not readable
"""


class ScribeError(Exception):
    """Root of all errors that Scribe raises on purpose; the message says what to do."""


class UsageError(ScribeError, ValueError):
    """The caller named something that does not exist or passed a value that cannot be used."""


class BackendError(ScribeError, RuntimeError):
    """A model could not be loaded, reached or run."""


class ModelFileError(BackendError):
    """A model file is missing, truncated or not what it claims to be."""


class ContextFull(BackendError):
    """The prompt leaves no room for an answer in the model's context."""

    def __init__(self, prompt_tokens: int, context: int) -> None:
        super().__init__(f"the prompt has {prompt_tokens} tokens and the model's context holds {context}")
        self.prompt_tokens = prompt_tokens
        self.context = context

    def __reduce__(self) -> tuple[type["ContextFull"], tuple[int, int]]:
        return type(self), (self.prompt_tokens, self.context)


class QueueFull(BackendError):
    """So many requests wait already that another one is refused."""

    def __init__(self, waiting: int) -> None:
        super().__init__(f"{waiting} requests wait for the model already; try again in a moment")
        self.waiting = waiting

    def __reduce__(self) -> tuple[type["QueueFull"], tuple[int]]:
        return type(self), (self.waiting,)


class TransientError(BackendError):
    """Asking again may help; `after` is how many seconds the server asked to wait, 0 if it did not say."""

    def __init__(self, message: str, after: float = 0.0) -> None:
        super().__init__(message)
        self.after = after


class RequestRefused(BackendError):
    """The server takes requests, but not this one: its text, or a field that it does not know."""


class RecordError(ScribeError, ValueError):
    """A stored record cannot be read; the message names file and line."""
