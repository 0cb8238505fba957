"""C text of FFCx's expressions in vectors."""

from __future__ import annotations

from typing import Any

import ffcx.codegeneration.lnodes as L
from ffcx.codegeneration.C.formatter import Formatter as Scalar

#: what a node is: one number for all lanes, one of each lane, or true or false in each lane
NUMBER, VECTOR, MASK = "double", "V", "M"
COMPARISONS = (L.EQ, L.NE, L.LT, L.GT, L.LE, L.GE)

#: functions of vectors.h for powers that need no ``pow``
POWERS = {
    2.0: "square", 3.0: "cube", 4.0: "fourth", 0.5: "v_sqrt", 1.5: "power_3_2", 2.5: "power_5_2",
    -1.0: "inverse", -0.5: "inverse_sqrt",
}  # fmt: skip


class Formatter(Scalar):
    """Writes FFCx's nodes in the vectors of vectors.h.

    Tables and indices are numbers, comparisons masks, all else is a vector.
    """

    def __init__(self, dtype):
        super().__init__(dtype)
        self._types: dict[str, str] = {}  # of symbols that have been declared

    def sort(self, n) -> str:
        """What a node is."""
        if isinstance(n, L.Symbol):
            default = NUMBER if n.dtype == L.DataType.INT else VECTOR
            return self._types.get(n.name, default)
        if isinstance(n, L.ArrayAccess):
            return self.sort(n.array)
        if isinstance(n, (*COMPARISONS, L.And, L.Or, L.Not)):
            return MASK
        if isinstance(n, L.Conditional):
            return VECTOR
        if isinstance(n, (L.LiteralFloat, L.LiteralInt, L.MultiIndex)):
            return NUMBER
        return VECTOR if any(self.sort(part) == VECTOR for part in _parts(n)) else NUMBER

    def vector(self, n) -> str:
        """A node as a vector."""
        if self.sort(n) == VECTOR:
            return self(n)
        text = _double(n)
        return f"every({self(n) if text is None else text})"

    def __call__(self, n) -> str:
        if isinstance(n, L.ArrayDecl):
            return self._array(n)
        if isinstance(n, L.VariableDecl):
            return self._variable(n)
        if isinstance(n, (L.Assign, L.AssignAdd)) and self.sort(n.lhs) == VECTOR:
            return f"{self(n.lhs)} {n.op} {self.vector(n.rhs)};\n"
        if isinstance(n, L.Conditional):
            choice = self.vector(n.true), self.vector(n.false)
            return f"choose({self(n.condition)}, {', '.join(choice)})"
        if isinstance(n, COMPARISONS):
            return f"({self.vector(n.lhs)} {n.op} {self.vector(n.rhs)})"
        if isinstance(n, (L.And, L.Or)):
            return f"({self(n.lhs)} {n.op[0]} {self(n.rhs)})"
        if isinstance(n, L.Not):
            return f"(~{self(n.arg)})"
        if self.sort_of_operator(n) == VECTOR:
            return self._function(n) if isinstance(n, L.MathFunction) else self._arithmetic(n)
        return super().__call__(n)

    def sort_of_operator(self, n) -> str:
        """What an operator or function gives; of any other node a number."""
        some = isinstance(n, (L.MathFunction, L.NaryOp, L.ArithmeticBinOp))
        return self.sort(n) if some else NUMBER

    def _array(self, n) -> str:
        name = n.symbol.name
        self._types[name] = NUMBER if n.const else VECTOR
        if n.const:
            return super().__call__(n)
        if n.values is not None and any(n.values.ravel()):
            raise ValueError(f"{name} begins with other values than 0")
        return f"V {name}{''.join(f'[{size}]' for size in n.sizes)} = {{}};\n"

    def _variable(self, n) -> str:
        name, sort = n.symbol.name, self.sort(n.value)
        if n.symbol.dtype == L.DataType.INT and sort == NUMBER:
            return super().__call__(n)
        sort = self._types[name] = MASK if sort == MASK else VECTOR
        return f"{sort} {name} = {self(n.value) if sort == MASK else self.vector(n.value)};\n"

    def _function(self, n) -> str:
        if n.function == "power":
            exponent = getattr(n.args[1], "value", None)
            if exponent in POWERS:
                return f"{POWERS[exponent]}({self.vector(n.args[0])})"
        name = super().__call__(n).split("(", 1)[0]
        return f"v_{name}({', '.join(map(self.vector, n.args))})"

    def _arithmetic(self, n) -> str:
        """What FFCx writes, but for integers: beside vectors they must be doubles."""
        texts = []
        for part in _parts(n):
            text = _double(part) or self(part)
            texts.append(f"({text})" if part.precedence >= n.precedence else text)
        return f" {n.op} ".join(texts)


def _parts(n) -> list[Any]:
    """What a node is made of."""
    if isinstance(n, L.PrefixUnaryOp):
        return [n.arg]
    return [*n.args] if hasattr(n, "args") else [n.lhs, n.rhs]


def _double(n) -> str | None:
    """An integer as a double; ``None``: it is none."""
    return repr(float(n.value)) if isinstance(n, L.LiteralInt) else None
