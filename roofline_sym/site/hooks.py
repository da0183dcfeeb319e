"""What MkDocs calls: it adds the pages and files nobody wrote, and says which page is being made."""

from __future__ import annotations

import sys
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import CombinedEvent, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

FAULTS: list[str] = []
SERVING: list[bool] = []
UNSEARCHED: list[str] = []  # of the page that is indexed


def on_startup(*, command: str, **_: Any) -> None:
    """Remember whether this is a server, which reads definitions anew for every build."""
    SERVING[:] = [command == "serve"]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put every equation into the navigation, and version and commit into the foot of every page."""
    if any(SERVING):
        _forget()
    from roofline_sym.site import mdx, origin, pages

    FAULTS.clear()
    config.nav = pages.navigation(config.nav or [], mdx.our_press())
    config.copyright = origin.stated()
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the equations' pages and what pages load, as files that exist nowhere."""
    from roofline_sym.site import apart, assets, mdx, pages, scripts

    press = mdx.our_press()
    if press.apart is None:
        press.apart = apart.Apart(pages.apart(press))
    _last(pages.AUDIT, files)
    for path, text in {**pages.equation_pages(press), **assets.texts(), **scripts.scripts(press)}.items():
        files.append(File.generated(config, path, content=text))
    for path, source in assets.files().items():
        files.append(File.generated(config, path, abs_src_path=str(source)))
    return files


def _last(path: str, files: Files) -> None:
    """Have a page made after all others, for it waits until every proof is done."""
    if file := files.get_file_from_path(path):
        files.remove(file)
        files.append(file)


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Tell the extension which page it is converting."""
    from roofline_sym.site import mdx

    mdx.SOURCE.set(mdx.Source(page.file.src_uri, page.file.content_string, FAULTS.extend))
    return markdown


def on_env(env: Any, **_: Any) -> Any:
    """When every page is converted, tell all that is wrong with them at once."""
    _close()
    if FAULTS:
        raise PluginError("\n".join(["these directives cannot be carried out:", *FAULTS]))
    return env


def on_build_error(error: Exception, **_: Any) -> None:  # noqa: ARG001 - MkDocs's signature
    """Wait for nothing when a build fails."""
    _close()


def _close() -> None:
    from roofline_sym.site import mdx

    if (beside := mdx.our_press().apart) is not None:
        beside.close()


@event_priority(100)
def _hide(context: Any, /, *, page: Page, **_: Any) -> Any:
    """Take out what the search plugin would read only to skip it."""
    from roofline_sym.site import unsearched

    page.content, UNSEARCHED[:] = unsearched.taken_out(page.content or "")
    return context


@event_priority(-100)
def _show(context: Any, /, *, page: Page, **_: Any) -> Any:
    """Put it back."""
    from roofline_sym.site import unsearched

    page.content = unsearched.put_back(page.content or "", UNSEARCHED)
    return context


on_page_context = CombinedEvent(_hide, _show)


def on_post_page(output: str, *, page: Page, **_: Any) -> str:
    """Load the scripts a page needs; give the search dialog the name for screen readers that the theme leaves out."""
    from roofline_sym.site import scripts

    output = scripts.loaded(output, page.url)
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"')


def _forget() -> None:
    """Drop everything of ours that is loaded, so that a changed definition is read anew."""
    if (loaded := sys.modules.get("roofline_sym.site.mdx")) and loaded.our_press.cache_info().currsize:
        loaded.our_press().node.close()
    for name in [name for name in sys.modules if name.partition(".")[0] == "roofline_sym"]:
        del sys.modules[name]
