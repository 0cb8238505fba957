"""Shape, section forces and surface stress of a whole beam at one instant."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from ..._backend import MPI
from ...core.compiled.build import native
from ...core.compiled.shared import pointer
from ...core.evaluation import Batches, DofMap
from ...core.forms import kernels
from ...core.kind import Kind
from ...core.symbols import GLOBALS
from ..solids.stress import von_mises
from .forces import STRESSES, drawn, gauss_points, place_kind, place_rows, turned
from .layout import BeamLayout
from .section_matrices import TENSOR
from .section_table import SectionTable


class BeamShape(NamedTuple):
    """A beam at one instant, for pictures.

    Attributes:
        points: centre line, m, (n, 3).
        d2, d3: section directors there, (n, 3); a corner (y, z) lies at ``points + y d2 + z d3``.
        outline: corners of the section, m, (m, 2), or (n, m, 2) if the section varies.
    """

    points: np.ndarray
    d2: np.ndarray
    d3: np.ndarray
    outline: np.ndarray


def shape_of(beam: BeamLayout, values: np.ndarray) -> BeamShape:
    """Shape at the ends and middles of a beam's elements; see ``Beam.shape``."""
    fields = {
        name: np.array([node[name].all.present(values) for node in beam.nodes])
        for name in beam.kind.node_fields
    }
    r, outline = fields["r"], outlines(beam)
    if beam.kind.spans == 2:
        return BeamShape(r, fields["d2"], fields["d3"], outline)
    slope, ends = fields["slope"], r
    ratio = np.diff(beam.ends)[:, None] * beam.elements / beam.length
    middle = (ends[1:] + ends[:-1]) / 2 + ratio * (slope[:-1] - slope[1:]) / 8  # Hermite cubic
    r = _between(r, middle)
    if "d2" in fields:
        d2, d3 = (_between(d, (d[1:] + d[:-1]) / 2) for d in (fields["d2"], fields["d3"]))
    else:
        middle = 1.5 * (ends[1:] - ends[:-1]) - ratio * (slope[1:] + slope[:-1]) / 4
        d2, d3 = _turned(beam, _between(slope, middle))
    return BeamShape(r, d2, d3, outline)


def outlines(beam: BeamLayout) -> np.ndarray:
    """Outline of the section, m, (corners, 2); of a ``SectionTable`` the outlines at the ends and
    middles of the elements, (stations, corners, 2)."""
    if isinstance(beam.section, SectionTable):
        return np.array([beam.section.at(s).outline for s in stations(beam)])
    return beam.section.outline


def _between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Rows of ``a`` with those of ``b`` in between."""
    result = np.empty((len(a) + len(b), *a.shape[1:]))
    result[::2], result[1::2] = a, b
    return result


def _turned(beam: BeamLayout, tangents: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directors of a cable: the initial ones turned the shortest way with the tangent."""
    result = []
    triads = _between(beam.triads, beam.middles)
    for triad, t in zip(triads.transpose(0, 2, 1), tangents, strict=True):
        t = t / np.linalg.norm(t)
        if t @ triad[0] < -1 + 1e-12:  # straight back: half a turn about the third
            result.append([-triad[1], triad[2]])
        else:
            result.append(turned(triad, t, np.dot))
    d2, d3 = np.array(result).transpose(1, 0, 2)
    return d2, d3


def section_forces(beam: BeamLayout, values: np.ndarray) -> dict[str, np.ndarray]:
    """Forces and moments at the ends and middles of a beam's elements, see ``SectionForces``.

    Args:
        beam: the beam, added to a system.
        values: coordinates of the whole system by global number.

    Returns:
        ``s`` (arc length, m) and ``N Q_y Q_z M_t M_y M_z``, each (2 elements + 1,).
    """
    names, table = _at_gauss_points(beam, values, stress=False)
    table = _carried(beam, table.sum(axis=2))
    return {"s": stations(beam)} | dict(zip(names, table.T, strict=True))


def surface_stress(beam: BeamLayout, values: np.ndarray) -> dict[str, np.ndarray]:
    """Cauchy's stress on the outline at the ends and middles of a beam's elements.

    In the axes of the deformed section (x its normal, y along d2). Sections stay plane: shear
    stresses do not vanish on the surface as they should, and those of torsion are those of a
    circle. A cable has an axial stress only.

    Args:
        beam: the beam, added to a system.
        values: coordinates of the whole system by global number.

    Returns:
        ``xx yy zz xy xz yz`` and ``von_mises``, Pa, each (2 elements + 1, corners of the outline).
    """
    names, table = _at_gauss_points(beam, values, stress=True)
    table = _carried(beam, table)
    result = {name: np.zeros(table.shape[:2]) for name in STRESSES}
    result |= {name: table[..., k] for k, name in enumerate(names)}
    tensors = np.stack([result[name] for name in STRESSES], axis=-1)[..., TENSOR]
    result["von_mises"] = von_mises(tensors)
    return result


def stations(beam: BeamLayout) -> np.ndarray:
    """Arc lengths of the ends and middles of a beam's elements, m, (2 elements + 1,)."""
    count = beam.elements
    return np.interp(np.arange(2 * count + 1) / 2, np.arange(count + 1), beam.ends)


def _at_gauss_points(beam: BeamLayout, values: np.ndarray, stress: bool):
    """Names, and observables at the Gauss points, (elements, points, places, observables)."""
    kind = place_kind(beam, stress)
    places = beam.section.outline if stress else None
    if stress not in beam.place_cache:
        rows = [
            [place_rows(beam, kind, e, x, 1.0, places) for x in gauss_points(beam)]
            for e in range(beam.elements)
        ]
        beam.place_cache[stress] = np.array(rows)
    rows = beam.place_cache[stress]
    unknowns = np.array(
        [np.concatenate([r.present(values) for r in beam.element_refs(e)])
         for e in range(beam.elements)]
    )  # fmt: skip
    per_element = rows.shape[1] * rows.shape[2]
    names, table = observe(
        kind, np.repeat(unknowns, per_element, axis=0), rows.reshape(-1, rows.shape[-1])
    )
    return names, table.reshape(*rows.shape[:3], -1)


def _carried(beam: BeamLayout, table: np.ndarray) -> np.ndarray:
    """Values at ends and middles of elements, drawn from the Gauss points and averaged where
    elements meet."""
    first, middle, last = (
        np.einsum("g,eg...->e...", drawn(beam, x), table) for x in (0.0, 0.5, 1.0)
    )
    result = np.empty((2 * len(table) + 1, *table.shape[2:]))
    result[1::2], result[0], result[-1] = middle, first[0], last[-1]
    result[2:-1:2] = (first[1:] + last[:-1]) / 2
    return result


def observe(kind: Kind, unknowns: np.ndarray, parameters: np.ndarray):
    """Observables of point cells outside a system: names, and values (cells x observables).

    Args:
        kind: of the cells.
        unknowns: cells x unknowns.
        parameters: cells x parameters.
    """
    compiled = kernels(kind, MPI.COMM_SELF)
    assert compiled.observe is not None
    count, first = unknowns.shape[0], unknowns.size
    state = np.concatenate([unknowns.ravel(), parameters.ravel(), np.zeros(GLOBALS)])
    where = {
        "q": np.arange(first).reshape(unknowns.shape),
        "parameters": first + np.arange(parameters.size).reshape(parameters.shape),
    }
    dof_map = np.ascontiguousarray(
        np.hstack([where[name] for name in compiled.observe.coefficients]), dtype=np.int32
    )
    x = np.zeros((count, 3))
    cells = SimpleNamespace(count=count, coordinates=lambda _: (x, None), tables=())
    size = len(compiled.observables)
    work: Any = [(cells, compiled.observe, DofMap(dof_map), size)]
    module = native(MPI.COMM_SELF)
    seen = Batches(work, module).evaluate(pointer(module.ffi, state))
    return [*compiled.observables], seen.reshape(count, size).copy()
