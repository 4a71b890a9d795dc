"""What was read once is kept: a tree of token prefixes with their KV states, from the shared prefix to conversations.

A node holds some tokens and their state; the path from the root is what stands before. Nodes of the shared prefix are
for everyone. A node that holds a student's text bears its owner, hangs below shared or the same owner's nodes only, and
is looked at for no request but that owner's.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from scribe.engine.token_sequence import TokenSequence, count_common
from scribe.gguf.context import Ids
from scribe.gguf.kv_state import KvState

DEEPEST = 200
"""Nodes behind each other. A conversation has some dozens; one that is cut at ever new places is not kept beyond."""

Key = tuple[str | None, int]
"""Under which a node hangs at its parent: its owner and its first token."""


@dataclass(slots=True, eq=False)
class PrefixNode:
    """Tokens behind those of the parent. owner: None in the shared prefix. used: when, for eviction."""

    owner: str | None
    start: int
    ids: Ids
    state: KvState
    parent: "PrefixNode | None"
    used: int = 0
    children: dict[Key, "PrefixNode"] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        return self.owner, int(self.ids[0])

    @property
    def end(self) -> int:
        return self.start + len(self.ids)


@dataclass(frozen=True, slots=True)
class PrefixMatch:
    """The beginning of a sequence as nodes from the root on; of the last one only the tokens before `end`."""

    nodes: tuple[PrefixNode, ...] = ()
    end: int = 0

    def states(self) -> list[KvState]:
        """The states of the tokens before `end`."""
        return [node.state.view(self.end - node.start) for node in self.nodes]


class PrefixCache:
    """The tree. most: bytes of states that are kept; the leaf that was of no use for longest goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._top: dict[Key, PrefixNode] = {}
        self._time = 0
        self.bytes = 0
        self.evicted = 0

    def find(self, tokens: TokenSequence) -> PrefixMatch:
        """The longest beginning of the sequence that is kept and that its owner may use."""
        best, end = None, 0
        waiting: list[tuple[dict[Key, PrefixNode], int]] = [(self._top, 0)]
        while waiting:
            children, at = waiting.pop()
            for child in _find_children(children, tokens, at):
                reach = at + count_common(child.ids, tokens.ids[at:])
                if reach > end:
                    best, end = child, reach
                if reach == child.end:
                    waiting.append((child.children, reach))
        return PrefixMatch(_list_from_root(best), end)

    def mark_used(self, match: PrefixMatch) -> None:
        """Note that these were of use."""
        self._time += 1
        for node in match.nodes:
            node.used = self._time

    def insert(self, tokens: TokenSequence, save: Callable[[], KvState]) -> None:
        """Keep the sequence as far as it may be kept. `save` gives its state, or more, and is called once if at all."""
        whole: KvState | None = None
        parent: PrefixNode | None = None
        at = 0
        nodes: list[PrefixNode] = []
        while at < tokens.cacheable and len(nodes) < DEEPEST:
            node = self._find_exact(parent, tokens, at)
            if node is None:
                whole = whole or save()
                end = tokens.next_cut(at)
                ids = tokens.ids[at:end].copy()
                node = self._add(PrefixNode(tokens.owner_at(at), at, ids, whole.cut(at, end), parent))
            nodes.append(node)
            parent, at = node, node.end
        self.mark_used(PrefixMatch(tuple(nodes), at))
        self._evict()

    def nodes(self) -> Iterator[PrefixNode]:
        """All nodes, each after its parent."""
        waiting = list(self._top.values())
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children.values()

    def _find_exact(self, parent: PrefixNode | None, tokens: TokenSequence, at: int) -> PrefixNode | None:
        """The child that holds exactly the next tokens; one that holds others behind them is split."""
        owner = tokens.owner_at(at)
        child = self._children(parent).get((owner, int(tokens.ids[at])))
        if child is None:
            return None
        limit = tokens.public if owner is None else len(tokens.ids)
        shared = count_common(child.ids, tokens.ids[at:limit])
        return child if shared == len(child.ids) else self._split(child, shared)

    def _children(self, parent: PrefixNode | None) -> dict[Key, PrefixNode]:
        return self._top if parent is None else parent.children

    def _add(self, node: PrefixNode) -> PrefixNode:
        self._children(node.parent)[node.key] = node
        self.bytes += node.state.nbytes
        return node

    def _remove(self, node: PrefixNode) -> None:
        del self._children(node.parent)[node.key]
        self.bytes -= node.state.nbytes

    def _split(self, node: PrefixNode, length: int) -> PrefixNode:
        """Put two nodes in the place of one; the first, which holds so many tokens."""
        self._remove(node)
        head, tail = node.state.cut(0, length), node.state.cut(length, len(node.ids))
        first = PrefixNode(node.owner, node.start, node.ids[:length].copy(), head, node.parent, node.used)
        rest = PrefixNode(node.owner, first.end, node.ids[length:].copy(), tail, first, node.used, node.children)
        for child in rest.children.values():
            child.parent = rest
        self._add(first)
        self._add(rest)
        return first

    def _evict(self) -> None:
        while self.bytes > self._most:
            self._remove(min((node for node in self.nodes() if not node.children), key=lambda node: node.used))
            self.evicted += 1


def _find_children(children: dict[Key, PrefixNode], tokens: TokenSequence, at: int) -> Iterator[PrefixNode]:
    """The nodes that may follow here: of the shared prefix, and of the sequence's owner."""
    if at < len(tokens.ids):
        for owner in (None, tokens.owner) if tokens.owner else (None,):
            if child := children.get((owner, int(tokens.ids[at]))):
                yield child


def _list_from_root(node: PrefixNode | None) -> tuple[PrefixNode, ...]:
    nodes = []
    while node is not None:
        nodes.append(node)
        node = node.parent
    return tuple(reversed(nodes))
