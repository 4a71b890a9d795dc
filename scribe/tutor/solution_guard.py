"""The check that a tutor does not write the solution: deterministic, and deaf to what the student asked for.

Code is compared line by line as tokens, so that spaces, quotes, the text of strings, annotations and the names of local
variables make no difference. What the student has already, in the task or in their own code, is no secret.
"""

import ast
import builtins
import keyword
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

MOST_LINES = 2
"""Consecutive lines of the reference that a turn may hold."""
FEWEST_TOKENS = 3
"""A shorter line, as `continue`, is a word of the language and gives nothing away."""
RENAMED_FROM = 5
"""Tokens of a line from which on other names of local variables make no difference; `x = 0` may be about anything."""

_TOKEN = re.compile(
    r"""(?P<string>(?<!\w)[rbfu]{0,2}(?:"{3}.*?"{3}|'{3}.*?'{3}|"[^"\n]*"|'[^'\n]*'))"""
    r"|(?P<name>[^\W\d]\w*)|\d[\w.]*|\*\*|//|->|[<>=!:+\-*/%&|^@]=|[^\w\s`]",
    re.DOTALL | re.IGNORECASE,
)
_ANNOTATION = re.compile(r"(?m)^([^\S\n]*+(?:self\.)?\w+)[^\S\n]*+:[\w\[\], .|\t]+=(?!=)")
_COMMENT = re.compile(r"(?m)(?:(?<!\s)\s{2,}+|^\s?)#.*$")
_FENCED = re.compile(r"```.*?(?:```|$)", re.DOTALL)
_INLINE = re.compile(r"`([^`\n]+)`")
_SENTENCE = re.compile(r"(?<=[.!?:])\s+|\n+")
Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReferenceLine:
    """A logical line of the reference: its text and its tokens."""

    text: str
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class SolutionGuard:
    """Refuses a whole part of the reference, or more than two of its lines in a row.

    parts: the code of each component; reference: the whole function, from which also the local names are read.
    """

    parts: Sequence[str]
    reference: str
    _lines: tuple[ReferenceLine, ...] = field(init=False)
    _wholes: tuple[tuple[ReferenceLine, ...], ...] = field(init=False)
    _locals: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_lines", tuple(_read_lines(self.reference)))
        object.__setattr__(self, "_wholes", tuple(tuple(_read_lines(part)) for part in self.parts))
        object.__setattr__(self, "_locals", frozenset(_list_locals(self.reference)))

    def find_leaks(self, text: str, known: str = "") -> tuple[str, ...]:
        """The lines of the reference that the text gives away; empty if it may be said.

        known: code that the student has, whose lines are no secret.
        """
        owned = {line.tokens for line in _read_lines(known)}
        secret = [line for line in self._lines if line.tokens not in owned]
        said = {line.tokens for line in self._all_lines() if line.tokens not in owned and self._says(text, line)}
        runs = (list(run) for found, run in groupby(secret, lambda line: line.tokens in said) if found)
        leaked = [line.text for run in runs if len(run) > MOST_LINES for line in run]
        for whole in self._wholes:
            hidden = [line for line in whole if line.tokens not in owned]
            if hidden and all(line.tokens in said for line in hidden):
                leaked += [line.text for line in hidden]
        return tuple(dict.fromkeys(leaked))

    def redact(self, text: str, known: str = "") -> str:
        """The text without what gives the solution away: its blocks of code, then the sentences that hold a line.

        Nothing is put in their place, so that little or nothing may be left.
        """
        if not self.find_leaks(text, known):
            return text
        bare = _FENCED.sub("", text).strip()
        if not self.find_leaks(bare, known):
            return bare
        owned = {line.tokens for line in _read_lines(known)}
        lines = [line for line in self._all_lines() if line.tokens not in owned]
        kept = [each for each in _SENTENCE.split(bare) if each and not any(self._says(each, line) for line in lines)]
        left = " ".join(kept)
        return "" if self.find_leaks(left, known) else left  # a line may have stood across sentences

    def _all_lines(self) -> Iterator[ReferenceLine]:
        yield from self._lines
        for whole in self._wholes:
            yield from whole

    def _says(self, text: str, line: ReferenceLine) -> bool:
        """Whether the line stands in the text. Names alone, as `return total`, must stand as code: they are prose."""
        telling = any(not token.isidentifier() for token in line.tokens)
        places = [text] if telling else [*_FENCED.findall(text), *_INLINE.findall(_FENCED.sub(" ", text))]
        return any(
            self._holds(_tokenize(form), line.tokens) for place in places for form in {place, _unannotated(place)}
        )

    def _holds(self, tokens: Tokens, line: Tokens) -> bool:
        free = self._locals if len(line) >= RENAMED_FROM else frozenset[str]()
        return any(_match(tokens[at : at + len(line)], line, free) for at in range(len(tokens) - len(line) + 1))


FindGuard = Callable[[str], SolutionGuard]
"""The guard of a task by its id."""


def _match(tokens: Tokens, line: Tokens, free: frozenset[str]) -> bool:
    """Whether the tokens are the line's, but for one other name for each of the `free` ones."""
    renamed: dict[str, str] = {}
    for token, wanted in zip(tokens, line, strict=True):
        if wanted in free:
            variable = token.isidentifier() and not keyword.iskeyword(token) and not hasattr(builtins, token)
            if not variable or renamed.setdefault(wanted, token) != token:
                return False
        elif token != wanted:
            return False
    return len(set(renamed.values())) == len(renamed)


def _read_lines(code: str) -> Iterator[ReferenceLine]:
    """The logical lines that tell something; docstrings and comments are none."""
    for text in _join_lines(_COMMENT.sub("", _unannotated(code))):
        tokens = _tokenize(text)
        if len(tokens) >= FEWEST_TOKENS or (len(tokens) > 1 and tokens[0] == "return"):
            yield ReferenceLine(text.strip(), tokens)


def _join_lines(code: str) -> Iterator[str]:
    """Lines, those joined that stand in one pair of brackets; an empty line ends all, so that a stray one ends too."""
    held, depth = "", 0
    for line in code.splitlines():
        held += line if not held else f" {line.strip()}"
        bare = re.sub(r"\"[^\"\n]*\"|'[^'\n]*'", "", line)
        depth += sum(bare.count(each) for each in "([{") - sum(bare.count(each) for each in ")]}")
        if depth <= 0 or not line.strip():
            yield held
            held, depth = "", 0
    if held:
        yield held


def _tokenize(text: str) -> Tokens:
    """Tokens as Python has them; strings are all alike, and neither a line's colon nor a trailing comma counts."""
    found = tuple('""' if match["string"] else match.group() for match in _TOKEN.finditer(text))
    pairs = zip(found, (*found, "")[1:], strict=True)
    tokens = tuple(each for each, following in pairs if each != "," or following not in {")", "]", "}"})
    return tokens[:-1] if tokens and tokens[-1] == ":" else tokens


def _unannotated(code: str) -> str:
    return _ANNOTATION.sub(r"\1 =", code)


def _list_locals(reference: str) -> Iterator[str]:
    """The names that the function binds, its arguments left out: the task gives those."""
    try:
        tree = ast.parse(reference)
    except SyntaxError:
        return
    given = {each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in given:
            yield node.id
