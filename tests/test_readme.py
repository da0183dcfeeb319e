"""What README and CONTRIBUTING show is run as it stands there."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from roofline_sym.cli import app
from roofline_sym.core.book import Book
from roofline_sym.library import BOOK

ROOT = Path(__file__).parents[1]


def blocks(file, language):
    """The code blocks of a page in one language."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / file).read_text(encoding="utf-8"), re.DOTALL)


def test_the_samples_of_the_readme():
    """Every Python line but the equation, which is in the package already."""
    definition, use = blocks("README.md", "python")

    assert definition.splitlines()[2] == "def ridge_point(peak_flops, hbm_bandwidth):"
    exec(use, {})  # noqa: S102 - our own page


@pytest.mark.parametrize("line", blocks("README.md", "sh")[1].replace("\\\n", "").splitlines())
def test_the_commands_of_the_readme(line):
    """Each command ends well."""
    _, *args = shlex.split(line, comments=True)

    assert CliRunner().invoke(app, args).exit_code == 0


def test_the_sample_of_contributing():
    """The equation can be added, and its check holds."""
    book, (sample,) = Book({}, {}, {}, base=BOOK), blocks("CONTRIBUTING.md", "python")
    names = {"equation": book.equation, "__name__": "sample"}
    body = re.sub(r"from roofline_sym.library import check, equation", "from roofline_sym.library import check", sample)

    exec(body, names)  # noqa: S102 - our own page

    made = names["load_time"]
    assert [check.run(made).passed for check in made.checks] == [True]
