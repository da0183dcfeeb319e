"""Operations of attention in prompts, from those of one sequence."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def prefill_attention_flops(
    proof, prefill_attention_flops, prefill_batch, attention_core_flops, attention_pairs, prefill_pairs, window_pairs,
    prefill_window_pairs,
):  # fmt: skip
    """No token of one prompt looks at another prompt, so each is a sequence of its own."""
    prompt = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "F_j", "FLOP", "scores and mixes of one prompt")
    proof.begin(one, attention_core_flops, because="One prompt costs what any sequence does.")
    proof.sum_over(
        prompt,
        1,
        prefill_batch,
        name=prefill_attention_flops,
        closed=prefill_batch * attention_core_flops,
        because="Prompts that are read together are alike, and do not look at each other.",
    )
    proof.put("attention_core_flops", because="Every pair costs a score and a mix in each head of each layer.")
    proof.put(attention_pairs, prefill_pairs, because="Full and latent layers look at these pairs of a prompt.")
    proof.put(window_pairs, prefill_window_pairs, because="Windowed layers look at these.")
