"""Where the command begins: it loads the rest, which takes a second in which somebody may press Ctrl-C."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command; an interruption ends it without a traceback, whenever it comes."""
    try:
        from roofline_sym.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
