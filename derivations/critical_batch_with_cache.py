"""The batch at which decoding reaches the ridge, with the cache that each sequence adds."""

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def critical_batch_with_cache(
    proof, critical_batch_with_cache, ridge_point, read_parameters, decode_read_parameters, decode_flops, batch_size,
    decode_cache_read, decode_intensity, weight_bytes,
):  # fmt: skip
    """Work and cache grow with the batch, the weights do not; the batch at the ridge follows from one of any size."""
    work = Quantity("work", "F_j", "FLOP", "operations of one sequence in a step")
    read = Quantity("read", "Q_j", "byte", "bytes of the cache that one sequence reads in a step")
    proof.start("decode_intensity", because="The intensity of a step is its operations over the bytes it reads.")
    proof.put("decode_bytes", because="It reads the weights, and the cache of every sequence.")
    proof.put(decode_read_parameters, read_parameters, because="A batch that large reads all weights.")
    proof.put(decode_flops, critical_batch_with_cache * work, because="Each of its sequences takes as much work.")
    proof.put(decode_cache_read, critical_batch_with_cache * read, because="And each reads as much of the cache.")
    proof.put(decode_intensity, ridge_point, because="At this batch, the step is at the ridge.")
    proof.solve(critical_batch_with_cache, because="It is linear in the batch: one size does it, or none.")
    proof.put(work, decode_flops / batch_size, because="A sequence of any batch does as much.")
    proof.put(read, decode_cache_read / batch_size, because="And reads as much.")
    proof.rewrite(
        ridge_point * weight_bytes * read_parameters * batch_size / (decode_flops - ridge_point * decode_cache_read),
        because="Over what a step's work leaves once the cache is served at the ridge.",
    )
