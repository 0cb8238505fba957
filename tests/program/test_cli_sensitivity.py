"""``fem-clearance sensitivity``: the table of derivatives."""

import csv

import numpy as np
import pytest

from fem_clearance.program.cli import main

RUN = ["sensitivity", "double_pendulum", "--set", "arm.model=rigid", "--t-end", "0.08"]
BY = ["--by", "joint.restitution,joint.ball_radius"]


def table(folder):
    with open(folder / "sensitivity.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {(r["output"], r["parameter"]): r for r in rows}


def test_table(tmp_path, capsys):
    """Both methods say the same, of every output by every parameter."""
    found = []
    for method in ("forward", "adjoint"):
        out = tmp_path / method
        of = ["--of", "tip.y,joint.normal_force:max"]
        assert main([*RUN, *BY, *of, "--out", str(out), "--method", method]) == 0
        assert (out / "figures" / "sensitivity.png").stat().st_size > 5000
        found.append(table(out))
    check_histories(tmp_path / "forward", found[0])
    assert not (tmp_path / "adjoint" / "histories.csv").exists()
    forward, adjoint = found
    assert [*forward] == [
        (output, parameter)
        for output in ("tip.y", "largest joint.normal_force")
        for parameter in ("joint.restitution", "joint.ball_radius")
    ]
    for key, row in forward.items():
        numbers = [float(z[key]["derivative"]) for z in (forward, adjoint)]
        assert numbers[0] == pytest.approx(numbers[1], rel=1e-7)
        scaled = numbers[0] * float(row["parameter_value"])
        assert float(row["scaled"]) == pytest.approx(scaled, rel=1e-12)
        assert np.isfinite(numbers[0]) and numbers[0] != 0
    assert "largest joint.normal_force" in capsys.readouterr().out


def check_histories(folder, rows):
    """Over time, of each channel by each parameter: the last ones are those of the table."""
    for name in ("tip.y", "joint.normal_force"):
        assert (folder / "figures" / f"sensitivity_{name}.png").stat().st_size > 5000
    with (folder / "histories.csv").open(encoding="utf-8") as file:
        columns, *numbers = csv.reader(file)
    assert columns[:2] == ["time", "tip.y"] and len(columns) == 1 + 2 * 3
    last = dict(zip(columns, map(float, numbers[-1]), strict=True))
    assert last["time"] == pytest.approx(0.08)
    for parameter in ("joint.restitution", "joint.ball_radius"):
        wanted = float(rows["tip.y", parameter]["derivative"])
        assert last[f"d(tip.y)/d({parameter})"] == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--by", "joint.bal_radius", "--of", "tip.y"], "did you mean"),
        (["--by", "arm.model", "--of", "tip.y"], "is not a real number"),
        (["--by", "joint.ball_radius", "--of", "tip.yy"], "did you mean"),
        (["--by", "joint.ball_radius", "--of", "tip.y:most"], "one of :end"),
        (["--by", "joint.ball_radius", "--of", "energy.fed"], "is accumulated from the start"),
        (["--by", "joint.ball_radius", "--of", "tip.y", "--method", "both"], "--method"),
        (["--by", "arm.elements", "--of", "tip.y"], "is not a real number"),
    ],
)  # fmt: skip
def test_what_cannot_be(options, said, tmp_path, capsys):
    assert main([*RUN, *options, "--out", str(tmp_path / "out")]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_table_is_not_overwritten(tmp_path, capsys):
    (tmp_path / "sensitivity.csv").write_text("mine")
    assert main([*RUN, *BY, "--of", "tip.y", "--out", str(tmp_path)]) == 2
    assert "--force" in capsys.readouterr().err
    assert (tmp_path / "sensitivity.csv").read_text() == "mine"
