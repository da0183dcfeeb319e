"""NumPy: calls that write into buffers, used again as soon as they are free; and infix, for export."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from roofline_sym.core.expressions import ATOM, Expressions, free_name, lines
from roofline_sym.core.lowering import Node, in_order

#: NumPy's function for each operation, or ours where it has none.
FUNCTIONS = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "neg": "negative", "min": "minimum", "max": "maximum",
    "sqrt": "sqrt", "pow": "power", "exp": "exp", "log": "log", "ceil": "ceil", "floor": "floor",
    "and": "logical_and", "or": "logical_or", "not": "logical_not", "select": "choose",
}  # fmt: skip
#: What exported text says of calls.
OVER_ARRAYS = '''\
def over_arrays(function):
    """Cast every argument to float64, and do not warn of what has no value."""

    @wraps(function)
    def computed(*args, **named):
        args = [np.asarray(x, np.float64) for x in args]
        named = {name: np.asarray(x, np.float64) for name, x in named.items()}
        with np.errstate(all="ignore"):
            return function(*args, **named)

    return computed
'''

#: What exported text brings along where it calls it.
HELPERS = {
    "ceil": '''\
def ceil(x):
    """The next whole number; what lies above one by no more than roundings is that one: 2.1 / 0.7 gives 3."""
    down = np.floor(x) + 0.0
    return np.where(x - down <= 2.0**-48 * np.abs(x), down, np.ceil(x) + 0.0)
''',
    "floor": '''\
def floor(x):
    """The last whole number; what lies below one by no more than roundings is that one: 0.6 / 0.2 gives 3."""
    up = np.ceil(x) + 0.0
    return np.where(up - x <= 2.0**-48 * np.abs(x), up, np.floor(x) + 0.0)
''',
}

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_TRUTHS = (*_COMPARISONS, "and", "or", "not")  # small, and so made anew
_LONGEST = 92  # characters of a nested call; what is longer gets a name for one of its parts


@dataclass(frozen=True)
class InPlace:
    """The body of a function over arrays, and how many buffers it writes into besides `out`."""

    body: list[str]
    buffers: int


def in_place(inputs: Collection[str], result: Node) -> InPlace:
    """The statements of a function that ends with `out`; without buffers every call makes an array anew."""
    return _InPlace(inputs).made(result)


def buffer_name(number: int) -> str:
    """The name of a buffer; the first is the caller's."""
    return "out" if number == 0 else f"b{number}"


class _InPlace:
    """What is used twice, or long, is named and comes first; the rest is nested, evaluated from the inside out."""

    def __init__(self, inputs: Collection[str]) -> None:
        self._taken = set(inputs)
        self._names: dict[int, str] = {}
        self._buffer: dict[int, int] = {}

    def made(self, result: Node) -> InPlace:
        if result.is_leaf:
            return InPlace([f"return positive({self._leaf(result)}, out=out)"], 0)
        uses = dict.fromkeys(map(id, in_order(result)), 0)
        for parent in in_order(result):
            for argument in parent.args:
                uses[id(argument)] += 1
        roots = [*self._apart(result, uses), result]
        self._assign_buffers(roots, uses)
        body: list[str] = []
        for root in roots:
            text = self._text(root)
            if root is result:
                body += lines("return ", text, indent=4)
            else:
                self._names[id(root)] = name = free_name(root, self._taken)
                body += lines(f"{name} = ", text, indent=4)
        return InPlace(body, max(self._buffer.values(), default=0))

    def _apart(self, result: Node, uses: dict[int, int]) -> list[Node]:
        """What gets a line of its own."""
        named: set[int] = set()
        long: dict[int, int] = {}
        for node in in_order(result):
            if node.is_leaf:
                long[id(node)] = len(self._leaf(node))
                continue
            own = len(FUNCTIONS.get(node.op, "")) + len("(, out=b1)")
            inner = {id(a): a for a in node.args if not a.is_leaf and a.op not in _TRUTHS}
            parts = sorted(inner.values(), key=lambda a: -long[id(a)])
            for part in parts:
                if own + sum(long[id(a)] + 2 for a in node.args) > _LONGEST:
                    named.add(id(part))
                    long[id(part)] = 20  # about as long as a name
            long[id(node)] = own + sum(long[id(a)] + 2 for a in node.args)
            if uses[id(node)] > 1:
                named.add(id(node))
                long[id(node)] = 20
        return [node for node in in_order(result) if id(node) in named and node is not result]

    def _assign_buffers(self, roots: list[Node], left: dict[int, int]) -> None:
        """A buffer for each operation, in the order in which they run; one that nobody will read again is free."""
        used: set[int] = set()
        for node in self._as_run(roots):
            for argument in node.args:
                left[id(argument)] -= 1
                if left[id(argument)] == 0 and id(argument) in self._buffer:
                    used.discard(self._buffer[id(argument)])
            if node.op not in _TRUTHS:
                self._buffer[id(node)] = free = next(n for n in range(len(used) + 1) if n not in used)
                used.add(free)
        last = roots[-1]
        self._buffer[id(last)] = 0  # an operation may write over what it reads, so the last may always take `out`

    def _as_run(self, roots: list[Node]) -> Iterator[Node]:
        done: set[int] = set()

        def run(node: Node) -> Iterator[Node]:
            if not node.is_leaf and id(node) not in done:
                for argument in node.args:
                    yield from run(argument)
                done.add(id(node))
                yield node

        for root in roots:
            yield from run(root)

    def _text(self, node: Node) -> str:
        if id(node) in self._names:
            return self._names[id(node)]
        if node.is_leaf:
            return self._leaf(node)
        args = [self._text(a) for a in node.args]
        if node.op in _COMPARISONS:
            return f"{args[0]} {node.op} {args[1]}"
        if node.op not in _TRUTHS:
            args.append(f"out={buffer_name(self._buffer[id(node)])}")
        return f"{FUNCTIONS[node.op]}({', '.join(args)})"

    def _leaf(self, node: Node) -> str:
        return node.name if node.op == "input" else repr(node.value)


class NumPy(Expressions):
    """Infix over NumPy's functions; every branch is computed, and `where` takes one."""

    branching = False
    repeating = ()
    words = {op: FUNCTIONS[op] for op in ("pow", "and", "or", "not")}  # noqa: RUF012 - as in its base

    def _text(self, node: Node) -> tuple[str, int]:
        if node.op in ("min", "max", "and", "or", "not", "select"):
            function = "where" if node.op == "select" else FUNCTIONS[node.op]
            return f"{function}({', '.join(map(self.text, node.args))})", ATOM
        return super()._text(node)
