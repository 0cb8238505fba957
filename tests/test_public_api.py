"""The public interface is what tests/public_api.txt lists: a change of it is meant, or an accident.

python tests/test_public_api.py    writes the list anew
"""

import importlib
import inspect
from functools import cached_property
from pathlib import Path

LIST = Path(__file__).with_name("public_api.txt")
PACKAGES = (
    "fem_clearance", "fem_clearance.analysis", "fem_clearance.cases", "fem_clearance.dolfinx",
    "fem_clearance.extend", "fem_clearance.functions", "fem_clearance.gears",
    "fem_clearance.guides", "fem_clearance.lubrication", "fem_clearance.meshes",
    "fem_clearance.bodies.solids.resultants", "fem_clearance.bodies.solids.stress",
    "fem_clearance.shapes",
)  # fmt: skip


def ours(name, item):
    """Whether a module without ``__all__`` shows this name of ours."""
    return name[0] != "_" and str(getattr(item, "__module__", "")).startswith("fem_clearance")


def parameters(function):
    """Names of a function's parameters, those with a default marked."""
    try:
        known = inspect.signature(function).parameters.values()
    except ValueError:  # an exception that takes what Python's take
        return "..."
    shown = (p for p in known if p.name not in ("self", "cls"))
    return ", ".join(p.name + ("=" if p.default is not p.empty else "") for p in shown)


def lines():
    """One for each public name, and one for each member of a class that is described."""
    for package in PACKAGES:
        home = importlib.import_module(package)
        names = getattr(home, "__all__", None) or [n for n, x in vars(home).items() if ours(n, x)]
        for name in sorted(names):
            item = getattr(home, name)
            if inspect.isclass(item):
                yield f"{package}.{name}({parameters(item)})"
                for member, value in sorted(inspect.getmembers(item)):
                    described = callable(value) or isinstance(value, property | cached_property)
                    if member.startswith("_") or not described or not value.__doc__:
                        continue
                    known = f"({parameters(value)})" if callable(value) else ""
                    yield f"{package}.{name}.{member}{known}"
            elif inspect.isroutine(item):
                yield f"{package}.{name}({parameters(item)})"
            elif not inspect.ismodule(item):
                yield f"{package}.{name}"


def test_interface_is_as_listed():
    found, listed = set(lines()), set(LIST.read_text(encoding="utf-8").splitlines())
    assert not listed - found, "gone or changed: say so in CHANGELOG.md, then write the list anew"
    assert not found - listed, "new: write the list anew (python tests/test_public_api.py)"


if __name__ == "__main__":
    LIST.write_text("\n".join(sorted(set(lines()))) + "\n", encoding="utf-8")
