# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Reads what `upsweep bench --out` wrote: bench.json, and a plot of each figure with several lengths as SVG and PNG.
import json
import struct
import sys
import xml.dom.minidom
from pathlib import Path

for folder in map(Path, sys.argv[1:]):
    data = json.loads((folder / "bench.json").read_text())
    assert data["copy_rate_gb_per_s"] > 0 and data["date"] and data["command"].startswith("upsweep bench")
    assert all(row["us"] > 0 and row["n"] >= 1024 for row in data["rows"])
    figures = {row["figure"] for row in data["rows"]}
    lengths = {figure: {row["n"] for row in data["rows"] if row["figure"] == figure} for figure in figures}
    drawn = sorted(figure for figure in figures if len(lengths[figure]) > 1)
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted(["bench.json"] + [f + end for f in drawn for end in (".svg", ".png")]), names
    for figure in drawn:
        page = xml.dom.minidom.parse(str(folder / f"{figure}.svg"))
        texts = {node.firstChild.data for node in page.getElementsByTagName("text")}
        rungs = {row["rung"] for row in data["rows"] if row["figure"] == figure}
        points = sum(row["figure"] == figure for row in data["rows"])
        assert rungs | {"elements", "time"} <= texts, (rungs, texts)
        assert len(page.getElementsByTagName("circle")) == points + len(rungs)
        picture = (folder / f"{figure}.png").read_bytes()
        assert picture.startswith(b"\x89PNG") and struct.unpack(">II", picture[16:24]) == (1720, 920)
    print(f"{folder.name}: {len(drawn)} plots")
