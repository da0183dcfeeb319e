"""The cache on one tensor rank, from that of all heads."""

from roofline_sym.library import derivation


@derivation
def kv_cache_per_rank(proof, kv_cache_per_rank, kv_cache, n_kv_heads, kv_heads_per_rank):
    """A rank is to its own heads what one device is to all of them; a latent has no heads to be cut by."""
    proof.start("kv_cache", because="On one device: keys and values of all heads, and latents.")
    proof.put(
        n_kv_heads,
        kv_heads_per_rank,
        because="A rank keeps keys and values of its own heads. Latents stay whole: every head's keys and values are "
        "made from all of a latent, so each rank needs it all.",
    )
    proof.put(kv_cache, kv_cache_per_rank, because="What a device would keep of a model with these heads is its part.")
