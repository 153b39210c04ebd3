#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the results of a benchmark's JSON: a table for a terminal, or with --markdown a page of docs/benchmarks/. Several files, of
programs that measure the same cases, are one table."""
import argparse
import json

UNITS = {
    "memory": ("bytes_per_second", 1e9, "GB/s"),
    "compute": ("operations_per_second", 1e9, "Gop/s"),
}


SHORT_NAMES = {"Portable Computing Language": "PoCL"}


def result_of(row, platform):
    """Nothing where the platform did not take part: an emulation has figures only where it was needed."""
    return row["results"].get(platform, {})


def rate(row, result):
    """The rate in the unit of the row's bound, with its unit."""
    if "median_seconds" not in result:
        return None, ""
    key, scale, unit = UNITS.get(row["bound"], (None, None, None))
    if row["elements"] and row["group"]:
        key, scale, unit = "elements_per_second", 1e9, "Gelem/s"
    if key is None:
        seconds = result["median_seconds"]
        return (seconds * 1e3, "ms") if seconds >= 1e-3 else (seconds * 1e6, "us")
    return result[key] / scale, unit


def ceilings(rows):
    """The best bytes/s or operations/s that any platform reaches in a ceiling, by bound and group."""
    best = {}
    for row in rows:
        if row["ceiling"] and row["bound"] in UNITS:
            key = UNITS[row["bound"]][0]
            for result in row["results"].values():
                at = (row["bound"], row["group"])
                best[at] = max(best.get(at, 0), result.get(key, 0))
    return best


def cell(row, result):
    value, unit = rate(row, result)
    return f"{value:.2f} {unit}" if value is not None else "no" if "error" in result else ""


def line(row, platforms, best):
    first = result_of(row, platforms[0])
    cells = [row["name"], row["variant"]] + [cell(row, result_of(row, p)) for p in platforms]
    for peer in platforms[1:]:
        times = [result_of(row, p).get("median_seconds") for p in (peer, platforms[0])]
        cells.append(f"{times[0] / times[1]:.2f}" if all(times) else "")
    top = best.get((row["bound"], row["group"]))
    share = first.get(UNITS[row["bound"]][0], 0) / top if top and "median_seconds" in first else None
    cells.append(f"{share:.0%} of {row['bound']}" if share is not None else "")
    return cells


def geometric_means(rows, platforms):
    for peer in platforms[1:]:
        product, count, least = 1.0, 0, float("inf")
        for row in rows:
            times = [result_of(row, p).get("median_seconds") for p in (peer, platforms[0])]
            if all(times):
                product, count = product * times[0] / times[1], count + 1
                least = min(least, times[0] / times[1])
        if count:
            mean = product ** (1 / count)
            yield f"{platforms[0]} beside {peer}: {mean:.2f} times as fast in geometric mean over {count} rows, at least {least:.2f} times"


def failures(rows, platforms):
    """Each reason why a platform has no figure, once, with the rows it is for."""
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("others", nargs="*", help="results of the same cases, which become further columns")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    with open(options.file, encoding="utf-8") as file:
        data = json.load(file)
    for name in options.others:
        add_results(data, name)
    for row in data["rows"]:
        row["results"] = {SHORT_NAMES.get(name, name): result for name, result in row["results"].items()}
    for platform in data["context"]["platforms"]:
        platform["name"] = SHORT_NAMES.get(platform["name"], platform["name"])
    rows = data["rows"]
    platforms = [p["name"] for p in data["context"]["platforms"]]
    platforms += dict.fromkeys(name for row in rows for name in row["results"] if name not in platforms)
    head = ["case", "variant"] + platforms + [f"over {p}" for p in platforms[1:]] + ["share"]
    table = [line(row, platforms, ceilings(rows)) for row in rows]
    context = data["context"]
    bullet = "- " if options.markdown else "  "
    if options.markdown:
        title = data["name"].replace("_", " ").capitalize().replace("Gpu", "GPU:")
        command = data["name"].removeprefix("gpu_") + (" --device gpu" if data["name"].startswith("gpu_") else "")
        print(f"# {title}\n\n{data['about']}\n\nMade by `./dev bench {command}`.\n")
    print(f"{context['processor']}, {context['threads']} threads; medians of {context['samples']} interleaved samples")
    if options.markdown:
        print()
    for platform in context["platforms"]:
        driver = f", driver {platform['driver']}" if "driver" in platform else ""
        print(f"{bullet}{platform['name']}: {platform['version']}{driver}, {platform['device']}")
    print()
    if options.markdown:
        print("| " + " | ".join(head) + " |")
        print("|" + "---|" * 2 + "---:|" * (len(head) - 2))
        for cells in table:
            print("| " + " | ".join(cells) + " |")
    else:
        widths = [max(len(cells[i]) for cells in [head] + table) for i in range(len(head))]
        for cells in [head] + table:
            print("  ".join(c.ljust(w) if i < 2 else c.rjust(w) for i, (c, w) in enumerate(zip(cells, widths))).rstrip())
    print()
    for text in [*geometric_means(rows, platforms), *failures(rows, platforms)]:
        print(bullet + text)


if __name__ == "__main__":
    main()
