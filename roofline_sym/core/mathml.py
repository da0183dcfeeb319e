"""Formulas for a page that needs nothing but itself: the LaTeX that `printing` writes, as MathML.

It reads our own dialect and refuses anything else, so that a new command is seen here and not on a reader's screen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[A-Za-z]|\d+(?:\.\d+)?|\s+|.", re.DOTALL)
_LETTERS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε", "eta": "η", "iota": "ι",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "ϕ",
    "chi": "χ", "omega": "ω", "Delta": "Δ", "Omega": "Ω", "nabla": "∇", "ell": "ℓ", "infty": "∞",
}  # fmt: skip
_OPERATORS = {
    "cdot": "·", "times": "×", "sum": "∑", "lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "to": "→",
}  # fmt: skip
_NAMES = ("min", "max", "ln", "exp")
_SPACES = {r"\,": "0.17em", r"\;": "0.28em", r"\!": ""}
_ACCENTS = {"hat": "^", "bar": "¯"}
_CALLIGRAPHIC = {"E": "ℰ"}
NO_BREAK = "\u00a0"  #: a blank at the end of a text would be dropped
_CLOSING = {"}", r"\right", r"\end", "&", r"\\"}


class MathError(ValueError):
    """LaTeX outside of the dialect; the message names the command."""


def mathml(latex: str, *, display: bool = False) -> str:
    """A formula of ours as a MathML element.

    Raises:
        MathError: it holds a command this file does not know, or its brackets do not match.
    """
    reader = _Reader(_tokens(latex))
    content = reader.row()
    if reader.rest:
        raise MathError(f"{reader.rest[0]!r} closes nothing in {latex!r}")
    kind = ' display="block"' if display else ""
    return f'<math xmlns="http://www.w3.org/1998/Math/MathML"{kind}>{content}</math>'


def _tokens(latex: str) -> list[str]:
    """The tokens; blanks count in texts alone."""
    found, within = [], 0
    for piece in _TOKEN.findall(latex):
        if piece == r"\text":
            within = -1
        elif within and piece in "{}":
            within = max(within, 0) + (1 if piece == "{" else -1)
        if not piece.isspace() or within > 0:
            found.append(piece)
    return found


class _Reader:
    """Reads tokens from the left; `rest` is what is left."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens, self._at = tokens, 0

    @property
    def rest(self) -> list[str]:
        return self._tokens[self._at :]

    def row(self) -> str:
        """Everything up to what closes it."""
        return f"<mrow>{''.join(self._parts())}</mrow>"

    def _parts(self) -> Iterator[str]:
        while self._peek() is not None and self._peek() not in _CLOSING:
            yield self._scripted(self._atom())

    def _peek(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, wanted: str | None = None) -> str:
        piece = self._peek()
        if piece is None or (wanted is not None and piece != wanted):
            raise MathError(f"{piece!r} where {wanted or 'something'!r} was wanted, in {''.join(self._tokens)!r}")
        self._at += 1
        return piece

    def _scripted(self, base: str) -> str:
        scripts: dict[str, str] = {}
        while self._peek() in ("_", "^"):
            sign = self._take()
            scripts[sign] = self._argument()
        large = base == "<mo>∑</mo>"
        if set(scripts) == {"_", "^"}:
            tag = "munderover" if large else "msubsup"
            return f"<{tag}>{base}{scripts['_']}{scripts['^']}</{tag}>"
        for sign, tag in (("_", "msub"), ("^", "msup")):
            if sign in scripts:
                return f"<{tag}>{base}{scripts[sign]}</{tag}>"
        return base

    def _argument(self) -> str:
        return self._group() if self._peek() == "{" else self._atom()

    def _group(self) -> str:
        self._take("{")
        content = self.row()
        self._take("}")
        return content

    def _atom(self) -> str:
        piece = self._take()
        if piece == "{":
            self._at -= 1
            return self._group()
        if piece in _SPACES:
            return f'<mspace width="{_SPACES[piece]}"/>' if _SPACES[piece] else ""
        if not piece.startswith("\\"):
            return self._plain(piece)
        name = piece[1:]
        if name in _LETTERS:
            return f"<mi>{_LETTERS[name]}</mi>"
        if name in _OPERATORS:
            return f"<mo>{_OPERATORS[name]}</mo>"
        if name in _NAMES:
            return f"<mi>{name}</mi>"
        return self._command(name)

    def _command(self, name: str) -> str:
        if name == "text":
            return f"<mtext>{escape(self._raw()).replace(' ', NO_BREAK)}</mtext>"
        if name == "frac":
            return f"<mfrac>{self._group()}{self._group()}</mfrac>"
        if name == "sqrt":
            return f"<msqrt>{self._group()}</msqrt>"
        if name in _ACCENTS:
            return f"<mover accent='true'>{self._group()}<mo>{_ACCENTS[name]}</mo></mover>"
        if name == "mathcal":
            letter = self._raw()
            return f"<mi>{_CALLIGRAPHIC.get(letter, letter)}</mi>"
        if name == "left":
            left, content = self._atom(), self.row()
            self._take(r"\right")
            return f"<mrow>{left}{content}{self._atom()}</mrow>"
        if name == "begin":
            return self._cases()
        raise MathError(f"no MathML for \\{name}")

    def _cases(self) -> str:
        if self._raw() != "cases":
            raise MathError("the only environment is cases")
        rows, cells = [], []
        while self._peek() != r"\end":
            cells.append(f'<mtd style="text-align:left">{self.row()}</mtd>')
            if self._peek() != "&":
                rows.append(f"<mtr>{''.join(cells)}</mtr>")
                cells = []
            if self._peek() != r"\end":
                self._take()
        self._take(r"\end")
        self._raw()
        return f'<mrow><mo stretchy="true">{{</mo><mtable columnalign="left left">{"".join(rows)}</mtable></mrow>'

    def _raw(self) -> str:
        """What stands between braces, as it stands; of a sign in a text, ``CO_2``, the low line goes."""
        self._take("{")
        found = []
        while self._peek() != "}":
            found.append(self._take())
        self._take("}")
        return "".join(found)

    @staticmethod
    def _plain(piece: str) -> str:
        if piece[0].isdigit():
            return f"<mn>{piece}</mn>"
        if piece.isalpha():
            return f"<mi>{piece}</mi>"
        return f"<mo>{escape('−' if piece == '-' else '∗' if piece == '*' else piece)}</mo>"
