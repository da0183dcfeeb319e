"""Other people's formulas beside our equations: read, never run, and judged.

``read_formulas`` reads a file of them, ``judge`` gives the verdict on one.
"""

from roofline_sym.compare.file import read_formulas
from roofline_sym.compare.foreign import Foreign
from roofline_sym.compare.judge import judge
from roofline_sym.compare.place import CompareError, FormulaError
from roofline_sym.compare.verdict import Kind, Verdict

__all__ = ["CompareError", "Foreign", "FormulaError", "Kind", "Verdict", "judge", "read_formulas"]
