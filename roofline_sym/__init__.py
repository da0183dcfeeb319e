"""The equations of training and serving large transformers, each defined once.

``EQUATIONS`` holds them by name in reading order; ``Scenario`` evaluates them for a model on hardware.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing's own would take longer to load than roofline_sym.scalar does
if TYPE_CHECKING:  # so that editors and type checkers see what loads on first use
    from typing import Any

    from roofline_sym.catalogue import hardware, models
    from roofline_sym.core.equation import Equation
    from roofline_sym.joint import evaluate
    from roofline_sym.library import EQUATIONS
    from roofline_sym.scenario import Scenario

__all__ = ["EQUATIONS", "Equation", "Scenario", "evaluate", "hardware", "models"]
__version__ = "0.1.0"

_HOMES = {
    "EQUATIONS": "library",
    "Equation": "core.equation",
    "Scenario": "scenario",
    "evaluate": "joint",
    "hardware": "catalogue",
    "models": "catalogue",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
