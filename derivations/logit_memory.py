"""The logits of a microbatch on one device."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import logit


@derivation
def logit_memory(proof, logit_memory, context_length, micro_batch_size, vocab_size, tensor_parallel):
    """Every position has a logit for every entry of the vocabulary, which the ranks cut among them."""
    entry, token = sp.Symbol("i", integer=True, positive=True), sp.Symbol("j", integer=True, positive=True)
    one = Quantity("one", "M_i", "byte", "bytes of one logit")
    of_token = Quantity("of_token", "M_j", "byte", "bytes of one position's logits on one rank")
    proof.begin(one, logit, because="A logit is kept in fp32, since softmax adds up so many of them.")
    proof.sum_over(
        entry,
        1,
        vocab_size / tensor_parallel,
        name=of_token,
        closed=logit * vocab_size / tensor_parallel,
        because="A rank makes those of its part of the vocabulary.",
    )
    proof.sum_over(
        token,
        1,
        context_length * micro_batch_size,
        name=logit_memory,
        closed=logit * context_length * micro_batch_size * vocab_size / tensor_parallel,
        because="Every position of the microbatch has its own.",
    )
