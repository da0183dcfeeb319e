"""Bytes a device keeps per dense parameter, from the part it owns and the parts of others."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import bf16_weight


@derivation
def dense_bytes_per_device(
    proof, dense_bytes_per_device, zero_stage, dense_copies, bytes_per_parameter, gradient_bytes_per_parameter,
    optimizer_bytes_per_parameter,
):  # fmt: skip
    """Copies own a part each; of the others' parts a device keeps only what its stage does not share out."""
    part = sp.Symbol("j", integer=True, positive=True)
    of_part = Quantity("of_part", r"\beta_j", "byte/parameter", "bytes kept of another one's part", nonnegative=True)
    of_others = Quantity("of_others", r"\beta_{\neq}", "byte/parameter", "of all others' parts", nonnegative=True)
    kept = proof.let(
        "kept",
        r"\beta_\text{kept}",
        zero_stage.pick(
            none=bf16_weight + gradient_bytes_per_parameter + optimizer_bytes_per_parameter,
            optimizer=bf16_weight + gradient_bytes_per_parameter,
            gradients=bf16_weight,
            parameters=sp.Integer(0),
        ),
        because="Per parameter, what every copy keeps for itself: each stage shares out one thing more.",
        stated=True,
    )
    proof.begin(
        of_part,
        kept / dense_copies,
        because="The copies cut the parameters into as many parts as there are copies. Of a part that another one "
        "owns, a device keeps what is not shared out.",
    )
    proof.sum_over(
        part,
        1,
        dense_copies - 1,
        name=of_others,
        closed=(dense_copies - 1) * kept / dense_copies,
        because="All parts but its own.",
    )
    proof.put(
        of_others,
        dense_bytes_per_device - bytes_per_parameter / dense_copies,
        because="Of its own part it keeps everything: it is the one that updates it.",
    )
    proof.put("bytes_per_parameter", because="That is the weight, its gradient and the optimizer's states.")
    proof.solve(dense_bytes_per_device, because="Both together: what is shared out is there once.")
