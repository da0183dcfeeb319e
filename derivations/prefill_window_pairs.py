"""Pairs of windowed attention in a prompt, from those of any sequence."""

from roofline_sym.library import derivation


@derivation
def prefill_window_pairs(
    proof, prefill_window_pairs, causal_window_pairs, context_length, past_length, fresh_length, prompt_length
):
    """A prompt is a sequence whose tokens are partly cached; its pairs are those of the tokens that are new."""
    proof.start("causal_window_pairs", because="Each new token looks at those of its window, cached or new.")
    proof.put(causal_window_pairs, prefill_window_pairs, because="Here the sequence is a prompt.")
    proof.put(
        past_length,
        prompt_length - fresh_length,
        because="What an earlier request left, or an earlier chunk, lies before the new tokens.",
    )
    proof.put(context_length, fresh_length, because="The new tokens follow, and end with the prompt.")
