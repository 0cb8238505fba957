"""Loads, clamps and material of a solid, given by numbers or DOLFINx Functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ... import checks
from ...errors import InputError
from ...meshes import cells as reference
from ..given import extremes, is_function
from .given import in_numbers, in_space


def body_loads(who: str, dimension: int, load: Any, thermal_strain: Any) -> tuple[Any, Any]:
    """The checked load per volume and thermal strain.

    Raises:
        InputError: a load of another dimension, a strain of -1 or below.
    """
    if not is_function(load):
        load = checks.vector(f"{who}: load", load)
    elif load.ufl_shape != (dimension,):
        raise InputError(
            f"{who}: the Function of the load has the shape {load.ufl_shape}; it needs {dimension} "
            "components."
        )
    for strain in () if thermal_strain is None else extremes(thermal_strain):
        if checks.number(f"{who}: thermal_strain", strain) <= -1:
            raise InputError(f"{who}: thermal_strain must be above -1, got {strain:g}.")
    return load, thermal_strain


def numbers_of(solid: Any, values: Callable[[Any], Any]) -> dict[str, Any]:
    """Numbers of the parameters of a solid's kind, those that are Functions by ``values``."""
    material = in_numbers(solid.material, values)
    result = {"rho": material.rho, **material.values()}
    if solid.damping is not None:
        result |= solid.damping.values(solid.name or solid.prefix, material)
    load = result["load"] = values(solid.load)
    if np.ndim(load) > 1 and load.shape[1] == 1:  # one vector a cell
        result["load"] = in_space(load)
    if solid.thermal_strain is not None:
        result["thermal_strain"] = values(solid.thermal_strain)
    return result


def clamps(solid: Any, who: str, clamped: Any) -> tuple[np.ndarray, np.ndarray]:
    """Which displacements of a solid are known, and their values, m, both (nodes, dimension).

    Raises:
        InputError: unknown facets or axes, a Function that is no displacement.
    """
    d = solid.dimension
    fixed, given = np.zeros((len(solid.nodes), d), bool), np.zeros((len(solid.nodes), d))
    axes = "xyz"[:d]
    if isinstance(clamped, Mapping):
        sets = dict(clamped)
    else:
        sets = dict.fromkeys(checks.names(f"{who}: clamped", clamped), axes)
    for name, along in sets.items():
        if is_function(along):
            nodes = solid.facets(name).nodes
            fixed[nodes], given[nodes] = True, _at_nodes(solid, who, along)[nodes]
            continue
        held = {*map(str, along)} if np.iterable(along) else set()
        if not held or held - {*axes}:
            raise InputError(
                f"{who}: clamped facets {name!r} are held along some of the axes {axes!r}, got "
                f"{checks.shown(along)}."
            )
        nodes = solid.facets(name).nodes
        for axis in along:
            fixed[nodes, axes.index(axis)] = True
            given[nodes, axes.index(axis)] = 0.0
    return fixed, given


def _at_nodes(solid: Any, who: str, f: Any) -> np.ndarray:
    """A Function with the components of a displacement at a solid's nodes, (n, dimension)."""
    continuous = f.function_space.element.basix_element.degree > 0
    if f.ufl_shape != (solid.dimension,) or not continuous:
        raise InputError(
            f"{who}: prescribed displacements are a continuous Function of {solid.dimension} "
            f"components, got {f.function_space.ufl_element()}."
        )
    result = np.zeros((len(solid.nodes), solid.dimension))
    points = reference.lattice(solid.mesh.cell, solid.degree)
    result[solid.cells] = solid.mesh.nodal(f, who, points)[1]
    return result
