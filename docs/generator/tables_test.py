# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The scripts that make pages of JSON: stale tables and dead links are found, and a run of the conformance tests becomes a table."""
import json
import subprocess
import sys
import pathlib
import tempfile
import unittest
from pathlib import Path

import conformance_view
import tables
import views

GENERATOR = Path(__file__).resolve().parent


def written(folder, name, content):
    path = Path(folder) / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


class Marks(unittest.TestCase):
    def test_GivenStaleTable_WhenFilled_ThenItIsReplaced(self):
        with tempfile.TemporaryDirectory() as folder:
            file = written(folder, "a.json", {"tables": {"t": {"columns": ["x", "y"], "rows": [["1", "2"]]}}})
            page = f"before\n<!-- table: plain(t) {file} -->\n| old |\n<!-- /table -->\nafter\n"
            expected = page.replace("| old |", "| x | y |\n|---|---:|\n| 1 | 2 |")
            self.assertEqual(tables.MARKED.sub(tables.fill, page), expected)
            self.assertEqual(tables.MARKED.sub(tables.fill, expected), expected)

    def test_GivenLinks_WhenTheirTargetsMiss_ThenTheyAreNamed(self):
        with tempfile.TemporaryDirectory() as folder:
            written(folder, "b.md", "# A head, and more\n")
            page = written(folder, "a.md", "[1](b.md) [2](b.md#a-head-and-more) [3](c.md) [4](b.md#other) [5](https://a.b/c) `[6](d.md)`\n")
            self.assertEqual([line.split()[3] for line in tables.dead_links(page)], ["c.md", "b.md#other"])

    def test_GivenPaths_WhenTheyMiss_ThenTheyAreNamed(self):
        with tempfile.TemporaryDirectory() as folder:
            page = written(folder, "a.md", "`src/api` and `src/base/result.h:3`, `tests/none`\n")
            self.assertEqual(list(tables.dead_paths(page)), ["a.md: there is no tests/none"])


class Sorts(unittest.TestCase):
    def test_GivenSecondCub_WhenShown_ThenItsRatiosStandBehindTheFirst(self):
        def file(name, times_cub, **more):
            row = {"operation": "keys", "type": "u32", "keys": "random", "k": "9", "segments": "2 of 4", "n": 1 << 28, "copy_us": 1, "cub_us": 6,
                   "upsweep_us": 3, "rows_us": 0, "rows_times_cub": 0, "cub_keys_per_second": 1e9, "keys_per_second": 2e9, "share_of_bound": 0.5,
                   "share_of_copy": 0.5, "times_cub": times_cub, **more}
            return written(folder, name, {"rows": [row]})
        with tempfile.TemporaryDirectory() as folder:
            files = [file("a.json", 2.0), file("b.json", 1.5, times_cub_top_k=0.75)]
            self.assertIn("| keys | u32 | random | 2^28 | 1.0 | 2.0 | 50.0 % | 2.00, 1.50 |", list(views.sorts(files, None)))
            self.assertIn("| keys | u32 | random | 2^28 | 1.0 | 2.0 | 50.0 % | 2.00 |", list(views.sorts(files[:1], None)))
            self.assertIn("| keys | u32 | 2 of 4 | 268 | 6 | 3 | 50.0 % | 2.00, 1.50 |", list(views.segmented_sorts(files, None)))
            self.assertIn("| keys | u32 | 9 | 2^28 | 1 | 6 | 3 | 50.0 % | 2.00, 1.50 | 0.75 |", list(views.merges_and_ranks(files, None)))


class Passes(unittest.TestCase):
    def test_GivenPassesOfTheTable_WhenThePageLacksOne_ThenItIsNamed(self):
        table = 'UPSWEEP_PASS(A, Module, "upsweep-a-b", kRequired, a_b)\nUPSWEEP_PASS(C, Module, "upsweep-c", kRequired, c)\n'
        self.assertEqual([line.split()[-1] for line in tables.unnamed_passes(table, "| 1 | `a_b` |\nand `c` outside")], ["c"])


    def test_GivenPassesOfTheTable_WhenAClassIsNotItsName_ThenItIsNamed(self):
        table = "".join(f'UPSWEEP_PASS({row}, kRequired, f)\n' for row in ('SplitLanes, Module, "upsweep-split-lanes"', 'Promote, Function, "upsweep-promote-slots"',
                                                                          'WithoutRows, Module, "upsweep-lanes<no-rows>"'))
        table += 'UPSWEEP_PASS_CLASS(ShareBarriers, Function, "upsweep-share-barrier")\n'
        self.assertEqual([line.split()[3] for line in tables.disagreeing_passes(table)], ["Promote", "ShareBarriers"])


class Records(unittest.TestCase):
    def test_GivenRecords_WhenOneDoesNotBeginWithItsDecisionInASentence_ThenItIsNamed(self):
        texts = {"good": "# A\n\n**Decision.** Sums (a. B) wrap.\n\nMore.", "two": "# A\n\n**Decision.** Sums wrap. So do products.\n", "none": "# A\n\nSums wrap.\n",
                 "empty": "# A\n", "late": "# A\n\n**Why.** Speed.\n\n**Decision.** Sums wrap.\n"}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in texts.items():
                (pathlib.Path(folder) / f"{name}.md").write_text(text, encoding="utf-8")
            found = [line.partition(".")[0] for line in tables.records_without_decision(pathlib.Path(folder))]
        self.assertEqual(found, ["empty", "late", "none", "two"])


class Results(unittest.TestCase):
    def test_GivenExactAndPrintedFigures_WhenShown_ThenRatiosAreThoseOfTheSource(self):
        context = {"command": "bench_x", "date": "2026-11-20", "processor": "P", "threads": 2, "samples": 9,
                   "platforms": [{"name": "Upsweep", "version": "1"}, {"name": "Peer", "version": "2"}]}
        common = {"name": "copy", "group": "", "bound": "memory"}
        exact = {**common, "variant": "exact", "ceiling": True, "bytes": 2e9, "operations": 0, "elements": 0,
                 "results": {"Upsweep": {"median_seconds": 1.0, "bytes_per_second": 2e9}, "Peer": {"median_seconds": 1.5, "bytes_per_second": 4e9 / 3}}}
        printed = {**common, "variant": "printed", "results": {"Upsweep": {"bytes_per_second": 1e9}, "Peer": {"error": "no"}}, "over": {}, "share": 0.51}
        with tempfile.TemporaryDirectory() as folder:
            lines = list(views.results([written(folder, "a.json", {"context": context, "rows": [exact, printed]})], None))
        self.assertIn("| copy | exact | 2.00 GB/s | 1.33 GB/s | 1.50 | 100% of memory |", lines)
        self.assertIn("| copy | printed | 1.00 GB/s | no |  | 51% of memory |", lines)

    def test_GivenYardsticks_WhenMeansAreTaken_ThenTheyAreLeftOut(self):
        context = {"command": "bench_x", "date": "2026-11-20", "processor": "P", "threads": 2, "samples": 9,
                   "platforms": [{"name": name, "version": "1"} for name in ("Upsweep", "A", "B")]}
        common = {"variant": "v", "group": "g", "bound": "memory", "unit": "Mpixel/s", "elements": 1e6}

        def row(name, *seconds):
            results = {p: {"median_seconds": s, "bytes_per_second": 1 / s, "elements_per_second": 1e6 / s} for p, s in zip(("Upsweep", "A", "B"), seconds)}
            return {**common, "name": name, "results": results}
        rows = [{**row("loads", 1, 100, 100), "ceiling": True, "yardstick": True}, row("reads", 2, 4, 16), row("writes", 2, 4, 1)]
        with tempfile.TemporaryDirectory() as folder:
            lines = list(views.results([written(folder, "a.json", {"context": context, "rows": rows})], None))
        self.assertIn("| reads | v | 0.50 Mpixel/s | 0.25 Mpixel/s | 0.06 Mpixel/s | 2.00 | 8.00 | 50% of memory |", lines)
        self.assertIn("- Upsweep beside B: 2.00 times as fast in geometric mean over 2 rows, at least 0.50 times", lines)
        self.assertIn("- Upsweep beside the fastest of them: 1.00 times as fast in geometric mean over 2 rows, at least 0.50 times", lines)


class Conformance(unittest.TestCase):
    def test_GivenRunWithSelfSkippingTests_WhenConverted_ThenTheyAreCounted(self):
        with tempfile.TemporaryDirectory() as folder:
            run = {"name": "some_ops", "wimpy": True, "vendors": "/a/path",
                   "tests": {"a": {"status": "pass", "s": 1}, "b": {"status": "pass", "s": 0}, "c": {"status": "CRASH(rc=-11)"},
                             "d": {"status": "skip"}, "e": {"status": "TIMEOUT"}}}
            written(folder, "some_ops.json", run)
            written(folder, "some_ops.raw1.json", {"results": {}})
            written(folder, "some_ops.log", "a...\nworks\na passed\nb...\nSkipping this test in wimpy mode\nb passed\n")
            made = subprocess.run([sys.executable, GENERATOR / "conformance.py", folder, "--logs", folder, "--device", "D", "--date", "T",
                                   "--tests-commit", "C", "--commit", "abc"], capture_output=True, text=True, check=True).stdout
            self.assertNotIn("/a/path", made)
            lines = list(conformance_view.conformance([written(folder, "made.json", made)], None))
        self.assertIn("| `some_ops` | short | 2 | 1 | 0 | 1 | 1 | 1 |", lines)

    def test_GivenImageTestsWithFlags_WhenConverted_ThenEachKindOfImagesIsARowAndSkippedTestsSayWhy(self):
        with tempfile.TemporaryDirectory() as folder:
            run = {"name": "images_some", "wimpy": True,
                   "tests": {"2D read int small_images": {"status": "fail", "alone": "pass"}, "2D write small_images": {"status": "pass"},
                             "2D read int": {"status": "fail", "alone": "fail"}, "ext": {"status": "skip"}}}
            written(folder, "images_some.json", run)
            (Path(folder) / "images_some").mkdir()
            written(folder, "images_some/images_some_ext.log", "ext...\nNote: cl_ext is not supported. Skipping test.\next test not supported\n")
            made = subprocess.run([sys.executable, GENERATOR / "conformance.py", folder, "--logs", folder, "--device", "D", "--date", "T",
                                   "--tests-commit", "C", "--commit", "abc"], capture_output=True, text=True, check=True).stdout
            file = written(folder, "made.json", made)
            lines, skips = list(conformance_view.conformance([file], None)), list(conformance_view.skipped([file], None))
        self.assertIn("| `images_some` | small images | 2 |  | 0 |  |", lines)
        self.assertIn("| `images_some` | random sizes |  |  | 1 |  |", lines)
        self.assertIn("| `images_some` | whole |  | 1 | 0 |  |", lines)
        self.assertEqual(json.loads(made)["suites"][1]["passed_alone"], ["2D read int"])
        self.assertIn("| cl_ext is not supported | images_some: `ext` |", skips)


if __name__ == "__main__":
    unittest.main()
