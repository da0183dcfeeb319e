"""Collectives and volumes: published factors, what must hold of any group, and slips seen elsewhere."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roofline_sym import EQUATIONS, Scenario, kernels

S, LINK = 2**30, 450e9


#: Slips met in public tools (the numbers of that list), with the value that is right.
RIGHT = [
    ("AC01: one direction of the link", "ring_all_reduce_time", (8, S, LINK, 0), 4.1757e-3),
    ("AC06: a gather of the whole, not of a part", "all_gather_time", (8, S, LINK, 0), 2.0878e-3),
    ("AC03: all-reduce", "all_reduce_factor", (8,), 1.75),
    ("AC03: all-gather, reduce-scatter, all-to-all", "all_gather_factor", (8,), 0.875),
    ("AC03: one rank sends nothing", "all_reduce_factor", (1,), 0),
    ("AC03: bus from algorithm bandwidth", "bus_bandwidth", (1.75, 275e9), 481.25e9),
    ("AC10: links of a GB200, per direction", "summed_link_bandwidth", (18, 50e9), 900e9),
]


@pytest.mark.parametrize(("title", "name", "args", "right"), RIGHT, ids=[row[0] for row in RIGHT])
def test_slips_seen_elsewhere(title, name, args, right):
    """Each gives the right value."""
    assert getattr(kernels, name)(*args) == pytest.approx(right, rel=1e-4)


def test_an_all_reduce_sends_both_halves():
    """AC09: adding up and spreading each move seven eighths of a gibibyte per rank."""
    sent = EQUATIONS["all_reduce_factor"](group_size=8).magnitude * S

    assert sent == 1_879_048_192


def test_an_in_switch_reduction_is_not_a_ring():
    """AC04: reckoned with the ring's factor, its bus bandwidth exceeds the link's; the model tells its own time."""
    given = {"payload": "1 GiB", "group_size": 8, "link_bandwidth": "450 GB/s", "link_latency": "0 s"}
    bus = {how: Scenario(**given, all_reduce_algorithm=how).evaluate("bus_bandwidth") for how in ("ring", "in_switch")}

    assert bus["in_switch"].to("GB/s").magnitude > 450
    assert bus["ring"].to("GB/s").magnitude == pytest.approx(450)


SIZES = st.integers(1, 4096)
BYTES = st.floats(1, 1e12)
RATES = st.floats(1e9, 1e12)
LATENCIES = st.floats(0, 1e-4)


@settings(max_examples=200, deadline=None)
@given(SIZES, BYTES, RATES, LATENCIES)
def test_a_ring_is_a_scatter_and_a_gather(n, payload, rate, latency):
    """An all-reduce takes as long as both halves, and never less than its bytes need."""
    halves = [getattr(kernels, f"{half}_time")(n, payload, rate, latency) for half in ("reduce_scatter", "all_gather")]
    ring = kernels.ring_all_reduce_time(n, payload, rate, latency)

    assert ring == pytest.approx(sum(halves))
    assert kernels.all_to_all_time(n, payload, rate, latency) == halves[0]
    assert ring >= kernels.all_reduce_factor(n) * payload / rate * (1 - 1e-12)


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 64), st.integers(1, 64), BYTES, RATES)
def test_a_hierarchy_of_one_bandwidth_is_a_ring(inner, outer, payload, rate):
    """With the same links everywhere its volume is that of a ring over all ranks; its latency is not."""
    hierarchy = kernels.hierarchical_all_reduce_time(inner, outer, payload, rate, 0, rate, 0)

    assert hierarchy == pytest.approx(kernels.ring_all_reduce_time(inner * outer, payload, rate, 0), rel=1e-9)


@settings(max_examples=100, deadline=None)
@given(st.integers(2, 4096), BYTES, RATES, st.floats(1e-7, 1e-4))
def test_trees_win_when_small(n, payload, rate, latency):
    """A tree sends more bytes in fewer steps: for one byte over many ranks it is never slower than a ring."""
    assert (
        kernels.tree_all_reduce_time(1, rate, n, latency)
        <= kernels.ring_all_reduce_time(n, 1, rate, latency) * (1 + 1e-9) + 2 / rate
    )
    bytes_alone = kernels.tree_all_reduce_time(payload, rate, n, 0)
    assert bytes_alone >= kernels.ring_all_reduce_time(n, payload, rate, 0)


#: Bytes per parameter that go around the copies in a step, two-byte gradients: Ψ is 2 byte per parameter.
PASSES = [("none", 1, 4), ("optimizer", 1, 4), ("gradients", 1, 4), ("parameters", 1, 6), ("parameters", 8, 34)]


@pytest.mark.parametrize(("stage", "microbatches", "right"), PASSES)
def test_what_zero_sends(stage, microbatches, right):
    """2Ψ, 2Ψ, 2Ψ, 3Ψ as the paper has it; where weights are shared out, they are gathered for every microbatch."""
    passed = EQUATIONS["passed_bytes"](gradient_format="bf16", zero_stage=stage, n_microbatches=microbatches)

    assert passed.magnitude == right


#: AM01: bytes of 7e9 parameters on one of 8 devices, by ZeRO stage and gradient format, in GB.
STATES = [
    ("gradients", "bf16", 26.25), ("gradients", "fp32", 28.0), ("gradients", "accumulated", 29.75),
    ("optimizer", "bf16", 38.5), ("parameters", "bf16", 14.0), ("parameters", "fp32", 15.75),
]  # fmt: skip


@pytest.mark.parametrize(("stage", "gradients", "right"), STATES)
def test_what_zero_keeps(stage, gradients, right):
    """Gradients are shared out from the second stage on."""
    held = Scenario(
        parameters="7e9", routed_parameters=0, tensor_parallel=1, pipeline_parallel=1, data_parallel=8,
        context_parallel=1, zero_stage=stage, gradient_format=gradients,
    ).evaluate("state_memory_per_device")  # fmt: skip

    assert held.to("GB").magnitude == pytest.approx(right)


LAYOUTS = st.fixed_dictionaries({
    "tensor_parallel": st.sampled_from([1, 2, 4, 8, 16]), "pipeline_parallel": st.integers(1, 16),
    "data_parallel": st.integers(1, 64), "context_parallel": st.sampled_from([1, 2, 4]),
})  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(LAYOUTS, st.integers(10**6, 10**12))
def test_ranks_sum_to_the_whole(layout, parameters):
    """Every dense parameter lies on exactly as many devices as there are copies: no more and no fewer."""
    given = {**layout, "parameters": parameters, "routed_parameters": 0}
    held = EQUATIONS["rank_parameters"].exact(given)
    devices = EQUATIONS["layout_devices"].exact(layout)

    assert held * devices == parameters * layout["data_parallel"] * layout["context_parallel"]


@settings(max_examples=100, deadline=None)
@given(LAYOUTS, st.sampled_from(["none", "optimizer", "gradients", "parameters"]))
def test_shards_of_states_sum_to_the_whole(layout, stage):
    """Over its copies, what is shared out is there once, and what is not, as often as there are copies."""
    given = {**layout, "zero_stage": stage, "gradient_format": "bf16", "optimizer": "adamw"}
    copies = layout["data_parallel"] * layout["context_parallel"]
    whole = {"none": 16 * copies, "optimizer": 4 * copies + 12, "gradients": 2 * copies + 14, "parameters": 16}

    assert EQUATIONS["dense_bytes_per_device"].exact(given) * copies == whole[stage]


def nccl_parent(rank, ranks):
    """The parent of a rank in the binary tree that NCCL builds (src/graph/trees.cc); rank 0 is the root."""
    bit = rank & -rank
    up = (rank ^ bit) | 2 * bit
    return up if up < ranks else rank ^ bit


@pytest.mark.parametrize("ranks", [3, 4, 7, 8, 13, 32, 100, 1024])
def test_two_trees_take_what_is_said(ranks):
    """Built rank by rank, with half a payload of 2 bytes on each: no rank takes in more, no way up has more levels."""
    first = {rank: nccl_parent(rank, ranks) for rank in range(1, ranks)}
    move = (lambda r: (r + 1) % ranks) if ranks % 2 else (lambda r: ranks - 1 - r)  # the second: shifted, or mirrored
    second = {move(rank): move(parent) for rank, parent in first.items()}
    taken = [sum(list(tree.values()).count(rank) for tree in (first, second)) for rank in range(ranks)]

    def levels(rank):
        return 1 + levels(first[rank]) if rank else 0

    rate, latency = 7.0, 11.0
    told = kernels.tree_all_reduce_time(2, rate, ranks, latency)
    assert told == pytest.approx(2 * max(taken) / rate + 2 * max(map(levels, range(ranks))) * latency)


#: Ranks of a layer, and the key-value heads of 8 that the fullest of them holds.
HEADS_HELD = [(1, 8), (2, 4), (8, 1), (16, 1), (32, 1)]


@pytest.mark.parametrize(("ranks", "held"), HEADS_HELD)
def test_what_a_ring_passes_on(ranks, held):
    """Llama 3 8B over 4 parts of a sequence: parts are handed on head by head, copies of heads by each that has one."""
    parts, tokens, width = 4, 4096, 128
    passed = 0
    for _step in range(parts - 1):
        for _head in range(held):
            passed += 2 * 2 * width * (tokens // parts)  # keys and values, of two bytes
    given = {
        "micro_batch_size": 1, "context_length": tokens, "n_kv_heads": 8, "head_dim": width, "kv_bytes": "2 byte",
        "context_parallel": parts, "tensor_parallel": ranks,
    }  # fmt: skip

    assert EQUATIONS["ring_attention_volume"].exact(given) == passed
    seconds = EQUATIONS["context_parallel_time"](
        given, n_microbatches=1, n_layers=1, pipeline_parallel=1, network_bandwidth="1 byte/s", network_latency="5 s"
    )
    assert seconds.magnitude == 3 * (passed + 5 * (parts - 1))


@pytest.mark.parametrize(("split", "ranks"), [("off", 1), ("off", 4), ("on", 1), ("on", 4)])
def test_what_goes_to_experts(split, ranks):
    """Token by token: each of a rank's tokens visits experts on all 16 devices in turn, 4 of them in its node."""
    tokens, visits, width, devices, near, layers = 64, 2, 32, 16, 4, 3
    inside = outside = 0
    own = tokens // ranks if split == "on" else tokens  # without it, every rank of a layer has all tokens
    for visit in range(own * visits):
        target = visit % devices
        inside += 2 * width * (0 < target < near)
        outside += 2 * width * (target >= near)
    given = {
        "n_microbatches": 1, "n_moe_layers": layers, "pipeline_parallel": 1, "n_active_experts": visits,
        "micro_batch_size": 1, "context_length": tokens, "context_parallel": 1, "hidden_size": width,
        "activation_bytes": "2 byte", "expert_parallel": devices, "sequence_parallel": split, "tensor_parallel": ranks,
    }  # fmt: skip
    links = {
        "expert_ranks_per_node": near, "link_efficiency": 1, "link_bandwidth": "8 byte/s", "link_latency": "1 s",
        "network_bandwidth": "2 byte/s", "network_latency": "100 s",
    }  # fmt: skip

    assert EQUATIONS["expert_parallel_volume"].exact(given) == 4 * layers * (inside + outside)
    seconds = EQUATIONS["expert_parallel_time"].exact(given, links)
    assert seconds == 4 * layers * (inside / 8 + outside / 2 + 1 * (near - 1) + 100 * (devices - near))
