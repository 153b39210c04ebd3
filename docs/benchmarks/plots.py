#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws rates over the number of elements from a benchmark's JSON, as SVG (needs matplotlib).

    docs/benchmarks/plots.py --pages                                              # all pictures of the pages
    docs/benchmarks/plots.py docs/benchmarks/data/cuda_scan_lengths_h200.json     # a picture of each case

A case is an operation and a type that was measured at three lengths or more; columns that end in _us are its curves. --match TEXT draws
the cases whose names contain it alone. The picture's title is computed from the data. The colours are those of `upsweep bench`."""
import argparse
import importlib.util
import json
import re
import sys
import textwrap
import xml.etree.ElementTree as xml
from pathlib import Path

import plot_layout as layout

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "docs/benchmarks/data"
PICTURES = ROOT / "docs/pictures"
STYLE = ROOT / "bench/textbooks/plot_style.css"
LEAST_LENGTHS = 3
TELLING_SHARE = 0.25  # of a copy's speed: a sort's share says little
ROLES = {"upsweep": "ours", "library": "ours", "copy": "bound", "cub": "peer", "other_cub": "peer", "tbb": "peer", "par_unseq": "peer"}
NAMES = {"upsweep": "Upsweep", "copy": "a copy", "tbb": "oneTBB", "par_unseq": "std, par_unseq", "std": "std, one thread"}
SVG = "http://www.w3.org/2000/svg"
WIDTH, HEIGHT, MARGIN = 720, 500, 20    # pixels
LEFT, TOP, BOTTOM = 76, 120, 410       # the area between the axes; its right end leaves room for the names
LABEL_HEIGHT, LEADER = 17, 22          # a name with the room around it, and the way to it

# The pictures of the pages: the file of data, and the case in it.
PAGES = {
    "bench_scan_h200": ("seeds_h200", "scan"),
    "bench_scan_xeon": ("seeds_xeon", "scan"),
    "cpu_sums_xeon": ("cpu_library_lengths", "sum, f32, 16 threads"),
    "cuda_scan_h200": ("cuda_scan_lengths_h200", "exclusive sum, f32"),
    "cuda_sort_keys_h200": ("cuda_sort_lengths_cub_3_6_h200", "keys, u32, random"),
    "cuda_sort_pairs_h200": ("cuda_sort_lengths_cub_3_6_h200", "pairs, u32, u32, random"),
    "distributed_scan_ranks": ("distributed_scale", "inclusive sum"),
    "distributed_sort_ranks": ("distributed_scale", "sort"),
}

HEADS = {
    "scan": "Exclusive sums of floats",
    "sum, f32, 16 threads": "Sums of f32 on 16 threads",
    "exclusive sum, f32": "Exclusive sums of f32",
    "keys, u32, random": "Sort of u32 keys",
    "pairs, u32, u32, random": "Sort of pairs of u32",
}


def cases_of(rows):
    """{name: rows by length}; a case is all that is text in a row, or a number that is no measurement."""
    cases = {}
    for row in rows:
        if "n" not in row:
            continue
        labels = [str(row[key]) for key in row if isinstance(row[key], str) and key != "goal"]
        if "threads" in row:
            labels.append(f"{row['threads']} threads")
        cases.setdefault(", ".join(labels), {})[row["n"]] = row
    return {name: [rows[n] for n in sorted(rows)] for name, rows in cases.items() if len(rows) >= LEAST_LENGTHS}


def series_of(rows):
    """{column: [(length, microseconds)]} of the columns of times."""
    columns = {key: None for row in rows for key in row if key.endswith("_us") and key != "empty_kernel_us" and not key.endswith("_graph_us")}
    found = {}
    for column in columns:
        points = [(row["n"], row[column]) for row in rows if isinstance(row.get(column), (int, float)) and row[column] > 0]
        if points:
            found[column] = points
    return found


def rung_rows(data, figure):
    """The rows of a figure of `upsweep bench` as rows of columns; the copy's time is that of its rate."""
    rows = {}
    for row in data["rows"]:
        if row["figure"] == figure:
            rows.setdefault(row["n"], {"n": row["n"], "copy_us": 8 * row["n"] / data["copy_rate_gb_per_s"] * 1e-3})[row["rung"] + "_us"] = row["us"]
    return [rows[n] for n in sorted(rows)]


def curves_of(data, rows):
    """Curves of elements a second."""
    versions = {column: data[column] for column in ("cub", "other_cub") if column in data}
    curves = []
    for column, points in series_of(rows).items():
        key = column.removesuffix("_us")
        name = f"CUB {versions[key]}" if key in versions else NAMES.get(key, key if "::" in key else key.replace("_", " "))
        role = ROLES.get(key) or ("ours" if key.startswith("library") else "peer" if key.startswith("std::") else "other")
        curves.append({"name": name, "role": role, "points": [(n, n / us * 1e6) for n, us in points]})
    return sorted(curves, key=lambda curve: ("bound", "other", "peer", "ours").index(curve["role"]))


def power(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else str(n)


def quoted(name):
    return f"“{name}”" if "," in name else name


def finding(curves):
    """The title's figure, and a sentence more: ours at the greatest length beside a copy and the fastest other curve, and where ours is the
    fastest."""
    ours = next((curve for curve in curves if curve["name"] in ("Upsweep", "library")), None)
    if not ours:
        return "", ""
    n, rate = ours["points"][-1]
    others = [dict(curve["points"]) | {"name": curve["name"]} for curve in curves if curve["role"] in ("peer", "other")]
    copy = next((dict(curve["points"])[n] for curve in curves if curve["role"] == "bound"), None)
    following = max((other for other in others if n in other), key=lambda other: other[n], default=None)
    share = f"{rate / copy:.0%}".replace("%", " %") + " of a copy's speed" if copy else ""
    ratio = f"{rate / following[n]:.3g} times the speed of {quoted(following['name'])}" if following else ""
    title = share if copy and (rate / copy >= TELLING_SHARE or not following) else ratio
    sentences = [f"{number[0].upper() + number[1:]} for {power(n)} elements." for number in (share, ratio) if number and number != title]
    subject = "Upsweep" if ours["name"] == "Upsweep" else "The library"
    behind = [m for m, own in ours["points"] if any(other.get(m, 0) > own for other in others)]
    ahead = next((m for m, _ in ours["points"] if m > max(behind, default=0)), None)
    if others and ahead:
        sentences.append(f"{subject} is the fastest " + (f"from {power(ahead)} on." if behind else "for all lengths."))
    return title, " ".join(sentences)


def description(plot):
    ends = ". ".join(f"{curve['name']}: {layout.rate_text(curve['points'][-1][1], plot['unit'])} at the end" for curve in plot["curves"])
    return f"{plot['subtitle']} {plot['y_name'][0].upper()}{plot['y_name'][1:]} over {plot['x_name']}. {ends}."


def ranks_picture(data, call):
    """A call of more and more ranks with equally many elements each: the elements a second of one rank."""
    rows = [row for row in data["rows"] if row["call"] == call]
    shares = sorted({row["late_share"] for row in rows}, reverse=True)
    alone = next(row["n"] / row["gpu_ms"] * 1e3 for row in rows)
    curves = [{"name": "one GPU alone", "role": "bound", "points": [(row["ranks"], alone) for row in rows if not row["late_share"]]}]
    for share in shares:
        points = [(row["ranks"], row["n"] / row["ms"] * 1e3) for row in rows if row["late_share"] == share]
        curves.append({"name": f"{share:.0%} late".replace("%", " %") if share else "all in time", "role": "other" if share else "ours", "points": points})
    ranks, rate = curves[-1]["points"][-1]
    share = f"{rate / alone:.0%}".replace("%", " %")
    return {"title": f"{call.capitalize()}: {share} of one GPU's speed on {ranks} ranks",
            "subtitle": f"{power(rows[0]['n'])} elements of 32 bits on each rank.", "caption": ", ".join([data["device"], data["command"], data["date"]]),
            "unit": "", "x_name": "ranks", "y_name": "elements a second of each rank", "curves": curves}


def picture_of(data, case):
    """What a picture shows, without places."""
    if any("ranks" in row and "late_share" in row for row in data["rows"]):
        return ranks_picture(data, case)
    rows = rung_rows(data, case) if any("rung" in row for row in data["rows"]) else cases_of(data["rows"])[case]
    curves = curves_of(data, rows)
    title, subtitle = finding(curves)
    head = HEADS.get(case, case.capitalize())
    driver = [f"driver {data['driver']}"] if "driver" in data else []
    caption = ", ".join([data["device"], *driver, data["command"], data["date"]])
    return {"title": f"{head}: {title}" if title else head, "subtitle": subtitle, "caption": caption, "unit": "", "x_name": "elements",
            "y_name": "elements a second", "curves": curves}


def mark(root, plot):
    """Classes of the style in place of matplotlib's own; a title, a description, and names of the curves."""
    for group in list(root.iter(f"{{{SVG}}}g")):
        kind, _, rest = group.get("id", "").partition("-")
        shape = group.find(f"{{{SVG}}}path")
        if kind in ("grid", "leader"):
            shape.set("class", kind)
        elif kind == "text":
            group.find(f"{{{SVG}}}text").set("class", rest.rstrip("0123456789-"))
        elif kind == "name":
            group.set("class", plot["curves"][int(rest)]["role"])
            group.find(f"{{{SVG}}}text").set("class", "name")
        elif kind == "series":
            curve = plot["curves"][int(rest)]
            group.set("class", curve["role"])
            shape.set("class", "line")
            title = xml.Element(f"{{{SVG}}}title")
            title.text = curve["name"]
            group.insert(0, title)
            radius = "0" if curve["role"] == "bound" else "3.5" if curve["role"] == "ours" else "2.5"
            for x, y in re.findall(r"[ML] ([-\d.]+) ([-\d.]+)", shape.get("d")):
                xml.SubElement(group, f"{{{SVG}}}circle", {"class": "dot", "cx": x, "cy": y, "r": radius})
    for part in root.iter():
        anchor = re.search(r"text-anchor: (middle|end)", part.attrib.pop("style", ""))
        part.attrib.pop("clip-path", None)
        part.attrib.pop("transform", None)  # rotations by 0 degrees
        if anchor:
            part.set("text-anchor", anchor.group(1))
        if part.tag == f"{{{SVG}}}text":
            raise_powers(part)
        for child in list(part):
            if child.tag in (f"{{{SVG}}}defs", f"{{{SVG}}}metadata"):
                part.remove(child)
    root.attrib.update({"role": "img", "aria-labelledby": "plot-title plot-text", "width": root.get("width").removesuffix("pt"),
                        "height": root.get("height").removesuffix("pt")})
    heads = (("title", {"id": "plot-title"}, plot["title"]), ("desc", {"id": "plot-text"}, description(plot)),
             ("style", {}, "\n" + STYLE.read_text(encoding="utf-8")), ("rect", {"class": "page", "width": "100%", "height": "100%", "rx": "6"}, None))
    for place, (tag, attributes, content) in enumerate(heads):
        part = xml.Element(f"{{{SVG}}}{tag}", attributes)
        part.text = content
        root.insert(place, part)


def raise_powers(text):
    """The number behind each ^ as a superscript."""
    parts = re.split(r"\^(\d+)", text.text or "")
    text.text = parts[0]
    for number, after in zip(parts[1::2], parts[2::2]):
        xml.SubElement(text, f"{{{SVG}}}tspan", {"dy": "-4.5", "font-size": "10"}).text = number
        if after:
            back = xml.SubElement(text, f"{{{SVG}}}tspan", {"dy": "4.5"})
            back.text, back.tail = after[0], after[1:]


def draw(plot, path):
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "upsweep", "path.simplify": False, "text.parse_math": False, "font.size": 13})
    figure = Figure(figsize=(WIDTH / 72, HEIGHT / 72), dpi=72)
    figure.patch.set_visible(False)
    texts = [("title", MARGIN, 36, 20, plot["title"]), ("y-name", MARGIN, TOP - 16, 13, plot["y_name"])]
    texts += [(f"subtitle-{i}", MARGIN, 60 + 18 * i, 14, line) for i, line in enumerate(textwrap.wrap(plot["subtitle"], 96))]
    texts += [(f"caption-{i}", MARGIN, BOTTOM + 64 + 16 * i, 12, line) for i, line in enumerate(textwrap.wrap(plot["caption"], 100))]
    for gid, x, y, size, content in texts:
        figure.text(x / WIDTH, 1 - y / HEIGHT, content, fontsize=size, gid=f"text-{gid}", va="baseline")
    names = [figure.text(0, 0, curve["name"], weight="bold" if curve["role"] == "ours" else "normal", gid=f"name-{i}", va="baseline")
             for i, curve in enumerate(plot["curves"])]
    renderer = FigureCanvasAgg(figure).get_renderer()
    right = WIDTH - MARGIN - LEADER - max(name.get_window_extent(renderer).width for name in names)
    axes = figure.add_axes((LEFT / WIDTH, 1 - BOTTOM / HEIGHT, (right - LEFT) / WIDTH, (BOTTOM - TOP) / HEIGHT))
    draw_axes(axes, plot)
    for i, curve in enumerate(plot["curves"]):
        axes.plot(*zip(*curve["points"]), gid=f"series-{i}", clip_on=False)
    ends = [axes.transData.transform(curve["points"][-1]) for curve in plot["curves"]]
    place_names(figure, names, ends, right)
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
    xml.register_namespace("", SVG)
    tree = xml.parse(path)
    mark(tree.getroot(), plot)
    tree.write(path, encoding="utf-8")


def draw_axes(axes, plot):
    from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator
    xs, ys = zip(*(point for curve in plot["curves"] for point in curve["points"]))
    nice = layout.nice_values(min(ys), max(ys))
    axes.set(xscale="log", yscale="log", xlim=(min(xs), max(xs)), ylim=(nice[0], nice[-1]), xlabel=plot["x_name"])
    axes.patch.set_visible(False)
    axes.spines[:].set_visible(False)
    axes.grid(True)
    x_ticks, y_ticks = layout.binary_ticks(min(xs), max(xs)), layout.decimal_ticks(min(ys), max(ys))
    texts = ([power(int(value)) for value in x_ticks], [layout.rate_text(value, plot["unit"]) for value in y_ticks])
    for name, axis, values, labels in (("x", axes.xaxis, x_ticks, texts[0]), ("y", axes.yaxis, y_ticks, texts[1])):
        axis.set_major_locator(FixedLocator(values))
        axis.set_major_formatter(FixedFormatter(labels))
        axis.set_minor_locator(NullLocator())
        axis.set_tick_params(length=0, pad=8 if name == "y" else 11)
        for tick, value in zip(axis.get_major_ticks(), values):
            tick.gridline.set_gid(f"grid-{name}-{value:g}")


def place_names(figure, names, ends, right):
    """Names in a column beside the curves' ends; that of a curve which ends earlier is above its end."""
    from matplotlib.lines import Line2D
    beside = [i for i, end in enumerate(ends) if end[0] > right - 1]
    middles = layout.spread([HEIGHT - ends[i][1] for i in beside], LABEL_HEIGHT, TOP - LABEL_HEIGHT / 2, BOTTOM + LABEL_HEIGHT / 2)
    for i, middle in zip(beside, middles):
        names[i].set(x=(right + LEADER) / WIDTH, y=1 - (middle + 4.5) / HEIGHT)
        xs, ys = (right + 5, right + LEADER - 4), (ends[i][1], HEIGHT - middle)
        figure.add_artist(Line2D([x / WIDTH for x in xs], [y / HEIGHT for y in ys], gid=f"leader-{i}"))
    for i in set(range(len(ends))) - set(beside):
        names[i].set(x=ends[i][0] / WIDTH, y=(ends[i][1] + 10) / HEIGHT, ha="right")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--pages", action="store_true", help="draw the pictures of the pages into docs/pictures")
    parser.add_argument("--out", type=Path, default=Path("build/plots"))
    parser.add_argument("--match", default="")
    arguments = parser.parse_args()
    if bool(arguments.file) == arguments.pages:
        parser.error("name a file of JSON, or --pages")
    if not importlib.util.find_spec("matplotlib"):
        sys.exit("plots.py: needs matplotlib (Debian: python3-matplotlib)")
    if arguments.pages:
        wanted = {PICTURES / f"{name}.svg": (DATA / f"{file}.json", case) for name, (file, case) in PAGES.items()}
    else:
        rows = json.loads(arguments.file.read_text(encoding="utf-8"))["rows"]
        key = next((key for mark, key in (("rung", "figure"), ("late_share", "call")) if any(mark in row for row in rows)), None)
        names = list(dict.fromkeys(row[key] for row in rows)) if key else list(cases_of(rows))
        wanted = {arguments.out / f"{arguments.file.stem}_{re.sub(r'[^a-z0-9]+', '_', name.lower()).strip('_')}.svg": (arguments.file, name)
                  for name in names if arguments.match in name}
        if not wanted:
            sys.exit(f"plots.py: {arguments.file} has no such case of {LEAST_LENGTHS} lengths or more")
    for path, (file, case) in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        draw(picture_of(json.loads(file.read_text(encoding="utf-8")), case), path)
        print(path)


if __name__ == "__main__":
    main()
