"""Names that have changed, of arguments, attributes and modules: the old ones keep working."""

from __future__ import annotations

import functools
import importlib
import sys
import warnings
from collections.abc import Callable
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

Called = TypeVar("Called")
Made = TypeVar("Made")

#: files whose callers a warning is about
PACKAGE = str(Path(__file__).parent)


def warn(text: str) -> None:
    """Give a ``DeprecationWarning`` about the line of the user's code that led here. By default
    Python shows it if that line is in a script or notebook."""
    warnings.warn(text, DeprecationWarning, skip_file_prefixes=(PACKAGE,))


def arguments(**names: str) -> Callable[[Called], Called]:
    """Decorator of a function or class some of whose arguments had other names, old -> new.

    Each old name gives a ``DeprecationWarning`` in one sentence.
    """

    def decorate(function: Any) -> Any:
        if isinstance(function, type):
            function.__init__ = decorate(function.__init__)  # type: ignore[misc]
            return function

        @functools.wraps(function)
        def call(*args, **options):
            for old, new in names.items():
                if old in options:
                    warn(f"{old} is called {new} now.")
                    options[new] = options.pop(old)
            return function(*args, **options)

        return call

    return decorate


def attributes(**names: str) -> Callable[[type[Made]], type[Made]]:
    """Decorator of a class some of whose attributes or methods had other names, old -> new.

    Each old name gives a ``DeprecationWarning`` in one sentence.
    """

    def reader(old: str, new: str) -> property:
        def read(self):
            warn(f"{old} is called {new} now.")
            return getattr(self, new)

        return property(read, doc=f"Old name of ``{new}``.")

    def decorate(made: type[Made]) -> type[Made]:
        for old, new in names.items():
            setattr(made, old, reader(old, new))
        return made

    return decorate


def names(module: str, moved: dict[str, str]) -> Callable[[str], Any]:
    """``__getattr__`` of a module some of whose names have changed.

    Args:
        module: its name.
        moved: old name -> new name or place, ``"shapes.Box"``.

    Each old name gives a ``DeprecationWarning`` in one sentence.
    """

    def read(name: str) -> Any:
        if name not in moved:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        new = moved[name]
        warn(f"{module}.{name} is called {module}.{new} now.")
        return functools.reduce(getattr, new.split("."), sys.modules[module])

    return read


class _Renamed(Loader):
    """Loads a module by the name that it had before."""

    def __init__(self, old: str, new: str, silent: bool):
        self.old, self.new, self.silent = old, new, silent

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        if not self.silent:
            warn(f"{self.old} is called {self.new} now.")
        module = importlib.import_module(self.new)
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec  # its own again; it has already been executed


class Modules(MetaPathFinder):
    """Finds modules of a package that had other names, old -> new, both without the package's.

    Args:
        package: its name.
        names: each gives a ``DeprecationWarning`` in one sentence.
        kept: old names that stay, without a warning.
    """

    def __init__(self, package: str, names: dict[str, str], kept: dict[str, str]):
        self.names = {
            f"{package}.{old}": (f"{package}.{new}", old in kept)
            for old, new in {**names, **kept}.items()
        }

    def find_spec(self, fullname, path=None, target=None) -> ModuleSpec | None:
        if fullname not in self.names:
            return None
        return ModuleSpec(fullname, _Renamed(fullname, *self.names[fullname]))

    def install(self) -> None:
        """Make ``import`` look here first."""
        sys.meta_path.insert(0, self)
