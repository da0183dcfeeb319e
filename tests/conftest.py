"""How the tests are shared out over processes."""

import pytest


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Each file in one process, and all that need the site in the same one: a site and a browser take long to make."""
    from xdist.scheduler import LoadScopeScheduling

    class OneSite(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return "site" if nodeid.startswith("tests/site/") else nodeid.partition("::")[0]

    return OneSite(config, log)
