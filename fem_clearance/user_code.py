"""Python code of users, such as laws and cases: errors in it are reported with file and line."""

from __future__ import annotations

import difflib
import functools
import inspect
import re
import sys
import sysconfig
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from numbers import Real
from pathlib import Path
from traceback import extract_tb
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import ufl

from . import checks
from .errors import InputError, StepFailed

#: folders of the package and the libraries; code elsewhere is a user's
_LIBRARIES = tuple(
    {str(Path(__file__).parent)}
    | {sysconfig.get_path(n) for n in ("stdlib", "platstdlib", "purelib", "platlib")}
)
#: what Python says -> what a law needs instead
_HINTS = {
    "evaluated as bool": "write ufl.conditional(condition, a, b) in the place of if",
    "setting an array element": "write ufl.conditional(condition, a, b) in the place of np.where",
    "must be real number": "write ufl.sqrt, ufl.exp ... in the place of those of math and NumPy",
    "math domain error": "write ufl.sqrt, ufl.exp ... in the place of those of math and NumPy",
    "__float__ returned non-float": "write ufl.sqrt, ufl.exp ... in the place of those of math",
    "loop of ufunc": "write ufl.sqrt, ufl.exp ... in the place of those of math and NumPy",
}
#: the same of a line that takes entries of ``c.split``
_SPLIT = {
    "tuple index out of range": "c.split gives one entry for each field, of a pair i, j and those "
    "of own_fields"
}
#: likeness of names, as of difflib, from which one is the other misspelt
ALIKE = 0.8
#: Python's messages about an unknown argument and about missing ones
_UNKNOWN = re.compile(r"([\w.]+)\(\) got an unexpected keyword argument '(\w+)'")
_MISSING = re.compile(r"([\w.]+)\(\) missing \d+ required .*?arguments?: (.*)")


def is_users(file: str) -> bool:
    """Whether a Python file is neither the package's nor a library's."""
    return not file.startswith((*_LIBRARIES, "<"))


def is_added(cls: Any) -> bool:
    """Whether a class or function is not of the package."""
    return cls.__module__.partition(".")[0] != __package__.partition(".")[0]


def place(error: BaseException, folders: Collection[Path] | None = None) -> str:
    """File and line of a user's code where an error arose, or an empty text.

    Args:
        folders: of the code; default: anywhere.
    """
    found, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if is_users(file) and (folders is None or Path(file).resolve().parent in folders):
            found = f"{file}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return found


def place_of(thing: Any) -> str:
    """File and first line of a user's class or function, or an empty text."""
    try:
        thing = inspect.unwrap(thing)
        file = inspect.getfile(thing)
        return f"{file}, line {inspect.getsourcelines(thing)[1]}" if is_users(file) else ""
    except (OSError, TypeError):  # of no file, or built in
        return ""


def _no_argument(called: str, name: str) -> str:
    """States that a function or class has no such argument; of the package's with the nearest one
    that it has."""
    called = called.removesuffix(".__init__")
    first, *rest = called.split(".")
    homes = [vars(m) for n, m in list(sys.modules.items()) if n.partition(".")[0] == __package__]
    found: Any = next((home[first] for home in homes if first in home), None)
    for step in rest:
        found = getattr(found, step, None)
    known = inspect.signature(found).parameters if callable(found) else ()
    return _unknown(called, name, list(known))


def _unknown(called: str, name: str, known: list[str]) -> str:
    """The same with the nearest of the arguments that are known, or else with their names."""
    listed = f"; it takes {checks.some(known)}" if known else ""
    return f"{called} takes no argument {name!r}{checks.suggestion(name, known) or listed}"


def described(error: Exception) -> str:
    """An error as a sentence, with what to write instead if that is known."""
    said = str(error)
    if isinstance(error, TypeError) and (found := _UNKNOWN.match(said)):
        said = _no_argument(*found.groups())
    elif isinstance(error, TypeError) and (found := _MISSING.match(said)):
        said = f"{found[1].removesuffix('.__init__')} needs {found[2]}"
    if isinstance(error, KeyError) and error.args and str(error.args[0]).isidentifier():
        said += (
            ", which nothing there is called by; if users may set that word, list those allowed "
        )
        said += "in choices= of its Parameter"
    if isinstance(error, AttributeError) and isinstance(error.obj, SimpleNamespace):
        known = checks.some(sorted(vars(error.obj))) or "none"
        said = f"{error.name!r} is none of the law's parameters ({known})"
    hints = _HINTS | (_SPLIT if _splits(error) else {})
    hint = next((f"; {what}" for mark, what in hints.items() if mark in said), "")
    return f"{type(error).__name__}: {said.rstrip('.')}{hint}."


def _splits(error: BaseException) -> bool:
    """Whether a line of the traceback calls ``split``."""
    return any(".split(" in (frame.line or "") for frame in extract_tb(error.__traceback__))


def answering(cls: type) -> None:
    """Make a class report wrong arguments in a sentence that names the nearest one; the error
    remains a ``TypeError``."""
    init: Any = cls.__init__  # type: ignore[misc]
    if not inspect.isfunction(init):
        return

    @functools.wraps(init)
    def call(self, *values, **named):
        try:
            init(self, *values, **named)
        except TypeError as error:
            own = inspect.get_annotations(type(self)) if type(self) is not cls else {}
            if forgotten := [n for n in named if n in own]:
                raise TypeError(
                    f"{type(self).__name__} takes no argument {forgotten[0]!r}; write "
                    "@dataclass(frozen=True) before the class."
                ) from None
            if why := _wrong_arguments(cls, values, named):
                raise TypeError(why) from None
            raise error

    cls.__init__ = call  # type: ignore[misc]


def _wrong_arguments(cls: type, values: tuple, named: Mapping[str, Any]) -> str:
    """Why a class cannot be called with these arguments, or an empty text."""
    known = inspect.signature(cls).parameters
    first = [n for n, p in known.items() if p.kind is not p.KEYWORD_ONLY]
    if any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in known.values()):
        return ""
    for name in named:
        if name not in known:
            return _unknown(cls.__name__, name, list(known)) + "."
    if len(values) > len(first):
        then = [n for n in known if n not in first]
        more = f"; give the others by name: {checks.some(then)}" if then else ""
        order = " in this order" if len(first) > 1 else ""
        what = f"{', '.join(first) or 'no values'}{order}, got {len(values)}"
        return f"{cls.__name__} takes {what}{more}."
    given = {*first[: len(values)], *named}
    missing = [n for n, p in known.items() if p.default is p.empty and n not in given]
    return f"{cls.__name__} needs {', '.join(map(repr, missing))}." if missing else ""


def failure(what: str, error: Exception, where: str = "") -> InputError:
    """The sentence about an error in a user's code.

    Args:
        what: subject of the sentence.
        where: file and line, if the traceback has none.
    """
    return refusal(place(error) or where, f"{what} failed with {described(error)}")


def scalar(what: str, method: Callable, result: Any) -> Any:
    """The result of a user's method, if it is a UFL scalar or a number.

    Raises:
        InputError: it is neither.
    """
    if wrong := _wrong_expression(result, True, ()):
        raise refusal(place_of(method), f"{what} {wrong}.")
    return result


def number_of(expression: Any) -> float:
    """Value of a UFL scalar of numbers alone; NaN where it is not real."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of UFL, about roots of negative numbers
            value = ufl.as_ufl(expression)(())
    except (ZeroDivisionError, OverflowError, ValueError):
        return np.nan
    return np.nan if isinstance(value, complex) else float(value)


def refusal(where: str, sentence: str) -> InputError:
    """The error of a sentence about code at a place (see ``place_of``; it may be empty)."""
    return InputError(f"{where}: {sentence}" if where else sentence)


@contextmanager
def forms_of(kind: Any) -> Iterator[None]:
    """Report errors in a user's class while forms of a kind are derived or compiled.

    Raises:
        InputError: an error in a kind or law that is not the package's.
    """
    try:
        yield
    except (InputError, StepFailed, OSError):
        raise
    except Exception as error:
        classes = [type(kind), *(z for z in vars(kind).values() if isinstance(z, type))]
        theirs = next(filter(None, map(place_of, classes)), "")
        if not (theirs or place(error)):
            raise
        raise failure(kind.label, error, theirs) from error


class Law:
    """Base of the laws that users may add; results of their methods are checked.

    If a method of a class outside the package raises an error, or returns no scalar, one sentence
    states its file and line.
    """

    #: methods that give a scalar, in UFL (or numbers, where they are called with numbers)
    scalars: ClassVar[tuple[str, ...]] = ()
    #: methods that give an expression of any shape
    expressions: ClassVar[tuple[str, ...]] = ()
    #: methods that each law must define
    needed: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        if not is_added(cls):
            return
        methods = (*cls.scalars, *cls.expressions, "values")
        _check_names(cls, methods)
        for name in methods:
            own = cls.__dict__.get(name)  # of their numbers those of a base count too
            method = inspect.getattr_static(cls, name, None) if name == "values" else own
            plain = getattr(method, "__func__", method)
            plain = getattr(plain, "unchecked", plain)
            _check_static(cls, name, own)
            if not callable(plain):
                continue
            call = _checked(cls, name, plain)
            wrap: Any = type(method) if isinstance(method, (staticmethod, classmethod)) else None
            setattr(cls, name, wrap(call) if wrap else call)


def _check_complete(cls: type[Law]) -> None:
    """Refuse a class without a method that its laws must define."""
    for name in cls.needed:
        base = next(z for z in reversed(cls.__mro__) if name in vars(z))
        first = inspect.unwrap(getattr(base, name))
        if inspect.unwrap(getattr(cls, name)) is first:
            takes = ", ".join(inspect.signature(first).parameters)
            raise refusal(place_of(cls), f"{cls.__name__} must define {name}({takes}).")


def _check_names(cls: type[Law], methods: Collection[str]) -> None:
    """Refuse a method whose name is nearly that of one which the class does not define."""
    for name, method in vars(cls).items():
        plain = inspect.isfunction(method) or isinstance(method, staticmethod | classmethod)
        if not plain or name[:1] == "_" or any(hasattr(base, name) for base in cls.__bases__):
            continue
        near = difflib.get_close_matches(name.lower(), methods, 1, ALIKE)
        if near and near[0] not in vars(cls):
            raise TypeError(
                f"{cls.__name__}.{name}: a law has no such method, did you mean {near[0]!r}? Begin "
                "the names of functions of your own with an underscore."
            )


def _check_static(cls: type[Law], name: str, method: Any) -> None:
    """Refuse a method with ``self`` where that of the base is static: it is called on the class."""
    base = next((vars(z)[name] for z in cls.__mro__[1:] if name in vars(z)), None)
    if not (isinstance(base, staticmethod) and inspect.isfunction(method)):
        return
    if next(iter(inspect.signature(method).parameters), "") == "self":
        raise TypeError(
            f"{cls.__name__}.{name}: write @staticmethod before it, and no self; numbers of the "
            "law are attributes of p, by their names in parameters."
        )


def _checked(cls: type[Law], name: str, method: Callable) -> Callable:
    """A method of a law with checks of its errors and results."""

    @functools.wraps(method)
    def call(*values, **options):
        who, where = f"{cls.__name__}.{name}", place_of(method) or place_of(cls)
        # numbers to which a subclass adds are checked there
        whole = name == "values" and (not values or type(values[0]) is cls)
        if whole:
            _check_complete(cls)
        try:
            result = method(*values, **options)
        except InputError:
            raise
        except Exception as error:
            raise failure(who, error, where) from error
        if name == "values":
            wrong = _wrong_numbers(cls, result, is_added(method)) if whole else ""
        else:
            wrong = _wrong_expression(result, name in cls.scalars, values)
        if wrong:
            raise refusal(where, f"{who} {wrong}.")
        return result

    call.unchecked = method  # type: ignore[attr-defined]
    return call


def _wrong_expression(result: Any, scalar: bool, given: tuple) -> str:
    """What is wrong with a law's result, or an empty text."""
    if isinstance(result, ufl.core.expr.Expr) and not isinstance(result, ufl.classes.Condition):
        if not scalar or (result.ufl_shape == () and not result.ufl_free_indices):
            return ""
        return f"must return a scalar, got a tensor of shape {result.ufl_shape}"
    if isinstance(result, Real) and not isinstance(result, bool):
        return "" if np.isfinite(float(result)) else f"must return a finite number, got {result!r}"
    if isinstance(result, np.ndarray) and any(isinstance(z, np.ndarray) for z in given):
        return "" if np.isfinite(result).all() else "must return finite numbers"
    return f"must return {'a scalar' if scalar else 'an'} expression of UFL, got {result!r:.60}"


def _wrong_numbers(cls: type, result: Any, added: bool) -> str:
    """What is wrong with the numbers of a law, or an empty text; ``added``: a user's method gives
    them."""
    if not isinstance(result, Mapping):
        return f"must return the numbers by name, got {result!r:.60}"
    known = {str(n).rpartition(".")[2] for n in result}
    named = getattr(cls, "parameters", ())
    if missing := [n for n in named if n not in known]:
        return f"gives no number {missing[0]!r}, which parameters name"
    if more := [n for n in result if added and "." not in str(n) and n not in named]:
        names = ", ".join(repr(str(n)) for n in (*named, *more))
        return f"gives a number {more[0]!r} that is no parameter: write parameters = ({names},)"
    for name, value in result.items():
        if isinstance(value, bool) or not isinstance(value, Real) or not np.isfinite(float(value)):
            return f"must give finite numbers, {name} is {value!r}"
    return ""
