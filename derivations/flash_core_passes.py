"""Forward passes that training pays for in attention's core, where scores are never stored."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def flash_core_passes(proof, flash_core_passes, recompute, head_dim, attention_pairs):
    """Two products forward, five backward: the scores once more, and four gradients."""
    pair = sp.Symbol("j", integer=True, positive=True)
    again = Quantity("again", r"k_\text{again}", "", "forward passes that are run again", nonnegative=True)
    of_pair = Quantity("of_pair", "F_j", "", "multiplications for one pair of tokens in one head")
    of_head = Quantity("of_head", r"F_\text{head}", "", "multiplications of one head")
    d = head_dim
    proof.begin(
        of_pair,
        (d + d) + (d + d + d + d + d) + again * (d + d),
        because="A pair takes one multiplication per head entry in every product. Forward: the score, and the mix. "
        "Backward: the score again, then the gradients of the mixing weight, of value, query and key. "
        "And the forward ones as often as they are run again.",
    )
    proof.sum_over(
        pair,
        1,
        attention_pairs,
        name=of_head,
        closed=(7 + 2 * again) * attention_pairs * d,
        because="All pairs that attention looks at.",
    )
    proof.put(
        of_head,
        flash_core_passes * 2 * attention_pairs * d,
        because="A forward pass is two products over the same pairs.",
    )
    proof.put(
        again,
        recompute.pick(none=sp.Integer(0), selective=sp.Integer(0), full=sp.Integer(1)),
        because="The backward pass makes scores again anyway, so selective recomputation adds nothing; "
        "full recomputation runs the forward pass once more.",
    )
    proof.solve(flash_core_passes, because="How many pairs there are, and how wide a head is, drops out.")
