"""Simplifying premises: what a public formula takes for granted, and our equation does not.

A premise gives one quantity a value, an expression or a word: ``n_kv_heads = n_heads``, ``causal_fraction = full``,
``context_length <= window``. A file states its own; the ones here are tried on top of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import sympy as sp

from roofline_sym.compare.algebra import Values, expression_of, values_of
from roofline_sym.compare.grammar import read_formula
from roofline_sym.compare.place import FormulaError
from roofline_sym.core.quantity import Constant, Quantity, Switch
from roofline_sym.core.reading import did_you_mean
from roofline_sym.core.text import shown
from roofline_sym.library import BOOK

#: One line each: what may hold for a quantity, the likely one first, and what it says.
KNOWN = """
n_mla_layers = 0                       | no latent attention
n_window_layers = 0                    | no layer with a window
context_length <= window               | the context is no longer than the window
n_attention_layers = n_layers          | every layer sees the whole context
n_shared_kv_layers = 0                 | no layer reads another one's keys and values
n_moe_layers = 0                       | a dense model
n_dense_layers = n_layers              | every layer has one feed-forward network
n_moe_layers = n_layers                | every layer has experts
n_dense_layers = 0                     | no layer without experts
n_active_experts = n_experts           | every token visits every expert
shared_expert_size = 0                 | no shared expert
n_shared_gates = 0                     | shared experts have no gate
n_kv_heads = n_heads                   | every query head has keys and values of its own
head_dim = hidden_size / n_heads       | the heads together are as wide as the stream
intermediate_size = 4 * hidden_size    | a feed-forward network four times as wide as the stream
n_ffn_matrices = 2                     | a feed-forward network without a gate
n_ffn_matrices = 3                     | a gated feed-forward network
embedding_narrowing = 0                | vocabulary tables as wide as the stream
n_embedding_projections = 0            | no projection of the vocabulary tables
n_own_heads = 0                        | the output head is tied to the input table
n_own_heads = 1                        | an output head of its own
n_positions = 0                        | no learned positions
n_positions = context_length           | as many learned positions as tokens of context
norm_vectors = 0                       | norms without weights, or not counted
norm_vectors = 1                       | norms of one vector
norm_vectors = 2                       | norms of two vectors
norms_per_layer = 2                    | two norms in a layer
n_outer_norms = 1                      | one norm after the last layer
n_outer_norms = 0                      | no norm outside of the layers
head_norms = 0                         | no norm of queries and keys
width_norms = 0                        | no norm over all heads
n_sinks = 0                            | no attention sinks
qkv_biases = 0                         | queries, keys and values without biases
qkv_biases = 1                         | queries, keys and values with biases
output_biases = 0                      | attention's output without a bias
output_biases = 1                      | attention's output with a bias
ffn_biases = 0                         | a feed-forward network without biases
ffn_biases = 1                         | a feed-forward network with biases
expert_biases = 0                      | experts without biases
router_biases = 0                      | a router without a counted bias
router_biases = 1                      | a router with a bias that is counted
head_biases = 0                        | an output head without a bias
q_lora_rank = 0                        | queries without a bottleneck
n_direct_queries = 0                   | queries only through a bottleneck
past_length = 0                        | nothing cached before
reused_length = 0                      | no reused prompt
queue_time = 0                         | no waiting
link_latency = 0                       | no latency of the links
network_latency = 0                    | no latency between nodes
operator_latency = 0                   | no latency of operators
overlap_fraction = 0                   | no communication is hidden
overlap_fraction = 1                   | all communication is hidden
n_devices = 1                          | one device
tensor_parallel = 1                    | no tensor parallelism
tensor_parallel <= n_kv_heads          | each device has at least one key-value head
pipeline_parallel = 1                  | no pipeline
data_parallel = 1                      | one copy of the model
context_parallel = 1                   | no context parallelism
expert_parallel = 1                    | experts are not shared out
expert_tensor_parallel = 1             | an expert is not split
interleave = 1                         | one chunk per stage
batch_size = 1                         | one sequence at a time
scale_bits = 0                         | scales of quantised weights are not counted
zero_bits = 0                          | zero points of quantised weights are not counted
pue = 1                                | a building that draws no power itself
utilisation = 1                        | devices draw their full power
training_efficiency = 1                | kernels at the peak
decode_efficiency = 1                  | decoding at the attainable rate
prefill_efficiency = 1                 | reading prompts at the attainable rate
batching_efficiency = 1                | batches are always full
tensor_parallel_efficiency = 1         | tensor parallelism loses nothing
link_efficiency = 1                    | links at their bandwidth
memory_efficiency = 1                  | memory at its bandwidth
memory_share = 1                       | all of the memory is used
keep_gate = 0                          | the gate's output is not kept
"""


@dataclass(frozen=True, eq=False)
class Premise:
    """What may hold for one quantity.

    Attributes:
        text: As it is written: ``n_kv_heads = n_heads``.
        says: In words.
        quantity: What it gives a value.
        value: The value it has, an expression of others.
        stated: Whether the file states it.
    """

    text: str
    says: str
    quantity: Quantity
    value: sp.Expr
    stated: bool = False

    @cached_property
    def bounds(self) -> bool:
        """Whether it is an inequality; its value is then something plus a slack."""
        return bool(self.value.atoms(sp.Dummy))

    @property
    def is_number(self) -> bool:
        """Whether it fixes the quantity to one number or word."""
        return bool(self.value.is_number)

    def holds(self, at: Values) -> bool | None:
        """Whether it holds at a point; None if the point does not tell."""
        slack = [s for s in self.value.free_symbols if isinstance(s, sp.Dummy)]
        if self.quantity not in at or any(s not in at for s in self.value.free_symbols if s not in slack):
            return None
        bound = float(values_of(self.value.xreplace(dict.fromkeys(slack, sp.S.Zero)), at))
        value = float(at[self.quantity])
        return value >= bound if slack else bool(np.isclose(value, bound, rtol=1e-9, atol=0))


def read_premise(text: str, says: str = "", *, stated: bool = False) -> Premise:
    """A premise from its text.

    Raises:
        FormulaError: it is none; the message says what is wrong, and where.
    """
    found = re.fullmatch(r"([^=<>]*?)\s*(<=|=)\s*([^=<>]*)", text.strip())
    if found is None:
        raise FormulaError(f"{shown(text)} is no premise; write it like 'n_kv_heads = n_heads' or 'phase = decode'")
    left, sign, right = found.groups()
    left, right = (right.strip(), left) if sign == "<=" else (left.strip(), right)
    quantity = BOOK.quantities.get(left)
    if quantity is None or isinstance(quantity, Constant):
        raise FormulaError(f"no quantity is called {shown(left)}{did_you_mean(left, BOOK.quantities)}")
    if isinstance(quantity, Switch):
        if right.strip() not in quantity.cases:
            raise FormulaError(f"{left} is one of {', '.join(quantity.cases)}; got {shown(right.strip())}")
        word = quantity.code(right.strip())
        return Premise(text, says or quantity.cases[right.strip()], quantity, word, stated)
    value = expression_of(read_formula(right, BOOK.quantities), BOOK.quantities)
    if quantity in value.free_symbols:
        raise FormulaError(f"{shown(text)} gives {left} in terms of itself")
    slack = sp.Dummy("slack", nonnegative=True) if sign == "<=" else sp.S.Zero
    return Premise(text, says, quantity, value + slack, stated)


@cache
def known_premises() -> Mapping[Quantity, tuple[Premise, ...]]:
    """The premises that are tried, by the quantity they give a value; a switch may have each of its words."""
    found: dict[Quantity, tuple[Premise, ...]] = {}
    for line in KNOWN.strip().splitlines():
        text, says = (part.strip() for part in line.split("|"))
        premise = read_premise(text, says)
        found[premise.quantity] = (*found.get(premise.quantity, ()), premise)
    for quantity in BOOK.notation.values():
        if isinstance(quantity, Switch):
            found[quantity] = tuple(read_premise(f"{quantity.name} = {word}") for word in quantity.cases)
        elif quantity.absent and quantity not in found:
            found[quantity] = (read_premise(f"{quantity.name} = 0", f"without: {quantity.meaning}"),)
    return found
