#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the results of a benchmark's JSON as a table. Several files, of programs that measure the same cases, are one table.
docs/generator/tables.py puts the same table into the pages of docs/benchmarks/.

A file may hold figures as they were printed, rounded: then `over` (for each peer) and `share` of a row, and `geometric_means`, are
the printed ones, too."""
import argparse
import json
import math

UNITS = {
    "memory": ("bytes_per_second", 1e9, "GB/s"),
    "compute": ("operations_per_second", 1e9, "Gop/s"),
}


SHORT_NAMES = {"Portable Computing Language": "PoCL", "Intel(R) OpenCL": "Intel"}
SCALES = {"G": 1e9, "M": 1e6}  # for units that rows define themselves, by their first letter


def result_of(row, platform):
    """Empty if the platform did not take part: an emulation has figures only where it was needed."""
    return row["results"].get(platform, {})


def rate(row, result):
    """The rate, in the row's own unit or that of its bound."""
    key, scale, unit = UNITS.get(row["bound"], ("", 1, ""))
    if "unit" in row:
        key, scale, unit = "elements_per_second", SCALES[row["unit"][0]], row["unit"]
    elif row["group"] and "elements_per_second" in result:
        key, scale, unit = "elements_per_second", 1e9, "Gelem/s"
    if key in result:
        return result[key] / scale, unit
    if "median_seconds" not in result:
        return None, ""
    seconds = result["median_seconds"]
    return (seconds * 1e3, "ms") if seconds >= 1e-3 else (seconds * 1e6, "us")


def over(row, platforms, peer):
    """The speed of the first platform relative to a peer, if both have a figure."""
    if "over" in row:
        return row["over"].get(peer)
    times = [result_of(row, p).get("median_seconds") for p in (peer, platforms[0])]
    return times[0] / times[1] if all(times) else None


def share(row, platforms, best):
    """The first platform's share of the ceiling, if the row has one."""
    if "share" in row or "over" in row:
        return row.get("share")
    first = result_of(row, platforms[0])
    top = best.get((row["bound"], row["group"]))
    return first.get(UNITS[row["bound"]][0], 0) / top if top and "median_seconds" in first else None


def ceilings(rows):
    """The best bytes/s or operations/s that any platform reaches in a ceiling, by bound and group."""
    best = {}
    for row in rows:
        if row.get("ceiling") and row["bound"] in UNITS:
            key = UNITS[row["bound"]][0]
            for result in row["results"].values():
                at = (row["bound"], row["group"])
                best[at] = max(best.get(at, 0), result.get(key, 0))
    return best


def cell(row, result):
    value, unit = rate(row, result)
    return f"{value:.2f} {unit}" if value is not None else result.get("remark", "no" if "error" in result else "")


def line(row, platforms, best):
    ratios = [over(row, platforms, peer) for peer in platforms[1:]]
    reached = share(row, platforms, best)
    return ([row["name"], row["variant"]] + [cell(row, result_of(row, p)) for p in platforms] +
            ["" if ratio is None else f"{ratio:.2f}" for ratio in ratios] +
            ["" if reached is None else f"{reached:.0%} of {row['bound']}"])


def geometric_means(data, platforms):
    """Geometric means over all rows except yardsticks, which measure no peer."""
    printed = data.get("geometric_means", {})
    compared = [[over(row, platforms, peer) for peer in platforms[1:]] for row in data["rows"] if not row.get("yardstick")]
    columns = dict(zip(platforms[1:], zip(*compared)))
    if len(compared) < len(data["rows"]) and len(platforms) > 2:
        columns["the fastest of them"] = [min((r for r in ratios if r is not None), default=None) for ratios in compared]
    for peer, column in columns.items():
        ratios = [ratio for ratio in column if ratio is not None]
        if ratios:
            mean = printed.get(peer) or math.exp(sum(map(math.log, ratios)) / len(ratios))
            yield (f"{platforms[0]} beside {peer}: {mean:.2f} times as fast in geometric mean over {len(ratios)} rows, "
                   f"at least {min(ratios):.2f} times")


def failures(rows, platforms):
    """Each reason for a missing figure, once, with its rows."""
    reasons = {}
    for row in rows:
        for platform in platforms:
            error = result_of(row, platform).get("error")
            if error:
                reasons.setdefault((platform, error), []).append(row["name"])
    for (platform, error), names in reasons.items():
        yield f"{platform} has no figure for {', '.join(dict.fromkeys(names))}: {error}"


def add_results(data, name):
    with open(name, encoding="utf-8") as file:
        other = json.load(file)
    data["context"]["platforms"] += other["context"]["platforms"]
    results = {(row["name"], row["variant"]): row["results"] for row in other["rows"]}
    for row in data["rows"]:
        row["results"] |= results.get((row["name"], row["variant"]), {})


def load(name, others=()):
    with open(name, encoding="utf-8") as file:
        data = json.load(file)
    for other in others:
        add_results(data, other)
    for row in data["rows"]:
        for part in ("results", "over"):
            if part in row:
                row[part] = {SHORT_NAMES.get(name, name): value for name, value in row[part].items()}
    for platform in data["context"]["platforms"]:
        platform["name"] = SHORT_NAMES.get(platform["name"], platform["name"])
    return data


def head_and_lines(data):
    rows = data["rows"]
    platforms = [p["name"] for p in data["context"]["platforms"]]
    platforms += dict.fromkeys(name for row in rows for name in row["results"] if name not in platforms)
    head = ["case", "variant"] + platforms + [f"over {p}" for p in platforms[1:]] + ["share"]
    table = [line(row, platforms, ceilings(rows)) for row in rows]
    if not any(cells[-1] for cells in table):
        head, table = head[:-1], [cells[:-1] for cells in table]
    return head, table, platforms


def description(platform):
    driver = f", driver {platform['driver']}" if "driver" in platform else ""
    device = f", {platform['device']}" if platform.get("device") else ""
    return f"{platform['name']}: {platform['version']}{driver}{device}"


def measured_on(context):
    sampling = context.get("sampling", f"medians of {context['samples']} interleaved samples")
    return f"{context['processor']}, {context['threads']} threads; {sampling}"


def markdown(data):
    """The lines of a page: what was measured and where, the table, and the means."""
    context = data["context"]
    head, table, platforms = head_and_lines(data)
    when = "".join(f", {context[key]}" for key in ("date", "note") if key in context)
    yield f"`{context['command']}`{when}."
    yield ""
    yield measured_on(context) + ":"
    yield ""
    yield from (f"- {description(platform)}" for platform in context["platforms"])
    yield ""
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * 2 + "---:|" * (len(head) - 2)
    yield from ("| " + " | ".join(cells) + " |" for cells in table)
    summary = [*geometric_means(data, platforms), *failures(data["rows"], platforms)]
    if summary:
        yield ""
        yield from (f"- {text}" for text in summary)


def print_text(data):
    head, table, platforms = head_and_lines(data)
    print(measured_on(data["context"]))
    for platform in data["context"]["platforms"]:
        print("  " + description(platform))
    print()
    widths = [max(len(cells[i]) for cells in [head] + table) for i in range(len(head))]
    for cells in [head] + table:
        print("  ".join(c.ljust(w) if i < 2 else c.rjust(w) for i, (c, w) in enumerate(zip(cells, widths))).rstrip())
    print()
    for text in [*geometric_means(data, platforms), *failures(data["rows"], platforms)]:
        print("  " + text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("others", nargs="*", help="results of the same cases, which become further columns")
    options = parser.parse_args()
    print_text(load(options.file, options.others))


if __name__ == "__main__":
    main()
