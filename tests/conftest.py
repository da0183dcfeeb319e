"""How the tests are shared out over processes, and how they run the command."""

import gc
import os
import sys
from functools import cache, partial
from types import SimpleNamespace
from unittest.mock import patch

import pytest
import typer

os.environ.pop("COLUMNS", None)  # screens in these tests are as wide as in a pipe, whoever starts them

typer.main.get_command = cache(typer.main.get_command)  # built anew at each call, which in a process of a user is one


@pytest.fixture
def run(capsys):
    """Run the command in this process; gives its exit code and both outputs."""
    from roofline_sym.cli import main

    def command(*args):
        capsys.readouterr()
        code = 0
        with patch.object(sys, "argv", ["roofline-sym", *args]), patch.dict(os.environ, {"NO_COLOR": "1"}):
            try:
                main()
            except SystemExit as end:
                code = int(end.code or 0)
        told = capsys.readouterr()
        return SimpleNamespace(returncode=code, stdout=told.out, stderr=told.err)

    return command


#: Files that need all proofs, or all verdicts of the gallery, which take long; the one whose tests build the site; and
#: one that needs all of these.
PROOFS = {f"tests/test_{name}.py" for name in ("cli", "compare", "derivations", "mutation", "premises", "readme")}
BUILD = "tests/site/test_build.py"
AGAIN = "tests/site/test_build_again.py"
#: Files of tests in a browser, each of which may run in any process.
APART = {f"tests/site/test_{name}.py" for name in ("browser", "qualities")}


def _file(nodeid):
    return nodeid.partition("::")[0]


def pytest_collection_modifyitems(items):
    """Whoever builds the site or checks the proofs begins at once, and what needs the site comes last."""
    places = {BUILD: 0, **dict.fromkeys(PROOFS, 1), AGAIN: 2}
    items.sort(key=lambda i: places.get(_file(i.nodeid), 4 if i.nodeid.startswith("tests/site/") else 3))


def _roomy(call):
    return call()


#: Python takes and gives back its stack of calls 16 kB at a time, and again at each of a million short calls where they
#: lie on such a border. Below this one, which says that it needs half a megabyte, there is no border for long.
_roomy.__code__ = _roomy.__code__.replace(co_stacksize=70_000)


def pytest_itemcollected(item):
    """Every test runs where there is room."""
    item.runtest = partial(_roomy, item.runtest)


def pytest_collection_finish():
    """Python need not look through what stays until the end, again and again, for what can go."""
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Each file in one process, all that need every proof in the same one, and long tests in a browser in any."""
    from xdist.scheduler import LoadScopeScheduling

    class ByNeed(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = _file(nodeid)
            return "proofs" if file in {*PROOFS, AGAIN} else nodeid if file in APART else file

    return ByNeed(config, log)
