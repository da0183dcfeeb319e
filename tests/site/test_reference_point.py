"""The point at which an equation's page shows its numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from roofline_sym.library import BOOK, EQUATIONS
from roofline_sym.site import reference as module
from roofline_sym.site.reference import CHOSEN, SUNDRY, Setting, reference


def test_every_equation_has_a_point_with_all_its_inputs():
    """The compiled kernel, which shares nothing with the walk, gives the value there."""
    for name, equation in EQUATIONS.items():
        point = reference(equation)
        assert list(point) == list(equation.inputs), name
        assert all(math.isfinite(value) for value in point.values()), name
        value = equation.kernel(*map(float, point.values()))
        assert math.isclose(value, float(point.step.value), rel_tol=1e-9), name


def test_the_point_is_that_of_the_first_check():
    """With the numbers the check is given, and its title to say so."""
    point = reference(EQUATIONS["kv_cache"])

    assert point.where == "the check “Llama 3 70B, batch 16, context 8192”"
    assert {q.name: point[q] for q in point}["batch_size"] == 16
    assert [q.name for q in point.idle] == ["window", "kv_lora_rank", "qk_rope_head_dim"]


def test_without_a_check_it_is_a_setting_in_which_every_part_is_there():
    """Latent attention is shown for a model that has it, ring attention for a layout that has one."""
    assert reference(EQUATIONS["mla_weights"]).where.startswith("DeepSeek-V3")
    assert "131,072" in reference(EQUATIONS["context_parallel_time"]).where
    assert reference(EQUATIONS["context_parallel_time"]).sources[0] == "llama3, table 4"


def test_the_layouts_add_up_to_their_devices():
    """As the reports of the runs state them."""
    for setting in (module.TRAINING, module.LONG_CONTEXT, module.EXPERT_TRAINING, module.EXPERT_SERVING):
        work = {name: int(float(v)) for group in setting.work.values() for name, v in group.items() if v.isdigit()}
        degrees = ("tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel")
        assert math.prod(work[name] for name in degrees) == work["n_devices"], setting.words


@pytest.mark.parametrize("work", [SUNDRY, *(s.work for s in vars(module).values() if isinstance(s, Setting))])
def test_every_value_has_a_source_of_the_bibliography(work: Mapping[str, Mapping[str, str]]):
    """Or says that it was chosen."""
    for source, values in work.items():
        assert values
        if source != CHOSEN:
            BOOK.check_source(source)
