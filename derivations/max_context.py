"""Tokens of context for which the cache fits beside the weights."""

from sympy import Max, floor

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import position


@derivation
def max_context(
    proof, max_context, cluster_memory, weights_memory, batch_size, kv_bytes, n_kv_heads, head_dim, n_attention_layers,
    n_shared_kv_layers, n_window_layers, window, n_mla_layers, kv_lora_rank, qk_rope_head_dim, kv_cache,
    kv_bytes_per_token, context_length,
):  # fmt: skip
    """The cache grows by a token in all layers, and more slowly once windows are full; both lines meet the memory."""
    early = Quantity("early", r"s_\text{early}", "", "context that fills the memory if no window fills", real=True)
    late = Quantity("late", r"s_\text{late}", "", "context that fills the memory if all windows are full", real=True)
    beyond = Quantity("beyond", r"\Delta s", "", "tokens that have left the window", real=True, nonnegative=True)
    proof.begin(
        cluster_memory - weights_memory,
        position * batch_size * kv_bytes_per_token * early,
        because="Until its window is full, every layer adds as much with each token; this many fill what is left.",
    )
    proof.put("kv_bytes_per_token", because="That is a key and a value per head, or a latent.")
    proof.solve(early, because="Where the first line meets the memory.")
    room = (cluster_memory - weights_memory) / (batch_size * kv_bytes)
    rising = 2 * n_kv_heads * head_dim * (n_attention_layers - n_shared_kv_layers) + n_mla_layers * (
        kv_lora_rank + qk_rope_head_dim
    )
    windows = 2 * n_kv_heads * head_dim * n_window_layers
    proof.rewrite(room / (rising + windows), because="In elements: the room, over what a token takes in all layers.")
    proof.start("kv_cache", because="The cache of the batch.")
    proof.put(kv_cache, cluster_memory - weights_memory, because="It fills what the weights leave.")
    proof.put(context_length, window + beyond, because="Some tokens have left the window: it is full.")
    proof.solve(beyond, because="So many have.")
    proof.begin(
        late,
        window + beyond,
        because="A full window and these make the context at which the second line meets the memory. The line is drawn "
        "on to where it asks for fewer than none of them.",
    )
    proof.recall(beyond, because="As many as were found.")
    proof.rewrite(
        (room - windows * window) / rising,
        because="In elements: the room beside full windows, over what a token takes in the other layers.",
    )
    proof.begin(
        max_context,
        floor(Max(0, early, late)),
        because="The cache follows the line that lies lower, so it meets the memory where the later of them does; "
        "and only whole tokens count, no fewer than none.",
    )
    proof.recall(early, because="The first line.")
    proof.recall(late, because="The second one.")
