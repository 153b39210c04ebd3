# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of results, as mypy (and pyright, if it is here) derives them from the stubs. Skipped without mypy."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

STUBS = pathlib.Path(__file__).resolve().parents[2] / "python"
BEGIN = """
import numpy as np
import numpy.typing as npt
import upsweep as up

def check(f: npt.NDArray[np.float32], d: npt.NDArray[np.float64], i: npt.NDArray[np.int32], u: npt.NDArray[np.uint8],
          b: npt.NDArray[np.bool_], n: npt.NDArray[np.int64]) -> None:
"""
# Calls, and the types of elements of their results, outermost first.
CALLS = {
    "up.cumsum(f)": "float32",
    "up.cumsum(i)": "int64",
    "up.cumsum(b, axis=0)": "int64",
    "up.cumsum(u)": "uint64",
    "up.cumsum(i, dtype=np.int32)": "int32",
    "up.scan(d)": "float64",
    "up.scan(i)": "int64",
    "up.scan(u, 'max')": "uint8",
    "up.scan(f, 'a + b')": "float32",
    "up.scan(u, dtype=np.float32)": "float32",
    "up.segmented_scan(f, n)": "float32",
    "up.segmented_scan(u, n)": "uint64",
    "up.scan_by_key(n, i, 'min')": "int32",
    "up.reduce(f)": "float32",
    "up.reduce(i)": "int64",
    "up.reduce(u, 'max')": "uint8",
    "up.reduce_by_key(u, f)": "uint8 float32",
    "up.reduce_by_key(f, i)": "float32 int64",
    "up.select(i, b)": "int32",
    "up.unique(u)": "uint8",
    "up.run_length_encode(f)": "float32 int64",
    "up.sort(u)": "uint8",
    "up.argsort(f)": "int64",
    "up.sort_pairs(f, i)": "float32 int32",
    "up.segmented_sort(d, n)": "float64",
    "up.top_k(f, 3)": "float32 int64",
    "up.top_k_pairs(i, d, 3)": "int32 float64",
    "up.merge(u, u)": "uint8",
    "up.merge_pairs(f, i, f, i)": "float32 int32",
    "up.summed_area_table(u)": "uint64",
    "up.box_filter(f, 2)": "float32",
    "up.linear_recurrence(f, f)": "float32",
    "up.linear_recurrence(f, d, return_last=True)": "float64 float64",
    "up.sort([1, 2])": "Any",
}
KINDS = {"floating": "float", "signedinteger": "int", "unsignedinteger": "uint"}


def element_types(text):
    """The elements' types in a checker's words. It may write uint64 as unsignedinteger[_64Bit]."""
    text = re.sub(r"(\w+)\[[\w.]*_(\d+)Bit\]", lambda match: KINDS[match[1]] + match[2], text)
    return " ".join(re.findall(r"\b(?:float32|float64|int32|int64|uint64|uint8)\b|(?<=dtype\[)Any", text))


class Stubs(unittest.TestCase):
    def check(self, command, pattern):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "calls.py"
            source.write_text(BEGIN + "".join(f"    reveal_type({call})\n" for call in CALLS))
            environment = os.environ | {"MYPYPATH": str(STUBS), "PYTHONPATH": str(STUBS)}
            done = subprocess.run([*command, source], capture_output=True, text=True, cwd=folder, env=environment)
        found = re.findall(pattern, done.stdout)
        self.assertEqual(len(found), len(CALLS), done.stdout + done.stderr)
        for (call, expected), text in zip(CALLS.items(), found):
            with self.subTest(call=call, text=text):
                self.assertEqual(element_types(text), expected)
        self.assertNotRegex(done.stdout, r"\berror:")

    def test_mypy(self):
        self.check([sys.executable, "-m", "mypy"], r'Revealed type is "(.*)"')

    @unittest.skipUnless(importlib.util.find_spec("pyright"), "there is no pyright")
    def test_pyright(self):
        self.check([sys.executable, "-m", "pyright"], r'Type of ".*" is "(.*)"')

    def test_stubs_themselves(self):
        # Under this code mypy 1.0 reports overloads that newer ones accept.
        command = [sys.executable, "-m", "mypy", "--strict", "--disable-error-code=misc", STUBS / "upsweep/__init__.pyi"]
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    if not importlib.util.find_spec("mypy"):
        print("skipped: no mypy here (Debian's package mypy)")
        sys.exit(77)
    sys.exit(unittest.main())
