"""What a release states in several places agrees: version, dependencies, licences, commands."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import fem_clearance as fc

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
sys.path.insert(0, str(ROOT / "docs"))
try:
    import make_licences as licences
finally:
    sys.path.pop(0)

#: packages of PyPI -> what conda calls them
CONDA = {"matplotlib": "matplotlib-base", "gmsh": "python-gmsh"}
#: from wheels, in the place of what conda has by other names; comparisons, which conda lacks
OTHERS = {"wheels", "bench"}


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def listed(block: str) -> set[str]:
    """Names of the packages in a list of YAML."""
    found = re.findall(r"^\s*- ([A-Za-z][\w.-]*)(?![\w.-]*:)", block, re.M)
    return {licences.plain(name) for name in found}


def conda(*lists: str) -> set[str]:
    """What lists of pyproject.toml ask for, by their names in conda."""
    names = [n for n, titles in licences.asked().items() if set(titles.split(", ")) & {*lists}]
    return {CONDA.get(name, name) for name in names}


def test_version():
    assert PROJECT["project"]["dynamic"] == ["version"] and "version" not in PROJECT["project"]
    newest = re.findall(r"^## \[(\d.*?)\] - (\d{4}-\d\d-\d\d)$", text("CHANGELOG.md"), re.M)[0]
    stated = {
        "CITATION.cff": r"^version: (.*)$",
        "recipe/meta.yaml": r'set version = "(.*?)"',
        "README.md": r"This is version (\d+\.\d+\.\d+)",
    }
    for name, pattern in stated.items():
        assert re.search(pattern, text(name), re.M)[1] == fc.__version__ == newest[0], name
    assert f'date-released: "{newest[1]}"' in text("CITATION.cff")


def test_changelog():
    """Each topic of a version has one list, and no entry stands twice (as after a merge)."""
    for version in text("CHANGELOG.md").split("\n## ")[1:]:
        above, headings, entries = "", [], re.findall(r"^- .*$", version, re.M)
        for level, title in re.findall(r"^(####?) (.*)$", version, re.M):
            above = title if level == "###" else above
            headings.append((above, title))
        assert len(set(headings)) == len(headings) and len(set(entries)) == len(entries)


def test_environment_of_conda():
    """Nothing is missing there, and nothing is there that nobody asks for."""
    here = listed(text("environment.yml").partition("dependencies:")[2]) - {"e"}
    optional = set(PROJECT["project"]["optional-dependencies"]) - OTHERS
    wanted = conda("dependencies", *optional)
    system = {
        "python", "fenics-dolfinx", "petsc", "petsc4py", "slepc4py", "mpi4py", "c-compiler",
        "cxx-compiler", "make", "pip",
    }  # fmt: skip
    assert here - {"conda-forge"} == wanted | system


def test_recipe_of_conda():
    recipe = text("recipe/meta.yaml")
    run = listed(re.search(r"^  run:\n(.*?)^test:", recipe, re.M | re.S)[1])
    system = {
        "python", "fenics-dolfinx", "petsc", "petsc4py", "slepc4py", "mpi4py", "c-compiler",
    }  # fmt: skip
    assert run == conda("dependencies") | system
    ((name, entry),) = PROJECT["project"]["scripts"].items()
    assert f"- {name} = {entry}" in recipe
    assert PROJECT["project"]["requires-python"] == ">=3.12" and recipe.count("python >=3.12") == 2
    release = PROJECT["project"]["optional-dependencies"]["wheels"][0].partition("==")[2][:4]
    assert f"fenics-dolfinx {release}.*" in recipe
    assert f"fenics-dolfinx={release}\n" in text("environment.yml")


def test_versions_of_python():
    """Those of the classifiers are those that the workflows try."""
    stated = re.findall(r"Python :: (3\.\d+)", text("pyproject.toml"))
    for name in ("tests.yml", "package.yml"):
        tried = re.findall(r"python: \[(.*)\]", text(f".github/workflows/{name}"))
        assert tried and all(re.findall(r'"(.*?)"', row) == stated for row in tried)


WORKFLOWS = sorted(p.name for p in (ROOT / ".github" / "workflows").iterdir())


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows(name):
    """They are YAML, and call targets of the Makefile only."""
    yaml = pytest.importorskip("yaml")
    written = text(f".github/workflows/{name}")
    jobs = yaml.safe_load(written)["jobs"]
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.M))
    called = set()
    for job in jobs.values():
        called |= set(job.get("strategy", {}).get("matrix", {}).get("target", []))
        for step in job["steps"]:
            line = re.sub(r"\$\{\{.*?\}\}", "", step.get("run", ""))
            if line.startswith("make "):
                called |= {word for word in line.split()[1:] if "=" not in word}
    assert called and called <= targets


def test_every_command_of_ci_is_called_by_a_workflow():
    called = " ".join(text(f".github/workflows/{name}") for name in WORKFLOWS)
    for target in re.findall(r"^make ([a-z-]+)", text(".ci/run"), re.M):
        parts = ("test-serial", "test-mpi") if target == "test" else (target,)
        assert all(f"make {part}" in called for part in parts), target


def test_packages_of_the_system():
    """One list serves CI, the container and the workflows; the README names those for pictures."""
    packages = set(text(".ci/packages").split())
    for name in (".ci/run", "Dockerfile", *(f".github/workflows/{w}" for w in WORKFLOWS)):
        assert ".ci/packages" in text(name), name
    named = re.findall(r"\blib[a-z0-9-]+\b", text("README.md").partition("## Command line")[0])
    assert set(named) <= packages


def test_data_of_the_package():
    """Every file that is no Python is one that setuptools puts into the wheel."""
    said = subprocess.run(
        ["git", "ls-files", "fem_clearance"], cwd=ROOT, capture_output=True, text=True
    )
    if said.returncode:
        pytest.skip("no clone")
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["*"]
    files = [Path(line) for line in said.stdout.splitlines()]
    others = [f for f in files if f.suffix != ".py"]
    assert len(others) > 30
    assert not [f for f in others if not any(f.match(p) for p in patterns)]
    assert all((ROOT / f.parent / "__init__.py").exists() for f in files)


def test_licences():
    """Each dependency of pyproject.toml has a row, with what it states where it is installed."""
    table = {
        licences.plain(name): (licence, needs)
        for name, licence, needs in re.findall(
            r"^\| (\S+) \| (.*) \| (.*) \|$", text("THIRD_PARTY.md"), re.M
        )
    }
    for name, lists in licences.asked().items():
        assert table[name][0] and table[name][1] == lists
        try:
            found = licences.distribution(name)
        except licences.PackageNotFoundError:
            continue
        assert table[name][0] in (licences.licence(found), "not installed here")


def test_licence_of_this_package():
    assert text("LICENSE").startswith("MIT License")
    for name in ("CITATION.cff", "recipe/meta.yaml"):
        assert re.search(r"^\s*license: MIT$", text(name), re.M)


def test_paper():
    """Its sources are in its bibliography, which agrees with that of the pages, and its numbers
    stand in the pages that it names."""
    paper, bib = text("paper.md"), text("paper.bib")
    entries = {m[1]: m[0] for m in re.finditer(r"^@\w+\{(\w+),.*?^\}", bib, re.M | re.S)}
    assert set(re.findall(r"@([a-z]+\d{4})", paper)) == set(entries)
    shared = text("docs/references.bib")
    assert sum(entry in shared for entry in entries.values()) == len(entries) - 5
    table = re.findall(r"^\| .* \| (.*) \| `(docs/\w+\.md)` \|$", paper, re.M)
    assert len(table) > 6
    for number, page in table:
        assert number in text(page), number
    report = text("docs/verification.md")
    said = re.search(r"(\d+) comparisons: (\d+) with .* and (\d+) with", paper).groups()
    assert re.search(rf"{said[0]} comparisons of .*: {said[1]} with .*, {said[2]} with", report)
    times = text("docs/performance.md")
    ratios = re.findall(r"^\| P1, \d+ cable .*? \| .*? \| .*? \| ([\d.]+) \|", times, re.M)
    ratios += re.findall(r"^\| \d+ \| [\d.]+ \| [\d.]+ \| ([\d.]+) \|$", times, re.M)
    low, high = re.search(r"takes ([\d.]+) to ([\d.]+) of Exudyn", paper).groups()
    assert min(ratios, key=float) == low and max(ratios, key=float) == high


def test_forms_for_issues():
    yaml = pytest.importorskip("yaml")
    forms = [p for p in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if p.stem != "config"]
    assert len(forms) == 3
    for form in forms:
        content = yaml.safe_load(form.read_text(encoding="utf-8"))
        assert {"name", "description", "body"} <= set(content)
        ids = [field["id"] for field in content["body"]]
        assert len(set(ids)) == len(ids) and all(f["attributes"]["label"] for f in content["body"])
