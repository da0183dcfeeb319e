"""What the pages load: style sheets, fonts and one script, from npm's packages and from beside this file."""

from __future__ import annotations

import re
from importlib.metadata import files as files_of
from pathlib import Path

from roofline_sym.site.node import ROOT

OURS = Path(__file__).with_name("web")
PACKAGES = ROOT / "node_modules"

#: What draws figures, with all it rests on.
D3 = ("d3-scale", "d3-format", "d3-array", "d3-color", "d3-interpolate", "d3-time", "d3-time-format", "internmap")

#: Each font file by the name it is served under: family, weights, style, package and file.
FONTS = {
    "inter.woff2": ("Inter Variable", "100 900", "normal", "inter/files/inter-latin-wght-normal"),
}


#: Style sheets of every page, in `web/css/`; of two rules that are as good, the later holds.
STYLES = (
    "colours", "text", "cards", "tables", "lists", "proofs", "figures", "frame", "chapters", "calculators", "blocks",
    "sorting", "validation", "examples",
)  # fmt: skip
#: Style sheets of a page that asks for them.
OF_A_PAGE = ("explorer",)


def style(name: str) -> str:
    """The text of a style sheet."""
    return (OURS / "css" / f"{name}.css").read_text(encoding="utf-8")


def texts() -> dict[str, str]:
    """Files that are made, by the path they are served under."""
    katex = (PACKAGES / "katex" / "dist" / "katex.min.css").read_text(encoding="utf-8")
    return {
        "assets/site.css": font_faces() + "\n".join(map(style, STYLES)),
        **{f"assets/{name}.css": style(name) for name in OF_A_PAGE},
        "assets/katex/katex.min.css": woff2_only(katex),
    }


def files() -> dict[str, Path]:
    """Files that are served as they are, by the path they are served under."""
    fonts = PACKAGES / "@fontsource-variable"
    served = {f"assets/fonts/{name}": fonts / f"{path}.woff2" for name, (*_, path) in FONTS.items()}
    for font in sorted((PACKAGES / "katex" / "dist" / "fonts").glob("*.woff2")):
        served[f"assets/katex/fonts/{font.name}"] = font
    served |= {f"assets/licences/{name}.txt": path for name, path in licences().items()}
    served["assets/iframe-worker.js"] = PACKAGES / "iframe-worker" / "shim" / "index.js"
    return served


def licences() -> dict[str, Path]:
    """The licences of what the pages carry, which ask to be passed on with it."""
    ours = {
        **{name: name for name in D3},
        "inter": "@fontsource-variable/inter",
        "katex": "katex",
        "iframe-worker": "iframe-worker",
    }
    material = next(file for file in files_of("mkdocs-material") or () if file.match("*.dist-info/licenses/LICENSE"))
    return {
        **{name: PACKAGES / package / "LICENSE" for name, package in ours.items()},
        "material": Path(str(material.locate())),
    }


def font_faces() -> str:
    """The declarations of our text fonts."""
    return "\n".join(
        f'@font-face {{ font-family: "{family}"; font-style: {style}; font-weight: {weights}; '
        f'font-display: swap; src: url("fonts/{name}") format("woff2"); }}'
        for name, (family, weights, style, _) in FONTS.items()
    )


def woff2_only(css: str) -> str:
    """KaTeX's style sheet without the older formats of its fonts, which no browser of today asks for."""
    return re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("[^"]*"\)', "", css)
