"""What was read once is kept: a tree of token prefixes with their states, from nobody's text down to a conversation.

A node holds some tokens and what the model has read of them; the path from the root is what stands before. Nodes of
nobody's text are for everyone. A node that holds a student's text bears its owner, hangs below nobody's or the same
owner's nodes only, and is looked at for no request but that owner's.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from scribe.engine.context import Ids
from scribe.engine.path import Path, common
from scribe.engine.state import State

DEEPEST = 200
"""Nodes behind each other. A conversation has some dozens; one that is cut at ever new places is not kept beyond."""

Key = tuple[str | None, int]
"""Under which a node hangs at its parent: its owner and its first token."""


@dataclass(slots=True, eq=False)
class Node:
    """Tokens behind those of the parent. owner: None if they are nobody's text. used: when, for eviction."""

    owner: str | None
    start: int
    ids: Ids
    state: State
    parent: "Node | None"
    used: int = 0
    children: dict[Key, "Node"] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        return self.owner, int(self.ids[0])

    @property
    def end(self) -> int:
        return self.start + len(self.ids)


@dataclass(frozen=True, slots=True)
class Found:
    """The beginning of a path as nodes from the root on; of the last one only the tokens before `end`."""

    nodes: tuple[Node, ...] = ()
    end: int = 0

    def states(self) -> list[State]:
        """The states of the tokens before `end`."""
        return [_first(node.state, self.end - node.start) for node in self.nodes]


class Prefixes:
    """The tree. most: bytes of states that are kept; the leaf that was of no use for longest goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._top: dict[Key, Node] = {}
        self._time = 0
        self.count = 0
        self.bytes = 0
        self.evicted = 0

    def find(self, path: Path) -> Found:
        """The longest beginning of the path that is kept and that its owner may use."""
        best, end = None, 0
        waiting: list[tuple[dict[Key, Node], int]] = [(self._top, 0)]
        while waiting:
            children, at = waiting.pop()
            for child in _fitting(children, path, at):
                reach = at + common(child.ids, path.ids[at:])
                if reach > end:
                    best, end = child, reach
                if reach == child.end:
                    waiting.append((child.children, reach))
        return Found(_from_root(best), end)

    def touch(self, found: Found) -> None:
        """Note that these were of use."""
        self._time += 1
        for node in found.nodes:
            node.used = self._time

    def insert(self, path: Path, state: Callable[[], State]) -> None:
        """Keep the path as far as it may be kept. `state`, of the path or more, is asked for once if need be."""
        whole: State | None = None
        parent: Node | None = None
        at = 0
        nodes: list[Node] = []
        while at < path.keepable and len(nodes) < DEEPEST:
            node = self._held(parent, path, at)
            if node is None:
                whole = whole or state()
                end = path.next_cut(at)
                node = self._add(Node(path.owner_at(at), at, path.ids[at:end].copy(), whole.cut(at, end), parent))
            nodes.append(node)
            parent, at = node, node.end
        self.touch(Found(tuple(nodes), at))
        self._evict()

    def _held(self, parent: Node | None, path: Path, at: int) -> Node | None:
        """The child that holds exactly the path's next tokens; one that holds others behind them is cut in two."""
        owner = path.owner_at(at)
        child = self._children(parent).get((owner, int(path.ids[at])))
        if child is None:
            return None
        limit = path.public if owner is None else len(path.ids)
        shared = common(child.ids, path.ids[at:limit])
        return child if shared == len(child.ids) else self._cut(child, shared)

    def _children(self, parent: Node | None) -> dict[Key, Node]:
        return self._top if parent is None else parent.children

    def _add(self, node: Node) -> Node:
        self._children(node.parent)[node.key] = node
        self.count += 1
        self.bytes += node.state.nbytes
        return node

    def _remove(self, node: Node) -> None:
        del self._children(node.parent)[node.key]
        self.count -= 1
        self.bytes -= node.state.nbytes

    def _cut(self, node: Node, length: int) -> Node:
        """Put two nodes in the place of one; the first, which holds so many tokens."""
        self._remove(node)
        first = Node(
            node.owner, node.start, node.ids[:length].copy(), node.state.cut(0, length), node.parent, node.used
        )
        state = node.state.cut(length, len(node.ids))
        rest = Node(node.owner, first.end, node.ids[length:].copy(), state, first, node.used, node.children)
        for child in rest.children.values():
            child.parent = rest
        self._add(first)
        self._add(rest)
        return first

    def _evict(self) -> None:
        while self.bytes > self._most:
            self._remove(min((node for node in self.nodes() if not node.children), key=lambda node: node.used))
            self.evicted += 1

    def nodes(self) -> Iterator[Node]:
        """All nodes, each after its parent."""
        waiting = list(self._top.values())
        while waiting:
            node = waiting.pop()
            yield node
            waiting += node.children.values()


def _fitting(children: dict[Key, Node], path: Path, at: int) -> Iterator[Node]:
    """The nodes that may follow at this place of the path: nobody's, and its owner's."""
    if at < len(path.ids):
        for owner in (None, path.owner) if path.owner else (None,):
            if child := children.get((owner, int(path.ids[at]))):
                yield child


def _from_root(node: Node | None) -> tuple[Node, ...]:
    """The nodes down to this one."""
    found = []
    while node is not None:
        found.append(node)
        node = node.parent
    return tuple(reversed(found))


def _first(state: State, count: int) -> State:
    return state if count >= len(state) else State(state.layout, state.keys[:, :count], state.values[:, :, :count])
