"""Time of the output head while prompts are read, and of what is left, from the roofline of one device."""

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def prefill_head_time(
    proof, prefill_head_time, prefill_share, prefill_batch, roofline_time, flops, bytes_moved, weight_flops_per_token,
    active_matmul_parameters, head_weights, projection_weights, fresh_length, prefill_passes, remaining_parameters,
    weight_bytes, tensor_parallel,
):  # fmt: skip
    """The last token of a prompt meets the head; matrices between narrow tables and the stream are met by all."""
    products = Quantity("products", "x_w", "parameter", "weights that one prompt is multiplied with", real=True)
    proof.begin(
        prefill_head_time,
        roofline_time / prefill_share,
        because="A device reaches a share of its roof, and so takes longer than the least time of all passes by that.",
    )
    proof.put("roofline_time", because="The least time is the longer of computing and moving.")
    proof.put(
        flops,
        position * prefill_batch * weight_flops_per_token / tensor_parallel,
        because="Prompts are alike; a stage's devices share the products, stages take their turns.",
    )
    proof.put(
        "weight_flops_per_token",
        naming={active_matmul_parameters: products},
        because="Each weight costs the same for each token that meets it.",
    )
    proof.put(
        products,
        head_weights + fresh_length * projection_weights,
        because="Only what follows the last token is wanted, but every new token is brought to the width of the "
        "stream.",
    )
    proof.put(
        bytes_moved,
        weight_bytes * (head_weights + prefill_passes * (remaining_parameters - head_weights)) / tensor_parallel,
        because="The head is read in the pass that ends the prompts, the rest once in each pass, each device its part.",
    )
