# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Reads the plots of plot_cases: each has the points of its table, those alone, and no defect.
import math
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "docs/benchmarks"))
import plot_reader

TINY, HUGE = 1e-100, 1e100  # the documented limits of plots

folder = Path(sys.argv[1])
points = 0
tables = sorted(folder.glob("*.tsv"), key=lambda path: int(path.stem))
for table in tables:
    plot = plot_reader.Plot(table.with_suffix(".svg"))
    assert not plot.failures(), (table.name, plot.failures())
    expected, roles = {}, {}
    for line in table.read_text(encoding="utf-8").splitlines():
        name, role, n, rate = line.split("\t")
        n, rate = float(n), float(rate)
        if role == "bound" or all(math.isfinite(value) and TINY < value < HUGE for value in (n, rate)):
            expected.setdefault(name, []).append((n, rate))
            roles[name] = role
    assert plot.roles == roles, (table.name, plot.roles, roles)
    for name, curve in expected.items():
        if roles[name] == "bound":
            assert all(abs(y - plot.place("y", curve[0][1])) < 0.1 for _, y in plot.series[name]), (table.name, name)
        elif len(plot.grid["x"]) > 1:
            assert plot.has(name, sorted(curve), 0.1), (table.name, name, plot.series[name], curve)
            points += len(curve)
        else:  # one tick: only the y axis has places to compare with
            assert all(abs(y - plot.place("y", rate)) < 0.1 for (_, y), (_, rate) in zip(plot.series[name], sorted(curve))), (table.name, name)
    assert 2 <= len(plot.grid["y"]) <= 10 and 1 <= len(plot.grid["x"]) <= 10, table.name
print(f"{len(tables)} plots, {points} points")
