"""Forward passes that training pays for in the layers."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def layer_passes(proof, layer_passes, recompute, training_flops_exact, sequence_flops, training_tokens, context_length):
    """Training is three forward passes; what is computed again is paid for once more."""
    again = Quantity("again", r"k_\text{again}", "", "forward passes that are run again", nonnegative=True)
    proof.start("training_flops_exact", because="Without recomputation, training costs so many operations.")
    proof.put(
        training_flops_exact,
        (layer_passes - again) * (sequence_flops * training_tokens / (position * context_length)),
        because="Told in forward passes over every sequence, they are all that is paid for but what is run again; "
        "and as each product has the same share in both, so have the layers.",
    )
    proof.put(
        again,
        recompute.pick(none=sp.Integer(0), selective=sp.Integer(0), full=sp.Integer(1)),
        because="The weights of layers meet their tokens again only if every layer is run again in full.",
    )
    proof.solve(layer_passes, because="One forward, two for the backward pass, and what is run again.")
