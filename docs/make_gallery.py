"""Runs the demos and writes the gallery page: their titles, first paragraphs, output and pictures.

python docs/make_gallery.py            all
python docs/make_gallery.py heavy_top  these only; the page holds all that have a picture
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs" / "_ext"))

from notebooks import DEMOS, ENDINGS  # noqa: E402
from notebooks import GALLERY as PICTURES  # noqa: E402


def run(demo: Path) -> None:
    """Run a demo as it stands; keep what it printed and its pictures, two at most."""
    with tempfile.TemporaryDirectory() as folder:
        tic = time.monotonic()
        done = subprocess.run(
            [sys.executable, str(demo)], cwd=folder, text=True, stdout=subprocess.PIPE,
            env={**os.environ, "OMP_NUM_THREADS": "1"}, check=True,
        )  # fmt: skip
        found = sorted(Path(folder, "figures").glob("*.png"))
        found.sort(key=lambda p: p.stem != demo.stem)
        for picture, ending in zip(found, ENDINGS, strict=False):
            shutil.copy(picture, PICTURES / f"{demo.stem}{ending}")
    (PICTURES / f"{demo.stem}.txt").write_text(done.stdout, encoding="utf-8")
    print(f"{demo.stem}: {time.monotonic() - tic:.0f} s", flush=True)


def entry(demo: Path) -> str:
    """A demo's section."""
    text = demo.read_text(encoding="utf-8")
    title = re.search(r"^# # (.*)$", text, re.M)[1]
    first = re.search(r"^# # .*\n#\n((?:# .*\n)+)", text, re.M)[1]
    story = first.replace("# ", "").strip()
    said = (PICTURES / f"{demo.stem}.txt").read_text(encoding="utf-8").strip()
    kept = [f"{demo.stem}{e}" for e in ENDINGS if (PICTURES / f"{demo.stem}{e}").exists()]
    pictures = "\n\n".join(f"![{title}](figures/gallery/{name})" for name in kept)
    name = demo.stem
    links = (
        f"`demos/{name}.py`, as a [notebook](notebooks/{name}.ipynb) to read or "
        f"{{download}}`to download <notebooks/{name}.ipynb>`"
    )
    return f"## {title}\n\n{links}\n\n{story}\n\n{pictures}\n\n```text\n{said}\n```\n"


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    demos = sorted(DEMOS.glob("*.py"))
    chosen = sys.argv[1:] or [d.stem for d in demos]
    for demo in demos:
        if demo.stem in chosen:
            run(demo)
    shown = [d for d in demos if (PICTURES / f"{d.stem}.png").exists()]
    head = (
        "# Gallery\n\nThe demos are scripts that run without changes and print what is shown here "
        "(the page is written by `python docs/make_gallery.py`). Each is a notebook too, which is "
        "made from the script when the documentation is built; those that take a few seconds are "
        "run then. For a slower introduction see the [tutorials](tutorials/index.md).\n\n"
    )
    notebooks = "\n".join(f"notebooks/{d.stem}" for d in shown)
    page = head + "\n".join(entry(d) for d in shown)
    page += f"\n```{{toctree}}\n:hidden:\n{notebooks}\n```\n"
    (ROOT / "docs" / "gallery.md").write_text(page, encoding="utf-8")
