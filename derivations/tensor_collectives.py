"""All-reduces of a layer that several devices share, from its blocks and passes."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def tensor_collectives(proof, tensor_collectives, layer_passes):
    """Each block, attention or feed-forward, adds up partial sums once in every pass through it."""
    block = sp.Symbol("j", integer=True, positive=True)
    sums = Quantity("sums", "n_j", "", "all-reduces of one block in one pass")
    in_pass = Quantity("in_pass", r"n_\text{pass}", "", "all-reduces of one layer in one pass")
    proof.begin(
        sums,
        sp.Integer(1),
        because="A block's first product is split by columns and its last by rows: between them nothing is exchanged, "
        "and only the last leaves partial sums. Backward it is the first, for the gradient of the block's input.",
    )
    proof.sum_over(
        block,
        1,
        2,
        name=in_pass,
        closed=sp.Integer(2),
        because="A layer has two blocks, attention and the feed-forward network.",
    )
    proof.put(
        in_pass,
        tensor_collectives / (layer_passes - 1),
        because="Training pays for the backward pass as for two forward ones, but goes through it once.",
    )
    proof.put("layer_passes", because="Only full recomputation goes forward through the blocks once more.")
    proof.solve(tensor_collectives, because="Twice in each pass.")
