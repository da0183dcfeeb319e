"""What a reader is told beside the numbers of a deployment: names that depend on the model, why two forms differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roofline_sym.serving_sheet import PARTS, ServingSheet

#: Parts that are called otherwise than their key.
HEADS = {"request": "alone", "load": "under load"}
LOAD = "alone: no step waits for the prompt of another; under load, as throughput: each does"


def label(sheet: ServingSheet, part: str, name: str) -> str:
    """What a reader calls a line of the sheet: operators by what the model has, communication by what is hidden."""
    if name in {"prefill_network_time", "decode_network_time"}:
        return _networks(sheet.deployment.model)
    text = PARTS[part][name]
    if "hidden or not" in text:
        share = float(sheet.scenario.evaluate("serving_overlap").magnitude)
        return text.replace("hidden or not", f"{100 * share:.3g} % hidden" if share else "none hidden")
    if name == "step_latency" and part == "prefill" and sheet.scenario.evaluate("prefill_passes").magnitude > 1:
        return f"{text}, a pass"
    return text


def _networks(model: Mapping[str, Any]) -> str:
    """What every token meets beside attention: dense networks, routers, shared experts."""
    if not _count(model, "n_moe_layers"):
        return "feed-forward networks"
    parts = [
        *(["dense layers"] if _count(model, "n_dense_layers") else []),
        "routers",
        *(["shared experts"] if _count(model, "shared_expert_size") else []),
    ]
    return ", ".join(parts)


def _count(model: Mapping[str, Any], name: str) -> float:
    return float(getattr(model.get(name, 0), "magnitude", 0))


def under_load(sheet: ServingSheet) -> str:
    """What times alone and under load mean, and where the latter cannot be reached; empty without requests."""
    if (turn := sheet.parts["load"].get("batch_time")) is None:
        return ""
    together = {leaf.quantity.name: float(leaf.value) for leaf in turn.leaves()}.get("prefill_batch", 1)
    needed = sheet.deployment.layout.pipeline_parallel * together
    if sheet.deployment.batch_size >= needed:
        return LOAD
    return f"{LOAD}; prompts are taken to come {needed:.0f} at a time, and the batch is smaller: that is too fast"


def why_apart(sheet: ServingSheet) -> str:
    """Why first order is far from operators, as far as the layout says; empty for a device alone."""
    layout, model = sheet.deployment.layout, sheet.deployment.model
    ranks, stages, heads = layout.tensor_parallel, layout.pipeline_parallel, _count(model, "n_kv_heads")
    reasons = ["leaves out latencies, and messages between devices"]
    if stages > 1:
        reasons.append(f"lets all {stages} stages work on one pass at once, which goes through them in turn")
    if ranks > 1 and _count(model, "n_mla_layers"):
        reasons.append(f"shares latent caches out over {ranks} ranks, of which each holds and reads a copy of all")
    elif ranks > heads > 0:
        reasons.append(f"shares {heads:.0f} key-value heads out over {ranks} ranks, several of which read the same")
    alone = max(ranks, stages, layout.expert_parallel) == 1
    return "" if alone else f"first order {'; it '.join(reasons)}"
