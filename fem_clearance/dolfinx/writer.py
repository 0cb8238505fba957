"""Files of a body's fields over time, written by all ranks, for ParaView."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from dolfinx import fem, has_adios2, io
from dolfinx.io import vtkhdf

from .. import checks
from ..errors import InputError
from .functions import FIELDS, functions_of, state_of


class _Format(Protocol):
    """A file that takes Functions at instants; all of it is collective."""

    def write(self, functions: Sequence[Any], t: float) -> None: ...

    def close(self) -> None: ...


class Writer:
    """Writes fields of a body to one file, at instants of a run; collective.

    It may be given to ``Simulation`` as ``on_step``; what it is asked for by ``write`` it writes at
    once. Close it at the end, or use it in a ``with`` statement.

    Example:
        >>> with Writer("rod.bp", rod, ("displacement", "stress"), every=1e-3) as writer:
        ...     writer.write(system.state, t=0.0)
        ...     Simulation(system, t_end=0.1, on_step=writer).run()

    Args:
        path: its suffix says which format: ``.bp`` (VTX of ADIOS2, all nodes of quadratic
            elements), ``.xdmf`` or ``.vtkhdf`` (the nodes of the mesh; ``.vtkhdf`` holds one field
            of one or three components). A file that is there is overwritten.
        body: a ``Solid`` on a mesh by ``mesh``, or a ``Field``.
        fields: see ``to_function``; default: the displacement, or the field's value.
        every: simulated time between two instants, s: steps are written that reach the next
            multiple of it after what was written last, and the first step where nothing was.
            Default: every step.

    Raises:
        InputError: another body, an unknown field or format, one that this DOLFINx has not.
    """

    def __init__(
        self,
        path: str | Path,
        body: Any,
        fields: str | Sequence[str] = (),
        *,
        every: float | None = None,
    ):
        self.body, self.every = body, every
        if every is not None:
            self.every = checks.positive("Writer: every", every)
        self._functions = functions_of(body)
        names = checks.names("Writer: fields", fields)
        self._fields = [self._functions.new(name) for name in names or [self._functions.first]]
        path = Path(path)
        kind = checks.choice("Writer: suffix", path.suffix, tuple(_FORMATS))
        self._due = 0.0
        self._file: _Format | None = _FORMATS[kind](path, self._fields)

    def __call__(self, stepper: Any) -> None:
        """Write the present step if it is due; ``on_step`` of a simulation."""
        if self.every is None or stepper.t >= self._due * (1 - 1e-9):
            self.write(stepper)

    def write(self, state: Any, t: float | None = None) -> None:
        """Write a state; collective.

        Args:
            state: ``system.state`` or a ``Stepper``.
            t: time, s; default: that of the state.

        Raises:
            InputError: the file is closed; ranks that have the mesh but no part in the run.
        """
        if self._file is None:
            raise InputError(f"the Writer of {self.body.name} is closed already.")
        present = state_of(state)
        ranks = self._functions.mesh.comm.size
        if present.comm.size not in (1, ranks):
            raise InputError(
                f"{self.body.name}: the run goes on on {present.comm.size} of the {ranks} ranks of "
                "the DOLFINx mesh, whose files all of them write: take fewer ranks, or write after "
                "the run."
            )
        for f in self._fields:
            self._functions.fill(f, present)
        t = float(present.globals[0]) if t is None else t
        self._file.write(self._fields, t)
        if self.every is not None:
            self._due = self.every * (np.floor(t / self.every * (1 + 1e-9)) + 1)

    def close(self) -> None:
        """Complete the file; collective."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *_) -> None:
        self.close()


class _Vtx:
    """VTX of ADIOS2: Functions as they are."""

    def __init__(self, path: Path, functions: Sequence[Any]):
        if not has_adios2:
            raise InputError(
                f"{path}: this DOLFINx was built without ADIOS2; write .xdmf or .vtkhdf."
            )
        comm = functions[0].function_space.mesh.comm
        self._file = io.VTXWriter(comm, path, [*functions])

    def write(self, functions: Sequence[Any], t: float) -> None:
        self._file.write(t)

    def close(self) -> None:
        self._file.close()


class _OfMesh:
    """Base of formats that hold values at the nodes of the mesh."""

    def __init__(self, path: Path, functions: Sequence[Any]):
        self.path, self.mesh = path, functions[0].function_space.mesh
        degree = self.mesh.geometry.cmaps[0].degree
        self.shown = []
        for f in functions:
            V = fem.functionspace(self.mesh, ("Lagrange", degree, f.function_space.value_shape))
            self.shown.append(fem.Function(V, name=f.name))

    def interpolated(self, functions: Sequence[Any]) -> list[Any]:
        """The Functions at the nodes of the mesh."""
        for mine, f in zip(self.shown, functions, strict=True):
            mine.interpolate(f)
            mine.x.scatter_forward()
        return self.shown

    def close(self) -> None:
        pass


class _Xdmf(_OfMesh):
    """XDMF with HDF5."""

    def __init__(self, path: Path, functions: Sequence[Any]):
        super().__init__(path, functions)
        self._file = io.XDMFFile(self.mesh.comm, path, "w")
        self._file.write_mesh(self.mesh)

    def write(self, functions: Sequence[Any], t: float) -> None:
        for f in self.interpolated(functions):
            self._file.write_function(f, t)

    def close(self) -> None:
        self._file.close()


class _VtkHdf(_OfMesh):
    """VTKHDF: one field, called ``u`` there."""

    def __init__(self, path: Path, functions: Sequence[Any]):
        if len(functions) > 1 or FIELDS.get(functions[0].name) == (3, 3):
            raise InputError(
                f"{path}: DOLFINx writes one vector or scalar to a .vtkhdf file; take .bp or .xdmf "
                "for several fields and for tensors."
            )
        super().__init__(path, functions)
        vtkhdf.write_mesh(path, self.mesh)
        (f,) = self.shown
        geometry, V = self.mesh.geometry, f.function_space
        self._owned, self._bs = geometry.index_map().size_local, V.dofmap.bs
        self._node = np.zeros(len(geometry.x), np.int64)
        self._node[geometry.dofmaps[0]] = V.dofmap.list

    def write(self, functions: Sequence[Any], t: float) -> None:
        (f,) = self.interpolated(functions)
        values = f.x.array.reshape(-1, self._bs)[self._node[: self._owned]]
        if self._bs == 2:  # vectors have three components there
            values = np.pad(values, ((0, 0), (0, 1)))
        vtkhdf.write_point_data(self.path, self.mesh, np.ascontiguousarray(values).ravel(), t)


_FORMATS: dict[str, Any] = {".bp": _Vtx, ".xdmf": _Xdmf, ".vtkhdf": _VtkHdf}
