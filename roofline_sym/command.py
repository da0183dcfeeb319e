"""Where the command begins: it loads the rest, which takes a second in which somebody may press Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any, NoReturn

INTERRUPTED = 130  #: the exit code of Ctrl-C, as shells have it


def main() -> None:
    """Run the command; an interruption ends it without a traceback, whenever it comes."""
    in_main = threading.current_thread() is threading.main_thread()  # no other one may say what a signal does
    hears = in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if hears:
        signal.signal(signal.SIGINT, _leave)
    try:
        from roofline_sym.cli import main as run

        run(loaded=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) if hears else None)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _leave(*_: Any) -> NoReturn:
    os._exit(INTERRUPTED)  # an exception may be lost, or told of, by what is loaded; and nothing is half done yet
