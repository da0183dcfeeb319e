"""The assumptions of the model by name: what is assumed, when that breaks, and which way the error then goes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Assumption:
    """One assumption that equations name.

    Attributes:
        title: A few words.
        text: What is assumed.
        breaks: When it does not hold.
        error: Which way the model is then wrong.
        headline: Whether it is one of the methodology's five headline assumptions.
    """

    title: str
    text: str
    breaks: str
    error: str
    headline: bool = False


ASSUMPTIONS = {
    "steady_state": Assumption(
        "Steady state",
        "Every step takes as long as every other: no warm-up, no evaluation pauses, no restarts.",
        "Short runs, clusters that fail often, data that arrives unevenly.",
        "Times come out too short, and throughput too high.",
        headline=True,
    ),
    "uniform_memory": Assumption(
        "Uniform memory access",
        "A memory-bound kernel moves its bytes at the bandwidth on the data sheet, nine tenths of it or more.",
        "Scattered reads, small transfers, memory shared with another process.",
        "Memory-bound times come out too short.",
        headline=True,
    ),
    "overlap": Assumption(
        "Communication hides behind computing",
        "A fixed share of the communication runs while the devices compute; only the rest costs time.",
        "Small microbatches, slow networks, collectives that wait for one another.",
        "Step times come out too short when less is hidden, too long when more is.",
        headline=True,
    ),
    "continuous_batching": Assumption(
        "Continuous batching",
        "A server keeps its batch nearly full: a finished request is replaced at once, at a fixed loss.",
        "Little traffic, very uneven lengths, a scheduler that stops for long prompts.",
        "Throughput comes out too high.",
        headline=True,
    ),
    "one_nvlink_domain": Assumption(
        "Tensor parallelism inside one NVLink domain",
        "The devices that share a layer talk over the fast links, at a fixed loss.",
        "A tensor-parallel group that crosses nodes; and wherever the loss is already in a measured efficiency.",
        "Throughput comes out too high across nodes, and too low where the loss is counted twice.",
        headline=True,
    ),
    "tuned_kernels": Assumption(
        "Peak and bandwidth can be reached",
        "Data-sheet peak and bandwidth are both within reach of a well-tuned kernel, though not at once.",
        "Small matrices, unusual shapes, power limits, figures quoted with sparsity.",
        "Attainable throughput comes out too high.",
    ),
    "perfect_overlap_on_device": Assumption(
        "Computing and moving overlap on the device",
        "A kernel computes and moves at the same time, so that the slower of the two sets the pace.",
        "Kernels that load, wait and then compute; many small kernels in a row.",
        "Times come out too short, by a factor of two at most.",
    ),
    "matmul_only": Assumption(
        "Only matrix products count",
        "FLOPs are those of matrix products; norms, activations, softmax, rotations and sampling cost none.",
        "Very narrow models, where what is done per element weighs more.",
        "FLOPs come out slightly too low.",
    ),
    "attention_ignored": Assumption(
        "Attention over the context is left out",
        "Work per token does not depend on how long the context is.",
        "Contexts that are long beside six times the width of the model.",
        "FLOPs come out too low.",
    ),
    "all_parameters_multiply": Assumption(
        "Every token meets every parameter",
        "Each parameter stands in one matrix product, and each token passes through it.",
        "Experts, of which a token visits few; tables that are only looked up.",
        "FLOPs come out too high: a little by tables, and with experts by the ratio of all parameters to active ones, "
        "which can be more than ten.",
    ),
    "weights_read_once": Assumption(
        "Each step reads each weight once",
        "One pass reads every weight it needs from memory once, whatever the batch.",
        "Weights that stay in a cache, or are read again for each tile of a large batch.",
        "Bytes moved come out too low for large batches, too high where weights stay on chip.",
    ),
    "activations_ignored": Assumption(
        "Activations move no bytes",
        "Beside weights and cached keys and values, what a pass reads and writes is neglected.",
        "Large batches of long prompts, narrow models.",
        "Bytes moved come out too low.",
    ),
    "unstalled": Assumption(
        "No prompt is read in between",
        "The steps of a request follow one another at once; none waits until the prompt of another request is read.",
        "A server under load that reads prompts between its steps, which is what its throughput counts.",
        "Times of a request come out too short, and the rate that a user sees too high, by the share of time that "
        "prompts take.",
    ),
    "full_prefix": Assumption(
        "Every sequence has the same context",
        "All sequences of a batch have the same number of cached tokens.",
        "Mixed traffic; the mean then stands for all.",
        "Right on average, as the cost is linear in the context.",
    ),
    "passes_alike": Assumption(
        "Passes over a prompt are alike",
        "All passes over a prompt have as many tokens and are bound by the same roof: what they compute and what they "
        "move is compared as a whole.",
        "A short last chunk; chunks of which the first are bound by memory and the later ones by computing.",
        "Times come out too short, but bytes of experts too high, as a short chunk visits fewer; none for one pass.",
    ),
    "stages_in_turn": Assumption(
        "Prompts go through a pipeline together",
        "The prompts that are read together go from stage to stage as one, and so does each chunk of them.",
        "Pipelines in which the first stage reads the next chunk, or the next prompt, while the second works.",
        "The time to a first token comes out too long; throughput is right, as all stages are taken to be busy.",
    ),
    "sliding_windows": Assumption(
        "Windows slide",
        "A windowed layer sees as many tokens as its window holds, once the context is that long, also where the "
        "window is a chunk of the context.",
        "Chunked attention: a token sees its own chunk up to itself, and little where the chunk has just begun.",
        "Right for sliding windows; operations, bytes and cache of chunked layers come out too high, at most by a "
        "factor of two on average over a chunk.",
    ),
    "gelu_block": Assumption(
        "Classic block",
        "Every layer has as many key-value heads as query heads, two feed-forward matrices of four times the width, "
        "biases everywhere, two LayerNorms, and a head tied to the input table.",
        "Grouped-query attention, gated networks, a head of its own, experts: nearly every model since 2023.",
        "Either way; each model's exact count stands beside it.",
    ),
    "mixed_precision_adam": Assumption(
        "Mixed-precision AdamW",
        "Weights in two bytes, gradients in four, and three copies of four bytes: master weights and two moments.",
        "Gradients kept in two bytes, a further buffer to add them up, optimizers of eight bits.",
        "Memory comes out too high or too low by the bytes of what differs.",
    ),
    "balanced_pipeline": Assumption(
        "Balanced pipeline",
        "All stages take the same time per microbatch.",
        "A first or last stage that also holds a vocabulary table; layers that do not divide evenly.",
        "The bubble comes out too small, and so does the memory of the stages that hold a table.",
    ),
    "decode_only": Assumption(
        "Only generated tokens are paid for",
        "The price is that of tokens generated at a steady batch; reading the prompt costs nothing.",
        "Long prompts with short answers.",
        "The price comes out too low.",
    ),
    "full_links": Assumption(
        "Links at full speed",
        "A message takes a latency, and its bytes at the link's bandwidth; collectives share no link with one another.",
        "Small messages, crowded networks, rings that cross one another, protocols that send every byte twice.",
        "Collectives come out too short.",
    ),
    "balanced_experts": Assumption(
        "Balanced experts",
        "Every expert is visited by the same number of tokens.",
        "Routers that prefer some experts, small batches.",
        "All-to-alls come out too short, as the busiest device sets the pace.",
    ),
    "whole_experts": Assumption(
        "A device holds whole experts",
        "A token goes to one device for each expert it visits; none is gathered for others that share the expert.",
        "Experts that are cut in columns over several devices.",
        "All-to-alls come out too short: after them, devices that share an expert gather their tokens.",
    ),
    "independent_routing": Assumption(
        "Tokens choose experts independently",
        "Every token visits as many experts, each set of them equally likely, whatever other tokens visit.",
        "Routers that prefer some experts, prompts of one kind, groups of experts that are chosen together.",
        "Bytes of experts come out too high, as tokens that agree need fewer of them.",
    ),
    "independent_acceptance": Assumption(
        "Drafts are accepted independently",
        "Every drafted token is accepted with the same probability, whatever became of those before it.",
        "Text that is easy in parts: accepted tokens follow one another.",
        "Either way; runs of easy tokens favour longer drafts than are computed here.",
    ),
    "idle_compute": Assumption(
        "Checking a draft costs no time",
        "The target model checks all drafted tokens in the time of one step.",
        "Batches that keep the arithmetic units busy already, experts that each drafted token needs anew.",
        "Speed-ups come out too high.",
    ),
    "activations_as_forward": Assumption(
        "Passes move alike",
        "The backward pass moves twice the bytes of the forward pass, as it does twice the operations; weights too, "
        "which it reads once, and whose gradients it writes once.",
        "Fused kernels, gradients kept or added up in more bytes than activations and weights.",
        "Bytes come out slightly too high where kernels are fused, and too low where gradients are wide.",
    ),
    "nothing_hidden": Assumption(
        "Nothing is hidden",
        "A device computes, moves and communicates one after the other.",
        "Kernels that overlap their loads, collectives that run beside the backward pass.",
        "Steps come out too long.",
    ),
    "memoryless_failures": Assumption(
        "Failures are independent and memoryless",
        "A device fails at a constant rate, whatever its age and its neighbours do; any failure stops the run.",
        "Young or worn-out parts, failures of whole racks, runs that go on with fewer devices.",
        "Either way; failures in groups cost less than the same number spread out.",
    ),
}
