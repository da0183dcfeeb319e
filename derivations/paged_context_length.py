"""Tokens that a sequence has room for, page by page."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def paged_context_length(proof, paged_context_length, context_length, page_size):
    """Pages are handed out whole, one more as soon as a token has no room."""
    page = sp.Symbol("j", integer=True, positive=True)
    of_page = Quantity("of_page", "s_j", "", "tokens that one page has room for")
    pages = Quantity("pages", r"n_\text{page}", "", "pages a sequence has")
    proof.begin(of_page, page_size, because="A page has room for a fixed number of tokens.")
    proof.sum_over(
        page,
        1,
        pages,
        name=paged_context_length,
        closed=pages * page_size,
        because="A sequence has the room of its pages.",
    )
    proof.put(
        pages,
        sp.ceiling(context_length / page_size),
        because="It has the least whole number of pages into which its tokens fit.",
    )
