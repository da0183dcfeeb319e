"""Bytes of the cache that a decode step reads, from what is cached."""

from roofline_sym.library import derivation


@derivation
def decode_cache_read(proof, decode_cache_read, kv_cache, n_shared_kv_layers):
    """A step reads whatever is cached once per layer that looks at it; what two layers share is read twice."""
    proof.start("kv_cache", because="The cache holds what attention of any layer may look at, and nothing else.")
    proof.put(
        n_shared_kv_layers,
        0,
        because="Layers that share keys and values save memory, but each of them reads them for itself: for reading, "
        "no layer shares.",
    )
    proof.put(
        kv_cache,
        decode_cache_read,
        because="A new token attends to every cached one that its layer still sees, so each entry is read once.",
    )
