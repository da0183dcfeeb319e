"""``python -m roofline_sym.cli``, the same as the command."""

from roofline_sym.command import main

main()
