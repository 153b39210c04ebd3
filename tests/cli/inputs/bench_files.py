# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Reads the files of `upsweep bench --out`: bench.json, and plots of figures with several lengths, whose
# points are in the JSON.
import json
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "docs/benchmarks"))
import plot_reader

# Bytes that a task reads and writes for an element: of compactions half are written, of tables three bytes become three words.
BYTES = {"scan": 8, "chunks": 8, "compaction": 6, "sort": 8, "table": 15}

for folder in map(Path, sys.argv[1:]):
    data = json.loads((folder / "bench.json").read_text(encoding="utf-8"))
    assert data["copy_rate_gb_per_s"] > 0 and data["date"] and data["command"].startswith("upsweep bench")
    assert all(row["us"] > 0 and row["n"] >= 1024 for row in data["rows"])
    figures = {row["figure"] for row in data["rows"]}
    lengths = {figure: {row["n"] for row in data["rows"] if row["figure"] == figure} for figure in figures}
    drawn = sorted(figure for figure in figures if len(lengths[figure]) > 1)
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted(["bench.json"] + [f + ".svg" for f in drawn]), names
    for figure in drawn:
        plot = plot_reader.Plot(folder / f"{figure}.svg")
        assert not plot.failures(), plot.failures()
        rungs = {row["rung"] for row in data["rows"] if row["figure"] == figure}
        assert set(plot.series) == rungs | {"a copy"}, plot.series
        for rung in rungs:
            points = [(row["n"], BYTES[figure] * row["n"] / row["us"] * 1e6) for row in data["rows"] if row["figure"] == figure and row["rung"] == rung]
            assert plot.has(rung, points, 0.2), (figure, rung)  # the JSON has four digits
        longest = max(lengths[figure])
        (us,) = (row["us"] for row in data["rows"] if row["figure"] == figure and row["rung"] == "library" and row["n"] == longest)
        share = 100 * BYTES[figure] * longest / us * 1e-3 / data["copy_rate_gb_per_s"]
        title = plot.root.find(plot_reader.SVG + "title").text
        said = float(title.rsplit(": ", 1)[1].split(" %")[0])
        assert abs(said - share) <= max(0.06, 0.002 * share) + (0.5 if share >= 9.9 else 0), (title, share)
        assert any(data["command"] in text for text, _ in plot.texts)
    print(f"{folder.name}: {len(drawn)} plots")
