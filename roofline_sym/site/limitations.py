"""The five limitations the methodology names, and the equations that lift each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limitation:
    """One thing the methodology leaves out, what comes of that, and the equations that put it in.

    Attributes:
        title: A few words.
        text: What is left out, and what comes of that.
        lifted_by: The equations that put it in.
        comes_with: The quantities through which it reaches what rests on them, unless that rests on what lifts it.
    """

    title: str
    text: str
    lifted_by: tuple[str, ...]
    comes_with: tuple[str, ...]


LIMITATIONS = (
    Limitation(
        "Topology beyond the NVLink domain",
        "Links between nodes are slower than links within one, and collectives cross both. One efficiency "
        "stands for all of that, so layouts that spread a layer over nodes look better than they are.",
        ("hierarchical_all_reduce_time", "tensor_parallel_time", "data_parallel_time", "all_to_all_time"),
        ("tensor_share",),
    ),
    Limitation(
        "Goodput, failures and hot spares",
        "Large clusters lose time to broken devices, to the work since the last checkpoint and to restarts. "
        "A run comes out too short by all of it.",
        ("cluster_mtbf", "goodput", "hot_spares"),
        ("time_to_train",),
    ),
    Limitation(
        "Storage and checkpoint bandwidth",
        "Writing a checkpoint takes time, and how long decides how often it pays to write one. Here, "
        "checkpoints are free.",
        ("checkpoint_time", "young_interval", "daly_interval"),
        ("time_to_train",),
    ),
    Limitation(
        "Speculative decoding and reuse of cached prefixes",
        "A small model can guess ahead for a large one, and requests with the same beginning can share its "
        "cache. Both make serving cheaper than is computed here.",
        ("speculative_speedup", "speculative_interval", "fresh_length"),
        ("serving_throughput",),
    ),
    Limitation(
        "A single figure for the data centre's overhead",
        "Cooling and power supply cost energy beside the devices, as a factor (PUE) that differs between "
        "sites and seasons. One number stands for all of them.",
        ("energy", "carbon", "facility_power"),
        ("pue",),
    ),
)
