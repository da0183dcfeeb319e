"""The cache on one device, from stages that hold as many layers each."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def device_cache(proof, device_cache, kv_cache_per_rank, pipeline_parallel):
    """The layers of a tensor rank are dealt out to the stages, and each stage keeps the cache of its own."""
    stage = sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "M_j", "byte", "cache that one stage of a tensor rank keeps")
    proof.begin(one, device_cache, because="Every stage has as many layers as every other, so it keeps as much.")
    proof.sum_over(
        stage,
        1,
        pipeline_parallel,
        name=kv_cache_per_rank,
        closed=pipeline_parallel * device_cache,
        because="All stages together keep what their layers would need on one rank; no layer is kept twice.",
    )
    proof.solve(device_cache, because="Turned around.")
