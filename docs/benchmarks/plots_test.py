# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pictures of the pages show their JSON, have no defect, and can be read in both schemes of colours. Without matplotlib: the pictures
are read, not drawn. Where it is installed, a picture that is drawn again has the same bytes as another one."""
import importlib.util
import json
import math
import random
import tempfile
import unittest
from pathlib import Path

import plot_layout
import plot_reader
import plots

# For each picture: the file, which of its rows, and the column of each curve; elements a second are n / µs * 1e6.
SHOWN = {
    "cpu_sums_xeon": ("cpu_library_lengths", {"type": "f32"}, {"Upsweep": "upsweep_us", "a copy": "copy_us", "oneTBB": "tbb_us",
                                                               "std, par_unseq": "par_unseq_us", "std, one thread": "std_us"}),
    "cuda_scan_h200": ("cuda_scan_lengths_h200", {}, {"Upsweep": "upsweep_us", "a copy": "copy_us", "CUB 3.0.1": "cub_us", "CUB 3.6.0": "other_cub_us"}),
    "cuda_sort_keys_h200": ("cuda_sort_lengths_cub_3_6_h200", {"operation": "keys", "type": "u32"},
                            {"Upsweep": "upsweep_us", "a copy": "copy_us", "CUB 3.6.0": "cub_us"}),
    "cuda_sort_pairs_h200": ("cuda_sort_lengths_cub_3_6_h200", {"operation": "pairs"}, {"Upsweep": "upsweep_us", "a copy": "copy_us", "CUB 3.6.0": "cub_us"}),
}


def load(name):
    return json.loads((plots.DATA / f"{name}.json").read_text(encoding="utf-8"))


class Pictures(unittest.TestCase):
    def test_GivenPictures_WhenRead_ThenThereIsOneForEachEntry(self):
        drawn = {path.stem for path in plots.PICTURES.glob("*.svg")} - {"parts"}
        self.assertEqual(drawn, set(plots.PAGES))
        self.assertEqual(drawn, set(SHOWN) | {"bench_scan_h200", "bench_scan_xeon", "distributed_scan_ranks", "distributed_sort_ranks"})

    def test_GivenPictures_WhenRead_ThenTheyHaveNoDefect(self):
        for name in plots.PAGES:
            self.assertEqual(plot_reader.Plot(plots.PICTURES / f"{name}.svg").failures(), [], name)

    def test_GivenPictures_WhenRead_ThenPointsAreTheDatas(self):
        for name, (file, chosen, columns) in SHOWN.items():
            plot, data = plot_reader.Plot(plots.PICTURES / f"{name}.svg"), load(file)
            rows = sorted((row for row in data["rows"] if chosen.items() <= row.items()), key=lambda row: row["n"])
            self.assertEqual(set(plot.series), set(columns), name)
            for curve, column in columns.items():
                points = [(row["n"], row["n"] / row[column] * 1e6) for row in rows if row.get(column)]
                self.assertTrue(plot.has(curve, points), f"{name}: {curve} is stale; run docs/benchmarks/plots.py --pages")

    def test_GivenPicturesOfTheTextbooks_WhenRead_ThenPointsAreTheDatas(self):
        for machine in ("h200", "xeon"):
            plot, data = plot_reader.Plot(plots.PICTURES / f"bench_scan_{machine}.svg"), load(f"seeds_{machine}")
            rungs = {row["rung"] for row in data["rows"] if row["figure"] == "scan"}
            self.assertEqual(set(plot.series), rungs | {"a copy"})
            for rung in rungs:
                points = [(row["n"], row["n"] / row["us"] * 1e6) for row in data["rows"] if row["figure"] == "scan" and row["rung"] == rung]
                self.assertTrue(plot.has(rung, points), f"{machine}: {rung}")
            copy = data["copy_rate_gb_per_s"] * 1e9 / 8  # a float is read and written
            self.assertTrue(all(abs(y - plot.place("y", copy)) < 0.05 for _, y in plot.series["a copy"]))

    def test_GivenPicturesOfRanks_WhenRead_ThenPointsAreTheDatas(self):
        rows = load("distributed_scale")["rows"]
        for name, call in (("distributed_scan_ranks", "inclusive sum"), ("distributed_sort_ranks", "sort")):
            plot = plot_reader.Plot(plots.PICTURES / f"{name}.svg")
            for curve, share in (("all in time", 0), ("1 % late", 0.01)):
                points = [(row["ranks"], row["n"] / row["ms"] * 1e3) for row in rows if (row["call"], row["late_share"]) == (call, share)]
                self.assertTrue(points and plot.has(curve, points), f"{name}: {curve} is stale; run docs/benchmarks/plots.py --pages")

    def test_GivenTitles_WhenRead_ThenTheirFiguresAreTheDatas(self):
        for name, (file, chosen, columns) in SHOWN.items():
            title = plot_reader.Plot(plots.PICTURES / f"{name}.svg").root.find(plot_reader.SVG + "title").text
            row = max((row for row in load(file)["rows"] if chosen.items() <= row.items()), key=lambda row: row["n"])
            share = f"{100 * row['copy_us'] / row['upsweep_us']:.0f} % of a copy's speed"
            ratio = f"{row.get('cub_us', 0) / row['upsweep_us']:.3g} times the speed of CUB"
            self.assertTrue(share in title or ratio in title, title)

    def test_GivenStyle_WhenColoursAreCompared_ThenTextsAndCurvesStandOut(self):
        light, dark = plot_reader.schemes(plots.STYLE.read_text(encoding="utf-8"))
        for rules in (light, dark):
            page = rules[".page"]["fill"]
            for selector, values in rules.items():
                if "fill" in values and values["fill"] != "none" and selector != ".page":
                    self.assertGreaterEqual(plot_reader.contrast(values["fill"], page), 3 if selector.endswith(".dot") else 4.5, selector)
                if "stroke" in values and selector.endswith(".line"):
                    self.assertGreaterEqual(plot_reader.contrast(values["stroke"], page), 3, selector)
            strokes = {values["stroke"] for selector, values in rules.items() if selector.endswith(".line")}
            self.assertEqual(len(strokes), 4)  # ours, a peer, the bound, and all else
        self.assertTrue(all(dark[selector] != values for selector, values in light.items() if "fill" in values and values["fill"] != "none"))

    @unittest.skipUnless(importlib.util.find_spec("matplotlib"), "there is no matplotlib")
    def test_GivenUnusualData_WhenDrawn_ThenThePictureHasNoDefect(self):
        columns = {"upsweep_us": 2.0, "cub_us": 2.0, "copy_us": 2.0, "tbb_us": 2.0, "std_us": None}
        for lengths in ([1024, 2048, 4096], [3, 5, 1000], [2**k for k in range(1, 40)]):
            rows = [{"operation": "a < b & c", "n": n, **columns} for n in lengths]
            data = {"device": "D", "command": "c", "date": "d", "rows": rows}
            with tempfile.TemporaryDirectory() as folder:
                files = [Path(folder) / name for name in ("a.svg", "b.svg")]
                for file in files:
                    plots.draw(plots.picture_of(data, "a < b & c"), file)
                self.assertEqual(*(file.read_bytes() for file in files))
                plot = plot_reader.Plot(files[0])
            self.assertEqual(plot.failures(), [])
            self.assertTrue(plot.has("Upsweep", [(n, n / 2e-6) for n in lengths]))


class Cases(unittest.TestCase):
    def test_GivenRows_WhenGrouped_ThenCasesOfThreeLengthsInOrder(self):
        rows = [{"operation": "sum", "type": "u8", "n": n, "copy_us": 1.0, "upsweep_us": 2.0 * n, "is_equal": True} for n in (4, 2, 8)]
        rows += [{"operation": "max", "type": "u8", "n": 2, "copy_us": 1.0}, {"operation": "no length"}]
        cases = plots.cases_of(rows)
        self.assertEqual([(name, [row["n"] for row in of]) for name, of in cases.items()], [("sum, u8", [2, 4, 8])])

    def test_GivenColumns_WhenDrawn_ThenThoseOfTimesAlone(self):
        rows = [{"n": 2, "copy_us": 1.0, "cub_us": None, "keys": 5}, {"n": 4, "copy_us": 3.0, "cub_us": math.nan, "empty_kernel_us": 2.0}]
        self.assertEqual(plots.series_of(rows), {"copy_us": [(2, 1.0), (4, 3.0)]})

    def test_GivenCurves_WhenTheFindingIsSaid_ThenItIsTheDatas(self):
        def curves(own, peer, copy=None):
            made = [{"name": "Upsweep", "role": "ours", "points": list(zip((2, 4, 8), own))}, {"name": "P", "role": "peer", "points": list(zip((2, 4, 8), peer))}]
            return made + ([{"name": "a copy", "role": "bound", "points": list(zip((2, 4, 8), copy))}] if copy else [])
        self.assertEqual(plots.finding(curves((1, 2, 6), (2, 1, 3), (9, 9, 12))),
                         ("50 % of a copy's speed", "2 times the speed of P for 2^3 elements. Upsweep is the fastest from 2^2 on."))
        self.assertEqual(plots.finding(curves((3, 2, 6), (2, 1, 3))), ("2 times the speed of P", "Upsweep is the fastest for all lengths."))
        self.assertEqual(plots.finding(curves((3, 2, 1), (2, 1, 4))), ("0.25 times the speed of P", ""))
        self.assertEqual(plots.finding([]), ("", ""))


class Layout(unittest.TestCase):
    def test_GivenRandomPlaces_WhenSpread_ThenNoOtherOrderlyPlacesAreCloser(self):
        source = random.Random(40)
        for _ in range(200):
            count, height = source.randint(1, 7), 10
            high = count * height + source.randint(0, 40)
            wanted = [source.randint(-10, high + 10) for _ in range(count)]
            found = plot_layout.spread(wanted, height, 0, high)
            order = sorted(range(count), key=lambda i: (wanted[i], i))
            self.assertTrue(all(height / 2 - 1e-9 <= place <= high - height / 2 + 1e-9 for place in found))
            self.assertTrue(all(found[b] - found[a] >= height - 1e-9 for a, b in zip(order, order[1:])))
            # The least cost of whole numbers, over all of them, by dynamic programming.
            least = {place: 0.0 for place in range(-height, high + 1)}
            for i in order:
                reach, best = {}, math.inf
                for place in range(height // 2, high - height // 2 + 1):
                    best = min(best, least.get(place - height, math.inf))
                    reach[place] = best + (place - wanted[i])**2
                least = reach
            self.assertLessEqual(sum((a - b)**2 for a, b in zip(found, wanted)), min(least.values()) + 1e-6)

    def test_GivenEnds_WhenTicksAreChosen_ThenTheyAreReadableAndCoverThem(self):
        source = random.Random(41)
        for _ in range(500):
            low = 10**source.uniform(-3, 12)
            high = low * 10**source.uniform(0, 9)
            values, ticks = plot_layout.nice_values(low, high), plot_layout.decimal_ticks(low, high)
            self.assertTrue(values[0] <= low * (1 + 1e-8) and values[-1] >= high * (1 - 1e-8) and values[0] < values[-1])
            self.assertTrue(2 <= len(ticks) <= 10, (low, high, ticks))
            self.assertTrue(all(f"{tick:.0e}"[0] in "125" for tick in ticks))
        self.assertEqual(plot_layout.binary_ticks(1024, 2**26), [2.0**k for k in range(10, 27, 2)])
        self.assertEqual(plot_layout.binary_ticks(1024, 1024), [1024.0])
        self.assertEqual([plot_layout.rate_text(value, "B/s") for value in (5, 1e3, 2e10, 5e17)], ["5 B/s", "1 kB/s", "20 GB/s", "500 PB/s"])


if __name__ == "__main__":
    unittest.main()
