"""Time of scores and mixes while prompts are read, from the roofline of one device."""

from roofline_sym.library import derivation


@derivation
def prefill_core_time(
    proof, prefill_core_time, prefill_share, roofline_time, flops, bytes_moved, prefill_attention_flops,
    tensor_parallel, rank_prefill_traffic,
):  # fmt: skip
    """All passes are one work: computing its pairs, or moving its part of the cache, whichever takes longer."""
    proof.begin(
        prefill_core_time,
        roofline_time / prefill_share,
        because="A device reaches a share of its roof, and so takes longer than the least time of all passes by that.",
    )
    proof.put("roofline_time", because="The least time is the longer of computing and moving.")
    proof.put(
        flops,
        prefill_attention_flops / tensor_parallel,
        because="The devices of a stage split the heads, and with them all scores and mixes; stages take their turns.",
    )
    proof.put(
        bytes_moved,
        rank_prefill_traffic,
        because="A device moves the keys and values of its own heads, and latents whole.",
    )
