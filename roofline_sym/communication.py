"""Chapter 5. Communication: what a collective costs, on one ring, on a tree, in a switch, and across nodes.

The payload is one device's: what it ends with in an all-gather, what it starts with in the others.
"""

from sympy import ceiling, log

from roofline_sym.library import check, equation

GIBIBYTE_ON_H100 = {"payload": "1 GiB", "group_size": 8, "link_bandwidth": "450 GB/s", "link_latency": "0 s"}
FOUR_NODES = {"group_size": 32, "link_bandwidth": "91.69 GB/s", "link_latency": "1.10107527 us"}


def once_around(group_size, payload, bandwidth, latency):
    """Once around a ring: every step sends one part of the payload to the next rank."""
    return (group_size - 1) * (latency + payload / (group_size * bandwidth))


def once_across(ranks_per_node, n_nodes, ranks, payload, inside, outside):
    """Once around the ranks of each node, and once around the nodes, with each rank's part; (bandwidth, latency)."""
    bandwidth, latency = outside
    between = (n_nodes - 1) * (latency + payload / (ranks * bandwidth))
    return once_around(ranks_per_node, payload, *inside) + between


def up_and_down(ranks, payload, bandwidth, latency):
    """Up two trees and down again, half the payload in each, in a pipeline: few steps, and the payload twice."""
    return 2 * payload / bandwidth + 2 * ceiling(log(ranks) / log(2)) * latency


def one_by_one(ranks, near, part, inside, outside):
    """A part to every other rank in turn: some are near, in one fast domain, the rest beyond; (bandwidth, latency)."""
    (fast, soon), (slow, late) = inside, outside
    return (near - 1) * (soon + part / fast) + (ranks - near) * (late + part / slow)


def through_switch(ranks, payload, bandwidth, latency):
    """To a switch that adds up, and back: the payload once, its part of the sums, and two steps."""
    return (ranks + 1) / ranks * payload / bandwidth + 2 * latency


@equation(r"B_\text{sum}", "byte/s", status="definition", source="bekman2026, network/README, NVLink",
          because="It names the bandwidths of all links together; whether a message gets them is what its "
                  "assumptions say.")
@check("V100", n_links=6, one_link_bandwidth="25 GB/s", expect="150 GB/s", within=0,
       source="bekman2026, network/README, NVLink")
@check("H100", n_links=18, one_link_bandwidth="25 GB/s", expect="450 GB/s", within=0,
       source="bekman2026, network/README, NVLink", note="vendors print twice that: both directions together")
def summed_link_bandwidth(n_links, one_link_bandwidth):
    """Bandwidth of a device to its neighbours, per direction: that of all of its links."""
    return n_links * one_link_bandwidth


@equation(r"T_\text{p2p}", "s", status="empirical", source="hockney1994, eq. 1; parkbench1994, COMMS1",
          assumes=["full_links"],
          because="Hockney's ping-pong between two nodes fits this line by least squares to times of messages of all "
                  "lengths, as on an Intel Paragon and a Meiko CS-2, and two lines where short messages go another "
                  "way. Latency and bandwidth are inputs here; it holds as far as neither depends on the message.")
@check("1 GiB, no latency", GIBIBYTE_ON_H100, expect="2.3861 ms")
def point_to_point_time(link_latency, payload, link_bandwidth):
    """Time of one message: latency, and the payload at the link's bandwidth."""
    return link_latency + payload / link_bandwidth


@equation(r"\rho_\text{AR}", "", status="derived", source="patarasuk2009, §3")
@check("8 ranks", group_size=8, expect="1.75", within=0, source="nccl-tests, all-reduce")
@check("32 ranks", group_size=32, expect="1.9375", within=0, published="1.9377",
       source="bekman2026, network/benchmarks")
@check("one rank", group_size=1, expect="0", within=0)
def all_reduce_factor(group_size):
    """Bytes a rank sends in a ring all-reduce, beside its payload: a reduce-scatter, then an all-gather."""
    return 2 * (group_size - 1) / group_size


@equation(r"\rho_\text{AG}", "", status="derived", source="thakur2005, §3.1")
@check("8 ranks", group_size=8, expect="0.875", within=0, source="nccl-tests, all-gather")
def all_gather_factor(group_size):
    """Bytes a rank sends in an all-gather, a reduce-scatter or an all-to-all, beside its payload."""
    return (group_size - 1) / group_size


@equation(r"T_\text{ring}", "s", status="derived", source="patarasuk2009, §3", assumes=["full_links"])
@check("1 GiB over 8 H100", GIBIBYTE_ON_H100, expect="4.1757 ms", note="450 GB/s each way; 900 GB/s is the sum of both")
def ring_all_reduce_time(group_size, payload, link_bandwidth, link_latency):
    """Time of a ring all-reduce: around once to add up, and once more to spread the sums."""
    return 2 * once_around(group_size, payload, link_bandwidth, link_latency)


@equation(r"T_\text{tree}", "s", status="derived", source="sanders2009, abstract; nccl, src/graph/tuning.cc (tree)",
          assumes=["full_links"])
@check("1 GiB over 8 H100", GIBIBYTE_ON_H100, expect="4.7722 ms", note="fewer steps than a ring, and more bytes")
def tree_all_reduce_time(payload, link_bandwidth, group_size, link_latency):
    """Time of an all-reduce up and down two trees, in a pipeline: few steps, and the payload twice.

    Half of the payload goes along each tree, and a rank that is inside of one is a leaf of the other. It holds from
    three ranks on: of two, each has one child, and the bytes take half as long.
    """
    return up_and_down(group_size, payload, link_bandwidth, link_latency)


@equation(r"T_\text{switch}", "s", status="derived", source="nccl, src/graph/tuning.cc (NVLS)", assumes=["full_links"])
@check("1 GiB over 8 H100", GIBIBYTE_ON_H100, expect="2.6844 ms",
       note="a bus bandwidth reckoned with the ring's factor would exceed the link's")
def switch_all_reduce_time(group_size, payload, link_bandwidth, link_latency):
    """Time of an all-reduce that the switch adds up: the payload goes up once, and the sums come down."""
    return through_switch(group_size, payload, link_bandwidth, link_latency)


@equation(r"T_\text{hier}", "s", status="derived", source="thakur2005, §4", assumes=["full_links"])
@check("one node of 8", GIBIBYTE_ON_H100, ranks_per_node=8, n_nodes=1, expect="4.1757 ms", note="the ring's time")
@check("4 nodes of 8, one bandwidth", GIBIBYTE_ON_H100, ranks_per_node=8, n_nodes=4, network_bandwidth="450 GB/s",
       network_latency="0 s", expect="4.6231 ms", note="with one bandwidth its volume is that of a ring over all 32")
def hierarchical_all_reduce_time(
    ranks_per_node, n_nodes, payload, link_bandwidth, link_latency, network_bandwidth, network_latency
):
    """Time of an all-reduce beyond one fast domain: in each node, and of each rank's part between nodes."""
    inside, outside = (link_bandwidth, link_latency), (network_bandwidth, network_latency)
    return 2 * once_across(ranks_per_node, n_nodes, ranks_per_node * n_nodes, payload, inside, outside)


@equation(r"T_\text{AR}", "s", status="definition", source="nccl, src/graph/tuning.cc",
          because="It only chooses between the algorithms above.")
@check("64 MiB over 32 ranks", FOUR_NODES, payload="64 MiB", expect="1.4863 ms", published="1.5315 ms",
       source="bekman2026, network/benchmarks (43.82 GB/s)",
       note="latency from the row of 32 KiB, bandwidth from that of 16 GiB")
def all_reduce_time(
    all_reduce_algorithm, ring_all_reduce_time, tree_all_reduce_time, hierarchical_all_reduce_time,
    switch_all_reduce_time,
):  # fmt: skip
    """Time of an all-reduce by the algorithm chosen."""
    return all_reduce_algorithm.pick(
        ring=ring_all_reduce_time, tree=tree_all_reduce_time, hierarchical=hierarchical_all_reduce_time,
        in_switch=switch_all_reduce_time,
    )  # fmt: skip


@equation(r"T_\text{AG}", "s", status="derived", source="thakur2005, §3.1", assumes=["full_links"])
@check("1 GiB over 8 H100", GIBIBYTE_ON_H100, expect="2.0878 ms")
def all_gather_time(group_size, payload, link_bandwidth, link_latency):
    """Time of a ring all-gather: each rank passes on the parts it was given."""
    return once_around(group_size, payload, link_bandwidth, link_latency)


@equation(r"T_\text{RS}", "s", status="derived", source="thakur2005, §3.3", assumes=["full_links"])
@check("1 GiB over 8 H100", GIBIBYTE_ON_H100, expect="2.0878 ms", note="an all-gather backwards")
def reduce_scatter_time(group_size, payload, link_bandwidth, link_latency):
    """Time of a ring reduce-scatter: each rank adds its part to what it passes on."""
    return once_around(group_size, payload, link_bandwidth, link_latency)


@equation(r"T_\text{A2A}", "s", status="derived", source="thakur2005, §3.2", assumes=["full_links"])
@check("1 GiB over 8 H100", GIBIBYTE_ON_H100, expect="2.0878 ms")
def all_to_all_time(group_size, payload, link_bandwidth, link_latency):
    """Time of an all-to-all: each rank keeps its own part and sends every other rank one."""
    return once_around(group_size, payload, link_bandwidth, link_latency)


@equation(r"B_\text{alg}", "byte/s", status="definition", source="nccl-tests, algorithm bandwidth",
          because="It is how nccl-tests names payload over time.")
@check("8 MiB over 32 ranks", FOUR_NODES, payload="8 MiB", expect="34.17 GB/s", published="35.42 GB/s",
       source="bekman2026, network/benchmarks")
def algorithm_bandwidth(payload, all_reduce_time):
    """Payload per time of an all-reduce."""
    return payload / all_reduce_time


@equation(r"B_\text{bus}", "byte/s", status="definition", source="nccl-tests, bus bandwidth",
          because="It is how nccl-tests names the payload's rate times the ring's factor, whatever algorithm has "
                  "run.")
@check("8 ranks", group_size=8, algorithm_bandwidth="275 GB/s", expect="481.25 GB/s", within=0,
       source="nccl-tests, bus bandwidth",
       note="above the link's 450 GB/s: the switch adds up, and the ring's factor does not fit")
def bus_bandwidth(all_reduce_factor, algorithm_bandwidth):
    """What an all-reduce says of the links, if it goes around a ring."""
    return all_reduce_factor * algorithm_bandwidth
