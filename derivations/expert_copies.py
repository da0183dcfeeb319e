"""Devices that hold the same experts, from the count of all devices."""

from roofline_sym.library import derivation
from roofline_sym.notation import one_device


@derivation
def expert_copies(
    proof, expert_copies, layout_devices, data_parallel, expert_parallel, expert_tensor_parallel, pipeline_parallel
):
    """The same devices are laid out twice: once for dense parameters, once for experts."""
    proof.start("layout_devices", because="The devices, as dense parameters are laid out on them.")
    proof.put(
        layout_devices,
        one_device * pipeline_parallel * expert_parallel * expert_tensor_parallel * expert_copies,
        because="A stage's experts are spread over some devices, and each is cut over some; all of that is there as "
        "often as there are copies, and no device is left out.",
    )
    proof.put(
        "dense_copies",
        solved_for=data_parallel,
        because="Devices of one data-parallel and context-parallel group hold the same dense parameters.",
    )
    proof.solve(expert_copies, because="Stages are the same in both layouts.")
