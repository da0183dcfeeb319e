"""The tables, counted word by word and place by place."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation
from roofline_sym.notation import weight


@derivation
def embedding_parameters(
    proof, embedding_parameters, n_own_heads, vocab_size, hidden_size, embedding_narrowing, n_positions, head_biases
):
    """A word has a row in the input table, and one in the head unless the two are the same; a place has a row too."""
    index = sp.Symbol("j", integer=True, positive=True)
    row = Quantity("row", r"h_\text{row}", "parameter", "a row of the input table", real=True)
    word = Quantity("word", r"N_\text{word}", "parameter", "what is kept for one word", real=True)
    words = Quantity("words", r"N_\text{words}", "parameter", "what is kept for all words", real=True)
    proof.begin(
        word,
        row + n_own_heads * row + weight * head_biases,
        because="A word is looked up in one row, and scored by another one if the head is not tied; a bias may be "
        "added to its score.",
    )
    proof.put(
        row,
        weight * (hidden_size - embedding_narrowing),
        because="A row is as wide as the stream, or narrower.",
    )
    proof.sum_over(
        index,
        1,
        vocab_size,
        name=words,
        closed=weight * vocab_size * ((1 + n_own_heads) * (hidden_size - embedding_narrowing) + head_biases),
        because="The vocabulary has that many words.",
    )
    proof.put(
        words,
        embedding_parameters - weight * n_positions * hidden_size,
        because="What else is looked up are learned positions, each as wide as the stream that it is added to.",
    )
    proof.solve(embedding_parameters, because="Turned around.")
