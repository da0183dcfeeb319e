"""What a parameter passes around its copies in a step, from the collectives of each way of sharing."""

from roofline_sym.library import derivation
from roofline_sym.notation import bf16_weight


@derivation
def passed_bytes(
    proof, passed_bytes, zero_stage, sent_gradient_bytes, n_microbatches, all_reduce_factor, all_gather_factor
):
    """An all-reduce goes around twice; a reduce-scatter of gradients and a gathering of weights once each."""
    shared = all_gather_factor * sent_gradient_bytes + all_gather_factor * bf16_weight
    gathered_twice = all_gather_factor * bf16_weight + all_gather_factor * bf16_weight
    proof.begin(
        all_gather_factor * passed_bytes,
        zero_stage.pick(
            none=all_reduce_factor * sent_gradient_bytes,
            optimizer=shared,
            gradients=shared,
            parameters=all_gather_factor * sent_gradient_bytes + n_microbatches * gathered_twice,
        ),
        because="Without sharing, gradients are all-reduced. With a share of the optimizer's states, each device needs "
        "the sums of its own share only, and then all gather the new weights. With weights shared out too, they are "
        "gathered for each microbatch's forward pass and again for its backward pass, and not after the update.",
    )
    proof.put("all_reduce_factor", because="An all-reduce around a ring takes twice n−1 steps, each of an n-th.")
    proof.put("all_gather_factor", because="The others take n−1 such steps.")
    proof.solve(passed_bytes, because="How many copies there are drops out.")
