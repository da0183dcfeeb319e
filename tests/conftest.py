"""How the tests are shared out over processes, and how they run the command."""

import os
import sys
from types import SimpleNamespace
from unittest.mock import patch

import pytest

os.environ.pop("COLUMNS", None)  # screens in these tests are as wide as in a pipe, whoever starts them


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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Each file in one process, and all that need the site in the same one: a site and a browser take long to make."""
    from xdist.scheduler import LoadScopeScheduling

    class OneSite(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return "site" if nodeid.startswith("tests/site/") else nodeid.partition("::")[0]

    return OneSite(config, log)
