# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The public headers as a user's compiler sees them: one error if the language is too old, and no warning in typical calls."""

import concurrent.futures
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include"
HERE = pathlib.Path(__file__).parent
# The build's compiler, and GCC and Clang if they are here.
COMPILERS = sorted({os.path.realpath(path) for path in map(shutil.which, [os.environ["CXX"], "g++", "clang++-19"]) if path})
WARNINGS = ["-Wall", "-Wextra", "-Wsign-conversion", "-Wconversion", "-Wpedantic", "-Wshadow"]
# Clang as a CUDA compiler, if it and a toolkit are here. It includes two headers that CUDA 13 has removed: they are empty here.
CUDA_CLANG = []
if os.environ.get("CUDA_TOOLKIT") and shutil.which("clang++-19"):
    removed = tempfile.TemporaryDirectory()
    for name in ["texture_fetch_functions.h", "texture_indirect_functions.h"]:
        (pathlib.Path(removed.name) / name).touch()
    CUDA_CLANG = ["clang++-19", "-x", "cuda", "-fsyntax-only", "--cuda-gpu-arch=sm_90", "-Wno-unknown-cuda-version",
                  "--cuda-path=" + os.environ["CUDA_TOOLKIT"], "-I", removed.name]
# The folder, the patterns of its public headers, a standard that is too old, and the standard that the headers name.
LIBRARIES = [
    ("cpu", ["*.h", "executors/*.h"], "c++17", "c++20"),
    ("distributed", ["*.h"], "c++17", "c++20"),
    ("external", ["*.h"], "c++17", "c++20"),
    ("opencl", ["*.h"], "c++17", "c++20"),
    ("cuda", ["*.cuh", "block/*.cuh"], "c++14", "c++17"),
]


def public_headers(library, patterns):
    found = [path for pattern in patterns for path in (INCLUDE / "upsweep" / library).glob(pattern)]
    return sorted(path.relative_to(INCLUDE).as_posix() for path in found)


def compiled(compiler, standard, source, *arguments):
    """Diagnostics of a source: lines with an error or a warning."""
    command = [compiler, f"-std={standard}", "-fsyntax-only", "-x", "c++", "-I", INCLUDE, *arguments]
    done = subprocess.run([*command, "-"], input=source, text=True, capture_output=True)
    return done.returncode, diagnostics(done)


def diagnostics(done):
    return [line for line in done.stderr.splitlines() if re.search(r": (fatal )?(error|warning):", line)]


class Headers(unittest.TestCase):
    def test_GivenOldStandard_WhenHeaderIncluded_ThenOneErrorNamesTheNewOne(self):
        for library, patterns, old, new in LIBRARIES:
            headers = public_headers(library, patterns)
            self.assertGreater(len(headers), 3)
            for header, compiler in itertools.product(headers, COMPILERS):
                with self.subTest(header=header, compiler=compiler):
                    status, lines = compiled(compiler, old, f"#include <{header}>\n")
                    self.assertNotEqual(status, 0)
                    self.assertEqual(len(lines), 1, "\n".join(lines))
                    self.assertIn(f"-std={new}", lines[0])

    def test_GivenOldStandard_WhenAllHeadersIncluded_ThenOneError(self):
        for library, patterns, old, _ in LIBRARIES:
            everything = "".join(f"#include <{header}>\n" for header in public_headers(library, patterns))
            for compiler in COMPILERS:
                with self.subTest(library=library, compiler=compiler):
                    self.assertEqual(len(compiled(compiler, old, everything)[1]), 1)

    def test_GivenTypicalCalls_WhenCompiledWithAllWarnings_ThenNone(self):
        calls = {"cpu": HERE / "cpu_calls.cpp", "distributed": HERE / "distributed_calls.cpp", "external": HERE / "external_calls.cpp",
                 "opencl": ROOT / "examples/opencl_library/recipes.cpp"}
        # Other libraries.
        needs_more = ["upsweep/cpu/executors/tbb.h", "upsweep/cpu/executors/openmp.h", "upsweep/distributed/mpi.h"]
        for library, patterns, _, standard in LIBRARIES:
            if library not in calls:
                continue
            headers = [header for header in public_headers(library, patterns) if header not in needs_more]
            source = "".join(f"#include <{header}>\n" for header in headers) + f'#include "{calls[library]}"\n'
            for compiler in COMPILERS:
                with self.subTest(library=library, compiler=compiler):
                    status, lines = compiled(compiler, standard, source, "-I", os.environ["GENERATED_INCLUDE"], *WARNINGS)
                    self.assertEqual((status, lines), (0, []), "\n".join(lines))

    @unittest.skipUnless(CUDA_CLANG, "there is no CUDA toolkit with Clang 19")
    def test_GivenTypicalCudaCalls_WhenCompiledWithWarnings_ThenNone(self):
        # The host's pass analyses the bodies of kernels, too. Three warnings are off: kernels mix int and unsigned indices; the caller
        # may choose a narrow type for counts; Clang 19 does not know __grid_constant__.
        left_out = ["-Wno-sign-conversion", "-Wno-shorten-64-to-32", "-Wno-unknown-attributes"]
        command = [*CUDA_CLANG, "--cuda-host-only", "-std=c++17", "-I", INCLUDE, *WARNINGS, *left_out]
        for source in [ROOT / "examples/cuda/recipes.cu", ROOT / "tests/cuda/headers_test.cu"]:
            with self.subTest(source=source.name):
                done = subprocess.run([*command, source], text=True, capture_output=True)
                self.assertEqual((done.returncode, diagnostics(done)), (0, []), done.stderr)

    @unittest.skipUnless(CUDA_CLANG, "there is no CUDA toolkit with Clang 19")
    def test_GivenOneCudaHeader_WhenCompiledAlone_ThenNoError(self):
        headers = public_headers("cuda", ["*.cuh", "block/*.cuh"])
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            for header, done in zip(headers, pool.map(self.compile_for_gpu, headers)):
                with self.subTest(header=header):
                    self.assertEqual(done.returncode, 0, done.stderr)

    @staticmethod
    def compile_for_gpu(header):
        command = [*CUDA_CLANG, "--cuda-device-only", "-std=c++17", "-I", INCLUDE, "-"]
        return subprocess.run(command, input=f"#include <{header}>\n", text=True, capture_output=True)


unittest.main()
