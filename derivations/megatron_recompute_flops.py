"""Megatron's count with 96: the blocks once more, the head not."""

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import score_flop


@derivation
def megatron_recompute_flops(proof, megatron_recompute_flops, megatron_flops, training_tokens, hidden_size, vocab_size):
    """Of the three passes that training pays for, the blocks' share is paid a fourth time."""
    blocks = Quantity("blocks", r"F_\text{blocks}", "FLOP", "operations of one forward pass through all blocks")
    head = Quantity("head", r"F_\text{out}", "FLOP", "operations of one forward pass through the head")
    proof.start("megatron_flops", because="Training without recomputation.")
    proof.put(
        megatron_flops,
        3 * (blocks + head),
        because="It pays for a forward pass, and for a backward pass that is twice as large.",
    )
    proof.put(
        blocks,
        (megatron_recompute_flops - 3 * head) / 4,
        because="Every block is computed again before its backward pass. The head is not: its backward pass comes "
        "right after the forward one.",
    )
    proof.put(
        head,
        score_flop * training_tokens * hidden_size * vocab_size,
        because="The head multiplies and adds once for each token, entry of its vector and row of the table.",
    )
    proof.solve(megatron_recompute_flops, because="Four times 24 for the blocks, three times two for the head.")
