"""Layers whose activations the first stage holds at once, from the schedule of its chunks."""

import sympy as sp

from roofline_sym.core.quantity import Quantity
from roofline_sym.library import derivation


@derivation
def layers_in_flight(proof, layers_in_flight, n_layers, pipeline_parallel, interleave, n_microbatches):
    """The first stage runs chunks forward until the first microbatch comes back; then each goes as another comes."""
    chunk = sp.Symbol("j", integer=True, positive=True)
    layers = Quantity("layers", "L_j", "", "layers of one chunk")
    chunks = Quantity("chunks", r"n_\text{chunk}", "", "chunks that the first stage has run forward, and not backward")
    forward = pipeline_parallel * interleave
    proof.begin(
        layers,
        n_layers / forward,
        because="All stages together cut the layers into equal chunks: as many as stages times chunks of each.",
    )
    proof.sum_over(
        chunk,
        1,
        chunks,
        name=layers_in_flight,
        closed=chunks * n_layers / forward,
        because="Each chunk that waits for its backward pass keeps the activations of all its layers.",
    )
    proof.put(
        chunks,
        sp.Piecewise(
            (sp.Min(n_microbatches * interleave, forward), sp.Eq(interleave, 1)),
            (sp.Min(n_microbatches * interleave, forward + (pipeline_parallel - 1)), True),
        ),
        because="A microbatch is back after it has gone forward through all chunks, and backward through the last "
        "chunk of every other stage. With chunks to spare the first stage runs one in each of these times; with one "
        "chunk a stage it holds as many microbatches as there are stages, and waits. It never holds more than there "
        "are.",
    )
