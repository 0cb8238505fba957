"""A language of FFCx's: C whose kernels evaluate several cells at once, one in each lane of the
processor's vectors.

FFCx imports it by its name and asks it for ``integral``, ``form``, ``expression`` and ``file``; but
for integrals these are FFCx's own. A kernel reads and writes ``[number][lane]``: its arguments
``w``, ``coordinate_dofs`` and ``A`` hold each number of all cells of a block side by side.
``compiled/evaluate.c`` makes these blocks.
"""

from types import SimpleNamespace

from ffcx.codegeneration.C import expression, file, form

from .integral import generator

integral = SimpleNamespace(generator=generator)

__all__ = ["expression", "file", "form", "integral"]
