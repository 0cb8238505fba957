"""Inventories of the documentation of other packages, for intersphinx without a network.

Lists the few names that types and pages mention; the files are written when the documentation is
built.
"""

import zlib
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "_inventories"
FENICS = "https://docs.fenicsproject.org"


def _methods(page: str, names: str) -> dict[str, str]:
    return {name: page.format(name) for name in names.split()}


#: project -> (address, {name: page})
PROJECTS: dict[str, tuple[str, dict[str, str]]] = {
    "python": (
        "https://docs.python.org/3/",
        {
            "collections.abc.Callable": "library/collections.abc.html#collections.abc.Callable",
            "collections.abc.Iterable": "library/collections.abc.html#collections.abc.Iterable",
            "collections.abc.Iterator": "library/collections.abc.html#collections.abc.Iterator",
            "collections.abc.Mapping": "library/collections.abc.html#collections.abc.Mapping",
            "collections.abc.Sequence": "library/collections.abc.html#collections.abc.Sequence",
            "pathlib.Path": "library/pathlib.html#pathlib.Path",
            "typing.Any": "library/typing.html#typing.Any",
        }
        | _methods("library/functions.html#{}", "bool dict float int list object set str tuple"),
    ),
    "numpy": (
        "https://numpy.org/doc/stable/",
        {
            "numpy.ndarray": "reference/generated/numpy.ndarray.html",
            "numpy.typing.ArrayLike": "reference/typing.html#numpy.typing.ArrayLike",
            "numpy.typing.NDArray": "reference/typing.html#numpy.typing.NDArray",
        },
    ),
    "ufl": (
        f"{FENICS}/ufl/2025.2.0.post0/",
        {
            "ufl.core.expr.Expr": "api-doc/ufl.core.html#ufl.core.expr.Expr",
            "ufl.form.Form": "api-doc/ufl.html#ufl.form.Form",
            "ufl.conditional": "api-doc/ufl.html#ufl.conditional",
            "ufl.derivative": "api-doc/ufl.html#ufl.derivative",
            "ufl.diff": "api-doc/ufl.html#ufl.diff",
            "ufl.sqrt": "api-doc/ufl.html#ufl.sqrt",
        },
    ),
    "dolfinx": (
        f"{FENICS}/dolfinx/v0.11.0.post0/python/",
        {
            "dolfinx.mesh.Mesh": "generated/dolfinx.mesh.html#dolfinx.mesh.Mesh",
            "dolfinx.mesh.MeshTags": "generated/dolfinx.mesh.html#dolfinx.mesh.MeshTags",
            "dolfinx.fem.Function": "generated/dolfinx.fem.html#dolfinx.fem.Function",
        },
    ),
    "petsc4py": (
        "https://petsc.org/release/petsc4py/",
        _methods(
            "reference/{}.html",
            "petsc4py.PETSc.Mat petsc4py.PETSc.Vec petsc4py.PETSc.SNES petsc4py.PETSc.KSP"
            " petsc4py.PETSc.Options",
        ),
    ),
}
FUNCTIONS = {"ufl.conditional", "ufl.derivative", "ufl.diff", "ufl.sqrt"}


def mapping() -> dict[str, tuple[str, str]]:
    """What ``intersphinx_mapping`` asks for; writes the inventories."""
    FOLDER.mkdir(exist_ok=True)
    entries = {}
    for project, (address, names) in PROJECTS.items():
        head = f"# Sphinx inventory version 2\n# Project: {project}\n# Version: \n"
        head += "# The remainder of this file is compressed using zlib.\n"
        lines = [
            f"{name} py:{'function' if name in FUNCTIONS else 'class'} 1 {page} -\n"
            for name, page in names.items()
        ]
        file = FOLDER / f"{project}.inv"
        data = head.encode() + zlib.compress("".join(lines).encode())
        if not file.exists() or file.read_bytes() != data:
            file.write_bytes(data)
        entries[project] = (address, str(file))
    return entries
