#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the names of LLVM in docs/llvm-ties.md. Its options exist. Code generation asks LLVM's gate about each pass that is left out for
long functions. Clang or LLVM calls each function that the linker replaces: the linker drops a function that is never called. The program
has none of the parts that src/compiler/corrections/left_out.cpp leaves out."""
import argparse
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KERNEL = "kernel void k(global float *o, float a) { int i = get_global_id(0); o[i] = o[i] * a + 0x1.234p100f; barrier(1); o[i + 1] = a; }\n"


def source(name):
    return (ROOT / name).read_text(encoding="utf-8")


def compiler(*words):
    return subprocess.run([ARGUMENTS.compiler, "--emit=asm", "-o", "/dev/null", "-", *words], input=KERNEL, capture_output=True, text=True)


def symbols_of_compiler():
    run = subprocess.run([ARGUMENTS.nm, "--just-symbol-name", ARGUMENTS.compiler], capture_output=True, text=True, check=True)
    return run.stdout.split()


class Ties(unittest.TestCase):
    def test_GivenOptions_WhenAskedFor_ThenLlvmHasThem(self):
        options = re.findall(r'Option = "([a-z-]+)";', source("src/passes/llvm_ties.h"))
        self.assertGreaterEqual(len(options), 3)
        for option in options:
            run = compiler(f"--llvm=-{option}=false")
            self.assertEqual(run.returncode, 0, run.stderr)

    def test_GivenPassesOfTheGate_WhenCodeIsMade_ThenEachAsksByThatName(self):
        passes = re.findall(r'"([A-Z][^"]+)"[;,]', source("src/compiler/code/huge_functions.cpp"))
        self.assertGreaterEqual(len(passes), 5)
        # Some exist for one target only.
        asked = "".join(compiler(target, "--llvm=-opt-bisect-limit=-1").stderr for target in ("--cpu=x86-64-v4", "--target=cuda"))
        for name in passes:
            self.assertRegex(asked, rf"running pass \(\d+\) {re.escape(name)} on function \(k[.)]")

    def test_GivenReplacedFunctions_WhenLinked_ThenClangOrLlvmCallsThem(self):
        symbols = symbols_of_compiler()
        self.assertGreaterEqual(len(ARGUMENTS.replaced), 8)
        for function in ARGUMENTS.replaced:
            self.assertIn(f"__wrap_{function}", symbols)

    def test_GivenPartsThatNoKernelNeeds_WhenLinked_ThenTheProgramHasNone(self):
        symbols = symbols_of_compiler()
        self.assertTrue(any(name.startswith("_ZN5clang4Sema") for name in symbols))
        parts = ("_ZN5polly", "isl_", "_ZN5clang6interp8Compiler", "_ZN4llvm3lto7backend", "_ZN4llvm20AddressSanitizerPass")
        self.assertEqual([name for name in symbols if name.startswith(parts)], [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--replaced", nargs="+", required=True)
    ARGUMENTS = parser.parse_args()
    unittest.main(argv=["llvm_ties.py"])
