# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables that tables.py puts into pages: each view takes JSON files and a word from the page, and gives lines of Markdown."""
import json
import math
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
import conformance_view  # noqa: E402
import table  # noqa: E402  (bench/table.py)

LADDER = {
    "cudaMemcpy": "`cudaMemcpy`",
    "sequential": "sequential, one thread",
    "hillis_steele": "Hillis–Steele, in place",
    "hillis_steele_double_buffered": "Hillis–Steele, two buffers",
    "blelloch": "Blelloch",
    "blelloch_padded": "Blelloch, padded",
    "hybrid_1_reduce_step": "hybrid, 1 reduce step",
    "hybrid_3_reduce_steps": "hybrid, 3 reduce steps",
    "hybrid_5_reduce_steps": "hybrid, 5 reduce steps",
    "warp_shuffle": "warp shuffle",
    "block_from_warps": "block from warps",
    "upsweep_block_scan": "`block_scan<float, 256>`, a float4 a thread",
    "block_sums": "block sums, uniform add",
    "three_pass": "three-pass",
    "decoupled_look_back": "decoupled look-back, textbook",
    "cub_device_scan": "CUB `DeviceScan`",
}

# Rows of the user's page docs/cuda.md from the JSON of bench_cuda_select; those from bench_cuda_scan are some of CHOICE.
CALLS = [("select 50 %", "u32"), ("select 50 %", "u8"), ("select by flag", "u32"), ("partition 50 %", "u32"), ("unique, runs of 32", "u32"),
         ("run lengths, runs of 32", "u32"), ("reduce by key, runs of 32", "u32"), ("sum", "f32"), ("arg-min", "u32")]

# Rows of docs/benchmarks/cuda_scan.md that stand for all.
CHOICE = [("sum", "f32"), ("sum", "f64"), ("max", "i32"), ("product", "complex f32"), ("sum", "i16"), ("sum", "u8"),
          ("sum by key", "u32"), ("sum of segments of 32", "u32"), ("sum of rows of 1000", "u32"), ("backward sum", "u32"),
          ("sum to unaligned", "u8"), ("reproducible sum", "f32"), ("compensated sum", "f32"), ("compensated sum", "f64"),
          ("sum along axis of 32", "u32"), ("sum along axis of 1000", "u32"), ("sum along axis of 16384", "u32"),
          ("sum along axis of 8 x 64", "u32"), ("sum along axis of 1024 x 1000", "u32"), ("sum along axis of 4099", "u32")]
LARGE, MIDDLE = 1 << 28, 1 << 26


def load(file):
    with open(file, encoding="utf-8") as opened:
        return json.load(opened)


def lines_of(head, rows, left=1):
    """A Markdown table without the columns that no row has a figure for; the first columns are words, the others numbers."""
    kept = [i for i in range(len(head)) if i < left or any(row[i] for row in rows)]
    yield "| " + " | ".join(head[i] for i in kept) + " |"
    yield "|" + "".join("---|" if i < left else "---:|" for i in kept)
    for row in rows:
        yield "| " + " | ".join(row[i] for i in kept) + " |"


def number(value, digits=0):
    return "" if value is None else f"{value:.{digits}f}"


def percent(value):
    return "" if value is None else f"{value:{'.2%' if value < 1e-3 else '.1%'}}".replace("%", " %")


def joined(*values):
    return ", ".join(f"{value:.2f}" for value in values if value is not None)


def power(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else str(n)


def by_case(data):
    cases = {}
    for row in data["rows"]:
        cases.setdefault((row["operation"], row["type"]), {})[row["n"]] = row
    return cases


def origin(files, _):
    """By which command, when and on which machine the files' figures were measured."""
    for file in files:
        data = load(file)
        facts = [f"`{data['command']}`", data["date"], data["device"]]
        facts += [f"{word} {data[key]}" for key, word in (("driver", "driver"), ("cuda", "CUDA"), ("cub", "CUB"), ("other_cub", "and CUB")) if key in data]
        facts += [f"medians of {data['samples']}"] if "samples" in data else []
        facts += [f"a copy of 4 GiB has {data['copy_gb_per_s']:.0f} GB/s"] if "copy_gb_per_s" in data else []
        yield ", ".join(facts) + "."


def results(files, _):
    """The results of a program of bench/, or of several that measure the same cases."""
    return table.markdown(table.load(*files[:1], files[1:]))


def plain(files, name):
    """A table that is kept as it is shown."""
    found = load(files[0])["tables"][name]
    return lines_of(found["columns"], found["rows"])


def scans(files, _):
    """All scans of bench_cuda_scan of 2^28 elements, and the shares of 2^26."""
    data = load(files[0])
    rows = []
    for (operation, kind), sizes in by_case(data).items():
        large, middle = sizes.get(LARGE, {}), sizes.get(MIDDLE, {})
        rows.append([operation, kind, number(large.get("cub_us")), number(large.get("other_cub_us")), number(large.get("upsweep_us")),
                     joined(large.get("times_cub"), large.get("times_other_cub")), percent(large.get("share_of_copy")),
                     percent(large.get("share_of_4_gib")), percent(middle.get("share_of_copy")), percent(middle.get("share_of_4_gib")),
                     large.get("goal", "")])
    head = ["scan", "type", f"CUB {data['cub']} µs", f"CUB {data.get('other_cub', '')} µs", "Upsweep µs", "× CUB", "of copy", "of 4 GiB",
            "2^26: of copy", "of 4 GiB", "goal"]
    return lines_of(head, rows, 2)


def scan_choice(files, _):
    """Some scans of 2^28 elements, on several devices side by side."""
    devices = [load(file) for file in files]
    head, rows = ["scan", "type"], [list(case) for case in CHOICE]
    for data in devices:
        name = data["device"].removeprefix("NVIDIA ").partition(",")[0]
        head += [f"{name}: µs", "of copy", "× CUB"]
        for row in rows:
            large = by_case(data).get((row[0], row[1]), {}).get(LARGE, {})
            row += [number(large.get("upsweep_us")), percent(large.get("share_of_copy")),
                    joined(large.get("times_cub"), large.get("times_other_cub"))]
    return lines_of(head, rows, 2)


def cuda_calls(files, _):
    """Some calls of 2^28 elements beside a copy and CUB: scans of the first file, all else of the second."""
    head = ["call", "type", "µs", "of a copy", "× CUB"]
    rows = []
    for file, prefix, cases in ((files[0], "scan: ", CHOICE[:11] + CHOICE[14:16]), (files[1], "", CALLS)):
        found = by_case(load(file))
        for case in cases:
            large = found.get(case, {}).get(LARGE)
            if large:
                rows.append([prefix + ("total" if case == ("sum", "f32") and not prefix else case[0]), case[1], number(large.get("upsweep_us")),
                             percent(large.get("share_of_copy")), joined(large.get("times_cub"), large.get("times_other_cub"))])
    return lines_of(head, rows, 2)


def build_cost(files, _):
    """Time to compile a call and the bytes of its code, beside CUB's (bench/cuda/build_cost.py)."""
    rows = [[row["call"], number(row["cub_seconds"], 1), number(row["upsweep_seconds"], 1), number(row["cub_device_bytes"] / 1024),
             number(row["upsweep_device_bytes"] / 1024)] for row in load(files[0])["rows"]]
    return lines_of(["call", "CUB: s", "Upsweep: s", "CUB: KiB", "Upsweep: KiB"], rows)


def recipe(files, name):
    """The lines of a source between // [name] and // [/name]."""
    text = Path(files[0]).read_text(encoding="utf-8").partition(f"// [{name}]\n")[2].partition(f"// [/{name}]")[0]
    lines = text.rstrip().split("\n")
    indent = min(len(line) - len(line.lstrip()) for line in lines if line)
    return ["```cpp", *(re.sub(r"^require\((.*)\);( *//|$)", r"\1;\2", line[indent:]) for line in lines), "```"]


def compactions(files, _):
    """Compactions and reductions (bench_cuda_select) of 2^28 elements and of short arrays; a second file is of another CUB."""
    other = by_case(load(files[1])) if len(files) > 1 else {}
    rows = []
    for case, sizes in by_case(load(files[0])).items():
        large, middle, short = (sizes.get(n, {}) for n in (LARGE, 1 << 20, 1 << 16))
        rows.append([*case, number(large.get("cub_us")), number(large.get("upsweep_us")),
                     joined(large.get("times_cub"), other.get(case, {}).get(LARGE, {}).get("times_cub")), percent(large.get("share_of_copy")),
                     number(middle.get("cub_us"), 1), number(middle.get("upsweep_us"), 1), number(short.get("cub_us"), 1),
                     number(short.get("upsweep_us"), 1)])
    head = ["call", "type", "CUB µs", "Upsweep µs", "× CUB", "of copy", "2^20: CUB µs", "Upsweep µs", "2^16: CUB µs", "Upsweep µs"]
    return lines_of(head, rows, 2)


def opencl_library(files, name):
    """Calls of the library for OpenCL queues on one device (bench_opencl_library), beside a copy, the library of that device and Boost.Compute."""
    found = next(run for run in load(files[0])["runs"] if run["name"] == name)["rows"]
    times = {}
    for row in found:
        times.setdefault(row["by"], {})[row["call"], row["type"]] = row["us"]
    three, boost = times.get("three launches", {}), times.get("Boost.Compute", {})
    own = next((by for by in ("CUDA library", "CPU library") if by in times), None)
    rows = []
    for row in found:
        case = (row["call"], row["type"])
        if row["by"] in ("one launch", "library"):
            beside = [percent(times[own][case] / row["us"]) if case in times[own] else ""] if own else []
            rows.append([*case, number(row["us"]), number(three.get(case)), percent(row["of_copy"]), *beside,
                         f"{boost[case] / row['us']:.2f}" if case in boost else ""])
    return lines_of(["call", "type", "µs", "in three launches", "of a copy", *([f"of the {own}"] if own else []), "× Boost.Compute"], rows, 2)


def by_sort(*files):
    cases = {}
    for row in (row for file in files for row in load(file)["rows"]):
        cases.setdefault((row["operation"], row["type"], row["keys"]), {})[row["n"]] = row
    return cases


def sorts(files, _):
    """Sorts (bench_cuda_sort) of 2^28 elements (or the most that were measured) and of shorter arrays; a second file is of another CUB."""
    sizes = (1 << 28, 1 << 24, 1 << 20, 1 << 16, 1 << 12)
    cases, other = by_sort(files[0]), by_sort(*files[1:])
    rows = []
    for case, of_size in cases.items():
        large = of_size.get(sizes[0]) or of_size.get(sizes[1], {})
        rows.append([*case, "2^28" if sizes[0] in of_size else "2^24", number(large["cub_keys_per_second"] / 1e9, 1),
                     number(large["keys_per_second"] / 1e9, 1), percent(large["share_of_bound"]),
                     *[joined(*(of.get(n, {}).get("times_cub") for of in (of_size, other.get(case, {})))) for n in sizes]])
    head = ["sort", "type", "keys", "n", "CUB Gkey/s", "Upsweep Gkey/s", "of the bound", "× CUB: 2^28", "2^24", "2^20", "2^16", "2^12"]
    return lines_of(head, rows, 4)


def segmented_sorts(files, _):
    """Sorts of segments, and of rows of one length (bench_cuda_segmented_sort); a second file is of another CUB."""
    measured = [{(row["operation"], row["type"], row["segments"]): row for row in load(file)["rows"]} for file in files]
    rows = []
    for case, row in measured[0].items():
        beside = [of.get(case, {}) for of in measured]
        rows.append([*case, number(row["n"] / 1e6), number(row["cub_us"]), number(row["upsweep_us"]), percent(row["share_of_copy"]),
                     joined(*(of.get("times_cub") for of in beside)), number(row["rows_us"] or None),
                     joined(*(of.get("rows_times_cub") or None for of in beside))])
    head = ["sort", "type", "segments", "10^6 elements", "CUB µs", "Upsweep µs", "of copy", "× CUB", "as rows µs", "× CUB"]
    return lines_of(head, rows, 3)


def merges_and_ranks(files, _):
    """Merges, merge sorts and selections by rank (bench_cuda_merge_and_rank); a second file is of another CUB, which may select by rank."""
    other = {(row["operation"], row["type"], row["k"], row["n"]): row for file in files[1:] for row in load(file)["rows"]}
    rows = []
    for row in load(files[0])["rows"]:
        case = (row["operation"], row["type"], row["k"], row["n"])
        beside = other.get(case, {})
        rows.append([*case[:3], power(row["n"]), number(row["copy_us"]), number(row["cub_us"]), number(row["upsweep_us"]),
                     percent(row["share_of_copy"]), joined(row["times_cub"], beside.get("times_cub")), number(beside.get("times_cub_top_k"), 2)])
    return lines_of(["call", "type", "k or rank", "n", "copy µs", "CUB µs", "Upsweep µs", "of copy", "× CUB", "× CUB's first k, in any order"], rows, 4)


def ranks_of_rows(files, _):
    """Selections by rank in rows (bench_cuda_top_k_of_rows)."""
    rows = [[row["call"], row["type"], row["shape"], number(row["k"]), number(row["copy_us"]), number(row["sort_us"]), number(row["upsweep_us"]),
             number(row["times_sort"], 2)] for row in load(files[0])["rows"]]
    return lines_of(["call", "type", "rows × length", "k", "copy µs", "sort µs", "Upsweep µs", "× the sort"], rows, 4)


def histograms(files, part):
    """Histograms (bench_cuda_histogram) of 2^28 samples, or of the most that were measured; with "lengths" of all lengths."""
    cases = {}
    for row in load(files[0])["rows"]:
        cases.setdefault((row["operation"], row["type"], row["samples"], row["bins"]), {})[row["n"]] = row
    rows = []
    for (operation, sample, spread, bins), of_size in cases.items():
        large = of_size[max(of_size)]
        case = [operation, sample, spread, power(bins) if bins > 4096 and bins & (bins - 1) == 0 else number(bins)]
        if part == "lengths":
            sizes = [of_size.get(1 << log) for log in (24, 20, 16)]
            rows.append([*case, *[number(size["upsweep_us"], 1) if size else "" for size in sizes],
                         *[number(size.get("cub_us"), 1) if size else "" for size in sizes]])
        else:
            rows.append([*case, number(large["read_us"]), number(large["upsweep_us"]), percent(large["share_of_read"]),
                         percent(large["cub_share_of_read"]) if "cub_us" in large else "", number(large.get("times_cub"), 1)])
    head = ["bins", "samples", "values", "number of bins"]
    if part == "lengths":
        return lines_of(head + ["2^24: µs", "2^20", "2^16", "CUB 2^24: µs", "2^20", "2^16"], rows, 3)
    return lines_of(head + ["read µs", "Upsweep µs", "of a read", "CUB: of a read", "× CUB"], rows, 3)


def ladder_sorts(files, _):
    """What the ladder builds on its scans (bench_cuda_ladder_sorts), of all lengths."""
    names = {"split_sort": "sort by splits of one bit", "merge_sort": "chunks by splits, and bitonic merges", "sort_keys": "`sort_keys`",
             "compact_by_scatter": "compaction: scan and scatter", "compact_by_gather": "compaction: scan, search and gather",
             "select_if": "`select_if`"}
    data = load(files[0])["rows"]
    sizes = sorted({row["n"] for row in data})
    of = {(row["name"], row["n"]): row for row in data}
    rows = [[names[name], *[number(of[name, n]["median_us"]) for n in sizes], f"{of[name, sizes[-1]]['times_of_last']:.1f}"]
            for name in dict.fromkeys(row["name"] for row in data)]
    return lines_of(["", *[f"{power(n)}: µs" for n in sizes], f"of the library's time, {power(sizes[-1])}"], rows, 1)
def summed_areas(files, _):
    """Summed-area tables (bench_cuda_summed_area) of square images; a row of a later file replaces that of an earlier one."""
    cases = {(row["type"], row["height"], row["width"]): row for file in files for row in load(file)["rows"]}
    rows = [[kind, f"{height} × {width}", number(row["copy_us"], 1), number(row["upsweep_us"], 1), percent(row["share_of_copy"]),
             number(row["exclusive_us"], 1), number(row.get("two_scans_us") or None, 1), number(row.get("npp_us") or None, 1)]
            for (kind, height, width), row in cases.items()]
    return lines_of(["elements", "pixels", "copy µs", "Upsweep µs", "of copy", "exclusive µs", "two scans µs", "NPP µs"], rows, 2)


def recurrences(files, _):
    """Linear recurrences (bench_cuda_recurrence) of 2^24 elements and more."""
    rows = [[row["shape"], row["type"], number(row["copy_us"]), number(row["upsweep_us"]), percent(row["share_of_copy"]), number(row["naive_us"] or None)]
            for row in load(files[0])["rows"] if row["copy_us"] > 50]
    return lines_of(["batches × length × inner", "type", "copy µs", "Upsweep µs", "of copy", "naive µs"], rows, 2)


def segments(files, _):
    """Reductions of segments (bench_cuda_segments)."""
    rows = [[row["operation"], row["type"], power(row["n"]), number(row["copy_us"], 1), number(row["upsweep_us"], 1), percent(row["share_of_copy"]),
             number(row.get("cub_us"), 1), number(row.get("times_cub"), 2)] for row in load(files[0])["rows"]]
    return lines_of(["sum of", "type", "n", "copy µs", "Upsweep µs", "of copy", "CUB µs", "× CUB"], rows, 3)


def scan_lengths(files, part):
    """One scan at all lengths; with "goals" also the times that the project aims at."""
    data = load(files[0])
    rows = [[power(row["n"])] + [number(row.get(key), 1) for key in ("copy_us", "cub_us", "other_cub_us", "upsweep_us", "cub_graph_us", "upsweep_graph_us")] +
            [row.get("goal", "") if part == "goals" else ""] for row in data["rows"]]
    head = ["n", "copy", f"CUB {data['cub']}", f"CUB {data.get('other_cub', '')}", "Upsweep", f"graph: CUB {data['cub']}", "graph: Upsweep", "goal"]
    return lines_of(head, rows)


def bounds(files, _):
    """The parts of a scan of floats as kernels of their own (bench_cuda_bounds)."""
    keys = ("empty_us", "copy_us", "move_us", "tiles_us", "scan_us")
    rows = [[power(row["n"])] + [number(row.get(key), 2) for key in keys] + [row.get("goal", "")] for row in load(files[0])["rows"]]
    return lines_of(["n", "empty kernel", "`cudaMemcpy`", "tiles loaded and stored", "and scanned", "scan", "goal"], rows)


def ladder(files, _):
    """The textbook scans (bench_cuda_ladder), of one or several lengths."""
    rungs = {}
    for file in files:
        for row in load(file)["rows"]:
            rungs.setdefault(row["name"], {})[row["n"]] = row
    rows = []
    for name, sizes in rungs.items():
        main = sizes.get(MIDDLE) or next(iter(sizes.values()))
        chunk = main.get("chunk")
        rows.append([LADDER.get(name, name), "" if name == "cudaMemcpy" else str(chunk or "all"), number(sizes.get(MIDDLE, {}).get("median_us"), 1),
                     number(main.get("gb_per_s"), 0 if main.get("gb_per_s", 0) >= 10 else 2), percent(main.get("share_of_copy")),
                     number(sizes.get(1 << 20, {}).get("median_us"), 1), number(sizes.get(LARGE, {}).get("median_us"))])
    return lines_of(["rung", "chunk", "2^26: µs", "GB/s", "of copy", "2^20: µs", "2^28: µs"], rows)


def growth(files, _):
    """Processor seconds of compilations by the number of lines, a row for each shape and driver (compile_growth --platforms)."""
    data = load(files[0])
    context = data["context"]
    yield f"`{context['command']}`, {context['date']}, {context['processor']}, {context['threads']} threads, {context['samples']} samples."
    yield ""
    for platform in context["platforms"]:
        yield f"- {platform['name']}: {platform['version']}, {platform['start_seconds']:.2f} s to start"
    yield ""
    lengths = sorted({int(length) for row in data["rows"] for length in row["seconds"]})
    rows = []
    for row in data["rows"]:
        seconds = [row["seconds"].get(str(length), "") for length in lengths]
        rows.append([f"`{row['line']}`", row["target"]] + ["none" if value is None else value and f"{value:.2f}" for value in seconds] +
                    [number(row["worst_factor"] or None, 2)])
    yield from lines_of(["lines such as", "driver", *map(str, lengths), "largest factor"], rows, 2)


def cpu_library(files, _):
    """Calls of the CPU library beside a copy and their peers."""
    peers = [("tbb", "oneTBB"), ("par_unseq", "`par_unseq`"), ("vqsort", "vqsort"), ("std", "one thread"), ("loop", "a loop")]
    rows = []
    for row in (row for file in files for row in load(file)["rows"]):
        us = row["upsweep_us"]
        rows.append([row["operation"], row["type"], power(row["n"]), number(us / 1000, 2), percent(row["copy_us"] / us)] +
                    [f"{row[peer + '_us'] / us:.1f}" if peer + "_us" in row else "" for peer, _ in peers])
    return lines_of(["call", "type", "n", "ms", "of a copy"] + ["× " + name for _, name in peers], rows, 2)


def ranks(files, _):
    """Calls over ranks that are threads, beside one process with as many threads."""
    rows = [[row["call"], row["type"], power(row["n"]), f"{row['ranks']} × {row['threads']}", number(row["ranks_us"] / 1000, 2),
             number(row["process_us"] / 1000, 2), percent(row["process_us"] / row["ranks_us"])] for row in load(files[0])["rows"]]
    return lines_of(["call", "type", "n", "ranks × threads", "ms", "one process: ms", "speed of one process"], rows, 2)


def gpu_ranks(files, part):
    """Long arrays (or, with the part `short`, short ones) over GPUs beside one GPU."""
    rows = load(files[0])["rows"]
    speed = next((row["bytes"] / row["all_us"] for row in rows if row["call"] == "copy"), 0)
    made = []
    for row in rows:
        us = [row.get(way + "_us") for way in ("one", "peers", "nccl")]
        if None in us[1:] or (row["n"] < 1 << 24) != (part == "short") or (part != "short" and us[0] is None):
            continue
        name = [row["call"], row["type"], power(row["n"])]
        if part == "short":
            made.append(name + [number(value, 1) for value in us])
        else:
            is_scan = row["call"].startswith("inclusive") and "key" not in row["call"]
            bound = [percent(row["bytes"] / speed / value) if is_scan else "" for value in us[1:]]
            made.append(name + [number(value / 1000, 2) for value in us] + [f"{row['ranks'] * us[0] / value:.2f}" for value in us[1:]] + bound)
    if part == "short":
        return lines_of(["call", "type", "n", "one GPU: µs", "peers: µs", "NCCL: µs"], made, 2)
    return lines_of(["call", "type", "n of a GPU", "one GPU: ms", "peers: ms", "NCCL: ms", "peers × one GPU", "NCCL × one GPU", "peers, of 3n",
                     "NCCL, of 3n"], made, 2)


def scaled_ranks(files, part):
    """The simulated milliseconds of calls, without late ranks and with them."""
    rows = [row for row in load(files[0])["rows"] if row["call"] == part]
    counts = sorted({row["ranks"] for row in rows})
    made = []
    for count in counts:
        both = [row for row in rows if row["ranks"] == count]
        times = {row["late_share"]: row["ms"] for row in both}
        least = both[0]
        made.append([str(count), str(least["messages"])] + [number(times[share], 2) for share in sorted(times)] +
                    [percent(least["gpu_ms"] / times[min(times)])])
    return lines_of(["ranks", "messages", "ms", "ms, 1 % late", "speed of one GPU for each"], made)


def cpu_lengths(files, _):
    """Sums of floats by length."""
    names = ["copy", "upsweep", "tbb", "par_unseq", "std"]
    rows = [[power(row["n"])] + [number(row[name + "_us"], 2) for name in names] for row in load(files[0])["rows"] if row["type"] == "f32"]
    return lines_of(["n", "copy: µs", "Upsweep", "oneTBB", "`par_unseq`", "one thread"], rows)


def least_bytes(figure, n):
    """Bytes that a task of `upsweep bench` reads and writes at the least: as bench/textbooks/check.cpp has it."""
    return n * {"compaction": 6, "table": 15}.get(figure, 8)


def seeds(files, figure):
    """The rungs of a figure of `upsweep bench` at the greatest length, on each machine: time, and the share of a copy."""
    machines = [load(file) for file in files]
    names = list(dict.fromkeys(row["rung"] for data in machines for row in data["rows"] if row["figure"] == figure))
    rows = []
    for name in names:
        cells = [name]
        for data in machines:
            found = [row for row in data["rows"] if row["figure"] == figure]
            most = max((row["n"] for row in found), default=0)
            times = [row["us"] for row in found if row["rung"] == name and row["n"] == most]
            rate = least_bytes(figure, most) / times[0] * 1e-3 if times else 0
            share = "" if figure == "block" or not times else f" ({percent(rate / data['copy_rate_gb_per_s'])})"
            cells.append(f"{times[0]:.{4 if times[0] < 1e4 else 6}g}{share}" if times else "")
        rows.append(cells)
    return lines_of(["µs (of a copy)", *(data["device"] for data in machines)], rows)


def seed_claims(files, _):
    """What the documents claim beside what `upsweep bench` found on each machine."""
    machines = [load(file) for file in files]
    found = {}
    for place, data in enumerate(machines):
        for row in data["claims"]:
            found.setdefault((row["claim"], row["document"]), [""] * len(machines))[place] = row["here"]
    return lines_of(["claim", "document", *(data["device"] for data in machines)], [[*key, *cells] for key, cells in found.items()], left=2)


def python_calls(files, part):
    """Calls of the Python module on one device beside those of other modules."""
    rows = [row for row in load(files[0])["rows"] if row["device"] == part]
    names = {"numpy": "NumPy", "torch": "PyTorch", "cupy": "CuPy", "dask": "Dask", "blelloch": "Dask, Blelloch", "jax": "JAX",
             "jax_scan": "JAX, lax.scan"}
    peers = [peer for peer in names if any(peer in row.get("ms", row.get("us")) for row in rows)]
    made = []
    for row in rows:
        times, unit = (row["ms"], 1000) if "ms" in row else (row["us"], 1)
        name = row["call"] + (f", {' × '.join(map(str, row['shape']))}, axis {row['axis']}, {row['type']}" if "shape" in row else "")
        made.append([name, number(times["upsweep"] * unit, 1)] + [f"{times[peer] / times['upsweep']:.2f}" if peer in times else "" for peer in peers])
    return lines_of(["call", "µs"] + ["× " + names[peer] for peer in peers], made)


def dpnp_calls(files, _):
    """Times of dpnp's calls by size, and the peer's time as a multiple; in the last two rows also of the processor time."""
    rows = load(files[0])["rows"]
    sizes = sorted({row["elements"] for row in rows})
    ours, peer = rows[0]["us"]
    cells, ratios = {}, {size: [] for size in sizes}
    for row in rows:
        ratio = row["us"][peer] / row["us"][ours]
        ratios[row["elements"]].append(ratio)
        cells.setdefault(row["call"], {})[row["elements"]] = f"{number(row['us'][ours], 1)} ({ratio:.2f})"
    made = [[call, *(by_size.get(size, "") for size in sizes)] for call, by_size in cells.items()]
    made.append(["geometric mean", *(f"{math.exp(sum(map(math.log, ratios[size])) / len(ratios[size])):.2f}" for size in sizes)])
    processor = {size: [row["processor_us"][peer] / row["processor_us"][ours] for row in rows if row["elements"] == size] for size in sizes}
    made.append(["of processor times", *(f"{math.exp(sum(map(math.log, processor[size])) / len(processor[size])):.2f}" for size in sizes)])
    made.append(["least of processor times", *(f"{min(processor[size]):.2f}" for size in sizes)])
    return lines_of(["call", *(f"{size:,} elements" for size in sizes)], made)


def module_builds(files, _):
    """Processor times of builds of modules by two drivers, ours first."""
    data = load(files[0])
    ours, peer = data["versions"]
    found = {row["driver"]: row for row in data["rows"] if row["time"] == "processor"}
    made = []
    for field, share in (("mean_ms", "mean"), ("median_ms", "median"), ("percentile_99_ms", "99th percentile")):
        mine, other = found[ours][field], found[peer][field]
        made.append([share, f"{mine:.0f} ms", f"{other:.0f} ms", f"{other / mine:.2f}"])
    head = ["processor time", f"Upsweep {data['versions'][ours]}", f"Intel {data['versions'][peer]}", "over Intel"]
    return [f"`{data['command']}`, {data['date']}, {data['machine']['cpu']}, {data['machine']['processors']} threads.", "", *lines_of(head, made)]


VIEWS = {view.__name__: view for view in (
    origin, results, plain, scans, scan_choice, cuda_calls, build_cost, recipe, compactions, recurrences, sorts, segmented_sorts,
    merges_and_ranks, ranks_of_rows, segments, scan_lengths, bounds, ladder, growth, cpu_library, cpu_lengths, ranks, gpu_ranks, scaled_ranks, histograms,
    ladder_sorts, opencl_library, summed_areas, python_calls, dpnp_calls, module_builds, seeds, seed_claims)}
VIEWS["conformance"] = conformance_view.conformance
VIEWS["skipped"] = conformance_view.skipped
