"""``python -m roofline_sym.cli``, the same as the command."""

from roofline_sym.cli import main

main()
