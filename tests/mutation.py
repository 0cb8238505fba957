"""Whether the tests of forces see a wrong coefficient: mutants of the forms, and which survive.

    make test-mutation                       # 200 mutants over all files, about an hour on a core
    python tests/mutation.py --files contact/placements/planar.py lubrication --count 40
    python tests/mutation.py --only contact/placements/planar.py:12 --verbose

One sign, factor, term or index at a time is changed in memory (``mutants.py``) in what builds the
forms of contacts, films, joints, gears, bodies and loads. A first pass, with the code as it is,
notes which tests run through which lines; a mutant then meets ``--most`` of those tests alone:
first those of its own folder, different tests before the same with other parameters, the quickest
first. The first that fails has killed it. What takes longer than the time limit counts as killed
and is listed as such; so is what builds no form at all ("broken": it never gave a wrong number). A
mutant that no test runs through survives.

Which mutants are taken follows from the seed: every file has its share, the square root of how many
it has. Results are written after each mutant to ``--out`` and taken up again by the next run.
Survivors that differ in nothing that can be seen are listed in ``mutation_equivalent.json`` with
the reason.

Tests are those of the files ``test_forces*.py``, a few other quick ones (``FURTHER``), and any
``--tests``. Kernels are compiled without
optimisation into a cache of their own. Each mutant is a forked process: Python with FEniCSx is
loaded once.
"""

import argparse
import hashlib
import json
import os
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from math import sqrt
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
import mutants  # noqa: E402

#: further quick tests: responses of condensed solids, point masses, what probes of films see
FURTHER = (
    "tests/bodies/test_condensed.py", "tests/bodies/test_mass.py",
    "tests/lubrication/test_film_probe.py",
)  # fmt: skip
#: reasons of survivors that are none
EQUIVALENT = HERE / "mutation_equivalent.json"


def chosen(names: list[str], count: int, seed: int) -> list[mutants.Mutant]:
    """The mutants of a run, in the order in which they are tried."""
    ranked = []
    for file in mutants.files():
        if names and not any(file == n or file.startswith(n.rstrip("/") + "/") for n in names):
            continue
        sites = sorted(mutants.sites(file), key=lambda m: _draw(seed, *m.key, m.what))
        ranked += [((k + 0.5) / sqrt(len(sites)), m) for k, m in enumerate(sites)]
    return [m for _, m in sorted(ranked, key=lambda z: (z[0], z[1].name))[:count]]


def _draw(*of) -> str:
    return hashlib.sha256(repr(of).encode()).hexdigest()


# --- in a process of its own --------------------------------------------------------------------
def _cheap(cache: Path) -> None:
    """Kernels without optimisation, in a cache of their own."""
    os.environ["XDG_CACHE_HOME"] = str(cache)
    from fem_clearance.core import forms

    forms.jit_options = lambda cell: {"cffi_extra_compile_args": ["-O0"], "timeout": 600}


def _pytest(tests: list[str], plugins=()) -> int:
    import pytest

    quiet = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--tb=line"]
    return int(pytest.main([*quiet, "--rootdir", str(HERE.parent), *tests], plugins=[*plugins]))


class Outcome:
    """Remembers how the first failing test failed."""

    def __init__(self):
        self.text = ""
        self.test = ""

    def pytest_runtest_logreport(self, report):
        if report.failed and not self.test:
            self.test = report.nodeid
            crash = getattr(report.longrepr, "reprcrash", None)
            self.text = str(crash.message if crash else report.longrepr)[:300]


class Lines:
    """Notes which lines of the package each test runs through, and how long it takes."""

    def __init__(self):
        self.lines: dict[str, dict[str, list[int]]] = {}
        self.seconds: dict[str, float] = {}
        self.now: set[tuple[str, int]] = set()
        self.skip = len(str(mutants.PACKAGE)) + 1
        self.watched = {str(mutants.PACKAGE / f) for f in mutants.files()}
        watch = sys.monitoring
        watch.use_tool_id(watch.COVERAGE_ID, "mutation")
        watch.register_callback(watch.COVERAGE_ID, watch.events.LINE, self._line)
        watch.set_events(watch.COVERAGE_ID, watch.events.LINE)

    def _line(self, code, line):
        if code.co_filename not in self.watched:
            return sys.monitoring.DISABLE
        self.now.add((code.co_filename[self.skip :], line))
        return sys.monitoring.DISABLE  # once a test: restarted before the next

    def pytest_runtest_setup(self, item):
        from fem_clearance.core import forms

        for kept in (forms._kernels, forms._expressions, forms._drifts):
            kept.clear()  # forms are written anew in each test
        self.now.clear()
        sys.monitoring.restart_events()

    def pytest_runtest_logreport(self, report):
        if report.when != "call":
            return
        files: dict[str, list[int]] = {}
        for file, line in sorted(self.now):
            files.setdefault(file, []).append(line)
        self.lines[report.nodeid], self.seconds[report.nodeid] = files, report.duration


def forked(work, limit: float) -> dict:
    """What ``work()`` returns in a process of its own, ``{"verdict": "timeout"}`` after ``limit``
    seconds."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.close(read)
        try:
            result = work()
        except BaseException:
            result = {"verdict": "error", "text": traceback.format_exc()[-2000:]}
        with os.fdopen(write, "w") as pipe:
            json.dump(result, pipe)
        os._exit(0)
    os.close(write)
    late = {"hit": False}

    def stop(*_):
        late["hit"] = True
        os.killpg(child, signal.SIGKILL)

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, limit)
    try:
        with os.fdopen(read) as pipe:
            text = pipe.read()
        os.waitpid(child, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if late["hit"]:
        return {"verdict": "timeout"}
    return json.loads(text) if text else {"verdict": "crash"}


def survey(cache: Path, tests: list[str], kept: dict, log, save) -> dict:
    """The first pass: lines and times by test; ``kept``: those of earlier runs, by file of tests,
    that hold as long as neither these nor the package have changed."""
    common = [HERE / "forces.py", HERE / "bricks.py", *sorted(mutants.PACKAGE.rglob("*.py"))]
    source = _draw(*(p.read_bytes() for p in common))
    seen: dict = {"lines": {}, "seconds": {}}
    for file in tests:
        stamp = _draw(source, (HERE.parent / file.split("::")[0]).read_bytes())
        if kept.get(file, {}).get("stamp") != stamp:

            def work(file=file):
                _silent(log)
                notes = Lines()
                _cheap(cache)
                status = _pytest([file], [notes])
                return {"status": status, "lines": notes.lines, "seconds": notes.seconds}

            kept[file] = forked(work, 3600) | {"stamp": stamp}
            save()
        if kept[file].get("status") != 0:
            failed = kept.pop(file)
            raise SystemExit(f"{file} fails without any mutant: {failed.get('text', '')}")
        for name in seen:
            seen[name] |= kept[file][name]
    return seen


def attempt(mutant: mutants.Mutant, tests: list[str], cache: Path, limit: float, log) -> dict:
    """One mutant against its tests."""

    def work():
        _silent(log)
        mutants.install(mutant.file, mutant.number)
        outcome = Outcome()
        try:
            _cheap(cache)
            status = _pytest(tests, [outcome])
        except Exception as error:
            return {"verdict": "broken", "text": f"import: {error}"}
        if status == 0:
            return {"verdict": "survived"}
        failed = "AssertionError" in outcome.text or "assert" in outcome.text
        verdict = "killed" if failed else "broken"
        if status != 1 or not outcome.test:
            verdict = "error"  # no test has failed: something else went wrong
        return {"verdict": verdict, "test": outcome.test, "text": outcome.text[:200]}

    return forked(work, limit)


def _silent(log) -> None:
    for stream in (1, 2):
        os.dup2(log.fileno(), stream)


# --- the program --------------------------------------------------------------------------------
def main() -> int:
    arguments = _arguments()
    os.nice(5)
    out = Path(arguments.out)
    store = json.loads(out.read_text()) if out.exists() else {"results": {}}
    tests = [
        str(p.relative_to(HERE.parent))
        for p in sorted(HERE.glob("*/test_forces*.py"))
        if not arguments.suites or p.parent.name in arguments.suites
    ]
    tests += [f for f in FURTHER if not arguments.suites or f.split("/")[1] in arguments.suites]
    tests += arguments.tests
    if arguments.only:
        todo = [m for f in {n.split(":")[0] for n in arguments.only} for m in mutants.sites(f)
                if m.name in arguments.only]  # fmt: skip
    else:
        todo = chosen(arguments.files, arguments.count, arguments.seed)
    if arguments.list:
        for m in todo:
            print(f"{m.name:32} {m.function}, line {m.line}: {m.before}  ->  {m.after}")
        return 0
    _load()
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(arguments.cache or folder)
        with open(arguments.log, "a") as log:
            return _run(todo, tests, store, out, cache, log, arguments)


def _run(todo, tests, store, out, cache, log, arguments) -> int:
    tic = time.time()

    def save():
        part = out.with_suffix(".part")
        part.write_text(json.dumps(store, indent=1))
        part.replace(out)

    seen = survey(cache, tests, store.setdefault("survey", {}), log, save)
    print(f"{len(seen['lines'])} tests, {time.time() - tic:.0f} s; {len(todo)} mutants", flush=True)
    for mutant in todo:
        key = _draw(*mutant.key, mutant.what)[:16]
        before = store["results"].get(key, {})
        if before.get("verdict") in ("killed", "broken", "timeout") and not arguments.again:
            continue
        mine = _tests(mutant, seen)[: arguments.most]
        tic = time.time()
        limit = arguments.limit + 5 * sum(seen["seconds"][t] for t in mine)
        result = attempt(mutant, mine, cache, limit, log) if mine else {"verdict": "unreached"}
        result |= {"name": mutant.name, "function": mutant.function, "line": mutant.line,
                   "file": mutant.file, "what": mutant.what, "before": mutant.before,
                   "after": mutant.after, "seconds": round(time.time() - tic, 1)}  # fmt: skip
        store["results"][key] = result
        save()
        if result["verdict"] not in ("killed", "broken") or arguments.verbose:
            _tell(result)
    return _table(todo, store)


def _tests(mutant: mutants.Mutant, seen: dict) -> list[str]:
    """Tests that run through a mutant's lines: those of its folder first (nearly all tests run
    through rigid bodies, few look at their energy), one of each parametrised test before its
    others, the quickest first."""
    span = {*range(mutant.line, mutant.end + 1)}
    own = f"tests/{mutant.file.split('/')[0]}/"
    hit = [t for t, files in seen["lines"].items() if span & {*files.get(mutant.file, ())}]
    ranked, met = [], Counter()
    for test in sorted(hit, key=lambda t: seen["seconds"][t]):
        name = test.split("[")[0]
        ranked.append((not test.startswith(own), met[name], seen["seconds"][test], test))
        met[name] += 1
    return [test for *_, test in sorted(ranked)]


def _tell(r: dict) -> None:
    where = f"{r['name']} {r['function']}, line {r['line']}"
    change = f"{r['before'][:120]}  ->  {r['after'][:120]}"
    print(
        f"{r['verdict']:9} {r['seconds']:6.1f} s  {where}: {change}  {r.get('text', '')}",
        flush=True,
    )


def _table(todo, store) -> int:
    """Prints counts by folder, and the survivors; 1 if one has no explanation."""
    reasons = {tuple(e["key"]): e["reason"] for e in json.loads(EQUIVALENT.read_text())}
    counts: dict[str, Counter] = {}
    unexplained = 0
    for mutant in todo:
        r = store["results"][_draw(*mutant.key, mutant.what)[:16]]
        verdict = r["verdict"]
        if verdict in ("survived", "unreached"):
            if mutant.key in reasons:
                verdict = "equivalent"
            else:
                unexplained += 1
                _tell(r)
        counts.setdefault(mutant.file.split("/")[0], Counter())[verdict] += 1
    counts["total"] = sum(counts.values(), Counter())
    columns = ("killed", "broken", "timeout", "crash", "error", "equivalent", "survived",
               "unreached")  # fmt: skip
    print("folder".ljust(14) + "mutants" + "".join(c.rjust(12) for c in columns))
    for folder, n in counts.items():
        print(folder.ljust(14) + str(n.total()).rjust(7) + "".join(str(n[c]).rjust(12)
                                                                   for c in columns))  # fmt: skip
    return int(unexplained > 0)


def _load() -> None:
    """What all mutants share: everything but the package itself."""
    try:
        import dolfinx_solver  # noqa: F401
    except ImportError:
        pass
    from petsc4py import PETSc  # noqa: F401

    import dolfinx.jit  # noqa: F401
    import ffcx.main  # noqa: F401
    import pytest  # noqa: F401
    import scipy.integrate  # noqa: F401
    import scipy.optimize  # noqa: F401
    import scipy.spatial.transform  # noqa: F401


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--files", nargs="*", default=[], help="files or folders of the package")
    parser.add_argument("--count", type=int, default=200, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--suites", nargs="*", default=[], help="folders of tests; default: all")
    parser.add_argument("--tests", nargs="*", default=[], help="further tests")
    parser.add_argument("--only", nargs="*", default=[], help="mutants by name, file:number")
    parser.add_argument("--again", action="store_true", help="try those that were killed, too")
    parser.add_argument("--most", type=int, default=20, help="how many tests a mutant meets, the "
                        "quickest of those that run through it")  # fmt: skip
    parser.add_argument("--limit", type=float, default=120.0, help="time limit, s, beside 5 times "
                        "what the tests take without mutant")  # fmt: skip
    parser.add_argument("--out", default="mutation.json", help="results, taken up again")
    parser.add_argument("--log", default="mutation.log", help="what the tests say")
    parser.add_argument("--cache", help="folder of compiled forms; default: a temporary one")
    parser.add_argument("--list", action="store_true", help="list the mutants and stop")
    parser.add_argument("--verbose", action="store_true", help="tell of each mutant")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
