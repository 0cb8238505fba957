"""Numbers and arrays that Python and the compiled functions share."""

from typing import Any

import numpy as np

from ..._backend import MPI, PETSc


def pointer(ffi, array: np.ndarray):
    """Where the compiled functions find an array, which must stay."""
    if array.dtype not in (np.int32, float) or not array.flags.c_contiguous:
        raise TypeError(f"an array of {array.dtype} is not what the loop reads")
    return ffi.cast("int *" if array.dtype == np.int32 else "double *", array.ctypes.data)


def fill(ffi, struct, arrays: dict[str, np.ndarray]) -> list[np.ndarray]:
    """Let the compiled functions find arrays in a structure under these names; returns what must
    stay: the arrays, or copies of those that are not as the functions read them."""
    kept = []
    for name, z in arrays.items():
        z = np.ascontiguousarray(z, float if z.dtype == float else np.int32)
        kept.append(z)
        setattr(struct, name, pointer(ffi, z))
    return kept


def communicator(module, comm: MPI.Comm) -> dict[str, Any]:
    """``fc_comm`` of ranks.h."""
    handles = {"comm": comm, "number": MPI.DOUBLE, "sum": MPI.SUM, "largest": MPI.MAX}
    cast = module.ffi.cast
    return {"allreduce": module.petsc["MPI_Allreduce"]} | {
        name: cast("void *", MPI._handleof(handle)) for name, handle in handles.items()
    }


class Shared:
    """Numbers and arrays of the time loop.

    Attributes:
        numbers: ``fc_loop`` of newton.h.
    """

    def __init__(self, module):
        self.module: Any = module
        self.keep: dict[str, dict[str, Any]] = {}
        self.numbers = module.ffi.new("fc_loop *")
        for name, address in module.petsc.items():
            setattr(self.numbers.petsc, name, address)

    def set(self, part: str = "", /, **values) -> None:
        """Numbers of both, or of a part of theirs."""
        numbers = getattr(self.numbers, part) if part else self.numbers
        for name, value in values.items():
            setattr(numbers, name, value)

    def point(self, part: str = "", /, **arrays) -> None:
        """Arrays and PETSc objects that the compiled functions find under these names, or in a part
        of their numbers."""
        self.keep[part] = {**self.keep.get(part, {}), **arrays}
        self.set(part, **{name: self._address(value) for name, value in arrays.items()})

    def _address(self, value):
        ffi = self.module.ffi
        if isinstance(value, np.ndarray):
            return pointer(ffi, value)
        return ffi.cast("void *", value.handle) if isinstance(value, PETSc.Object) else value

    def release(self) -> None:
        """Let go of them; nothing compiled may run after this."""
        self.keep.clear()


def number(name: str, meaning: str):
    """An attribute that is one of the numbers of ``Shared``, which its object has as ``c``."""
    return property(
        lambda self: getattr(self.c, name),
        lambda self, value: setattr(self.c, name, value),
        doc=meaning,
    )
