#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles tests of the CUDA library for the host, where emulation.h runs their kernels, and runs them: no GPU is needed, but the
CUDA toolkit's headers, g++ and x86-64.

    tests/cuda/emulation/run.py sort_members box_filter

Kernels run as on a GPU without a copy engine and without clusters (sm_75). Emulation finds neither races that the host's order of
fibers and threads does not show, nor faults that depend on a GPU's memory model. EMULATED_BLOCKS is the number of
multiprocessors, each of which runs one block; the default is 4.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = Path(__file__).resolve().parent


def parts_of_assembly(text, at):
    """The parts between colons of an assembly statement whose parenthesis is before `at`, and the statement's end."""
    parts, part, depth, i = [], "", 0, at
    while True:
        c = text[i]
        if c == '"':
            end = i + 1
            while text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            part += text[i : end + 1]
            i = end + 1
            continue
        if c == ")" and depth == 0:
            return parts + [part], i + 1
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == ":" and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
        i += 1


def operands(part):
    """The expressions of `"=r"(a), "l"(b)`."""
    found, i = [], 0
    for match in re.finditer(r'"[^"]*"\s*\(', part):
        if match.start() < i:
            continue
        depth, i = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(part[i], 0)
            i += 1
        found.append(part[match.end() : i - 1])
    return found


def for_host(text):
    """A header with its PTX and its dynamic shared memory replaced by calls of the emulation."""
    out, at = "", 0
    for match in re.finditer(r"\basm(\s+volatile)?\s*\(", text):
        parts, end = parts_of_assembly(text, match.end())
        outs = operands(parts[1]) if len(parts) > 1 else []
        ins = operands(parts[2]) if len(parts) > 2 else []
        arguments = [parts[0].strip(), f"std::tie({', '.join(outs)})", *ins]
        out += f"{text[at:match.start()]}::emulated::ptx({', '.join(arguments)})"
        at = end
    return re.sub(
        r"extern __shared__ (?:__align__\(\d+\) )?([\w: ]+?) (\w+)\[\];",
        r"\1 *const \2 = reinterpret_cast<\1 *>(::emulated::dynamic_memory());",
        out + text[at:],
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="+", help="names of tests/cuda/NAME_test.cu")
    parser.add_argument("--toolkit", default="/usr/local/cuda/include", help="the headers of the CUDA toolkit")
    parser.add_argument("--cases", default="", help="run those whose names contain this")
    arguments = parser.parse_args()
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        include = Path(folder) / "include"
        folders = [ROOT / "include/upsweep" / folder for folder in ("cuda", "common", "distributed")]
        for header in [header for folder in folders for suffix in ("*.cuh", "*.h") for header in folder.rglob(suffix)]:
            to = include / header.relative_to(ROOT / "include")
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(for_host(header.read_text()))
        for name in arguments.tests:
            program = Path(folder) / name
            source = ROOT / f"tests/cuda/{name}_test.cu"
            standard = "c++20" if "ranks" in name else "c++17"
            # The host compiler does not know nvcc's attributes of kernels.
            subprocess.run(
                ["g++", "-x", "c++", f"-std={standard}", "-O1", "-g1", "-w", "-fpermissive", "-ffp-contract=off",
                 "-fno-strict-aliasing", "-D__CUDA_ARCH_LIST__=750", "-DUPSWEEP_EMULATED", "-include", HERE / "emulation.h", "-I", include,
                 "-I", arguments.toolkit, "-I", ROOT / "tests/cuda", source, "-o", program,
                 "-pthread"],
                check=True,
            )
            print(f"{name}:", flush=True)
            if subprocess.run([program, *filter(None, [arguments.cases])]).returncode != 0:
                failed.append(name)
    if failed:
        sys.exit(f"failed: {' '.join(failed)}")


if __name__ == "__main__":
    main()
