"""Bytes of the cache that one device reads in a decode step, from those of the whole batch."""

from roofline_sym.library import derivation


@derivation
def rank_cache_read(proof, rank_cache_read, decode_cache_read, batch_size, decode_group, n_kv_heads, kv_heads_per_rank):
    """The devices that share a layer split its heads; a latent belongs to all heads, and each device reads it whole."""
    proof.start("decode_cache_read", because="So much is read for the whole batch and all heads.")
    proof.put(decode_cache_read, rank_cache_read, because="Now one device of each stage is looked at.")
    proof.put(batch_size, decode_group, because="The batch is split over the stages: so many pass through together.")
    proof.put(
        n_kv_heads,
        kv_heads_per_rank,
        because="A device attends with its own heads; keys and values of the others are read elsewhere.",
    )
