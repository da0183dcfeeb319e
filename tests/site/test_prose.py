"""What people wrote in docs/ holds no maths and no number with a unit."""

from __future__ import annotations

from pathlib import Path

import pytest

from roofline_sym.site.lint import ALLOWED, faults

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: str(path.relative_to(DOCS)))
def test_prose_holds_no_maths_and_no_numbers(path):
    """A number is computed, a formula is printed from its definition."""
    found = list(faults(path.read_text(encoding="utf-8")))

    assert not found, f"compute these with a directive, or say them in words: {found}"


@pytest.mark.parametrize("allowed", ALLOWED)
def test_what_is_allowed_is_needed(allowed):
    """An exception that no page makes use of is taken out."""
    assert any(allowed in path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))


@pytest.mark.parametrize(
    "text",
    [
        "It takes 28 days.",
        "The cache takes 42.9 GB.",
        "A batch of 8,192 tokens.",
        "It runs at 989 TFLOP/s.",
        "Within 5 % of it.",
        "It is $2 an hour.",
        "Weights take 2-byte numbers.",
        "Its ridge is $P/B$.",
        r"Its ridge is \(P/B\).",
        r"Take \frac{P}{B}.",
        "Where I = F/Q holds.",
        "It grows as s^2.",
        "About 2 × as many.",
        "Below ≤ above.",
        "## When b = 1",
        "- 6*N of them",
    ],
)
def test_the_lint_finds(text):
    """Each of these would be a second definition."""
    assert list(faults(text))


@pytest.mark.parametrize(
    "text",
    [
        "It takes [[time_to_train: n_devices=1024 device]].",
        '::: checks "kv_cache / batch 16, 8192 token"',
        'Call `ridge_point(peak_flops="989 TFLOP/s")`.',
        "```python\nx = 1 + 2  # 43 GB\n```",
        "See [eq. 3 = F/Q](equations/index.md).",
        "Llama 3 70B on 1,024 A100s, 28 times, in section 2.",
        "---\ntitle: 5 GB = 2\n---\nText.",
        "| Batch | Price |\n|--:|:--|\n| 16 | [[x: y=1]] |",
        "{ .lead }",
    ],
)
def test_the_lint_leaves_alone(text):
    """Directives, code, links, and numbers that only count."""
    assert not list(faults(text))
