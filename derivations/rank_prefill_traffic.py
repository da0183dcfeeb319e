"""Bytes of the cache that one device moves while prompts are read, from those of all devices."""

from roofline_sym.library import derivation


@derivation
def rank_prefill_traffic(proof, rank_prefill_traffic, prefill_cache_traffic, n_kv_heads, kv_heads_per_rank):
    """The devices that share a layer split its heads; a latent belongs to all heads, and each device moves it whole."""
    proof.start("prefill_cache_traffic", because="So much is written and read for all heads.")
    proof.put(prefill_cache_traffic, rank_prefill_traffic, because="Now one device of each stage is looked at.")
    proof.put(
        n_kv_heads,
        kv_heads_per_rank,
        because="A device writes and reads keys and values of its own heads alone.",
    )
