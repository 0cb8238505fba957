"""Kernels of integrals in lanes: FFCx's frame (``ffcx.codegeneration.C.integral``) round a body in
vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from ffcx.codegeneration.backend import FFCXBackend
from ffcx.codegeneration.C import integral_template
from ffcx.codegeneration.integral_generator import IntegralGenerator

from .formatter import Formatter

#: types and functions that kernels are written in
HEAD = Path(__file__).with_name("vectors.h").read_text()

BODY = """
  V *restrict const lanes_of_A = (V *)A;
  const V *restrict const lanes_of_w = (const V *)w;
  const V *restrict const lanes_of_x = (const V *)coordinate_dofs;
  {{
  V *restrict const A = lanes_of_A;
  const V *restrict const w = lanes_of_w, *restrict const coordinate_dofs = lanes_of_x;
  (void)w, (void)coordinate_dofs;
{body}
  }}
"""


def generator(ir, domain, options) -> tuple[str, str]:
    """Declaration and definition of an integral's kernel; arguments: FFCx's.

    Raises:
        ValueError: of numbers that are not double.
    """
    if np.dtype(options["scalar_type"]) != np.float64:
        raise ValueError(f"kernels in lanes are of float64, not {options['scalar_type']}")
    name = f"{ir.expression.name}_{domain.name}"
    parts = IntegralGenerator(ir, FFCXBackend(ir, options)).generate(domain)
    enabled = ", ".join("1" if some else "0" for some in ir.enabled_coefficients)
    flags = f"enabled_coefficients_{name}" if enabled else "NULL"
    declared = f"bool {flags}[{len(ir.enabled_coefficients)}] = {{{enabled}}};" if enabled else ""
    definition = integral_template.factory.format(
        factory_name=name, scalar_type="double", geom_type="double", domain=int(domain),
        tabulate_tensor=BODY.format(body=Formatter(options["scalar_type"])(parts)),
        enabled_coefficients=flags, enabled_coefficients_init=declared,
        tabulate_tensor_float32="", tabulate_tensor_complex64="", tabulate_tensor_complex128="",
        tabulate_tensor_float64=f".tabulate_tensor_float64 = tabulate_tensor_{name},",
        needs_facet_permutations="true" if ir.expression.needs_facet_permutations else "false",
        coordinate_element_hash=f"UINT64_C({ir.expression.coordinate_element_hash})",
    )  # fmt: skip
    return integral_template.declaration.format(factory_name=name), HEAD + definition
