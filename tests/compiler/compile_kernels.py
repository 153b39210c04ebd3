#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the kernels of the test suite for a processor or a GPU that this machine may lack, with the compiler's own verification
(--verify), and assembles the PTX where ptxas is installed.

  compile_kernels.py --compiler UPSWEEPC --for sm_80 [--assembler PTXAS] [--part 1/12] [--random PROGRAM COUNT] FILE.cl...

A file is compiled as a whole, a section of tests/language block by block. PROGRAM prints COUNT random kernels, which are compiled too."""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile

# LLVM 19 has no processor after sm_90, but drivers of newer GPUs accept its PTX. ptxas of CUDA 13 accepts PTX for sm_70, but
# only makes code for sm_75 and newer.
COMPILED_AS = {"sm_100": "sm_90", "sm_120": "sm_90"}
ASSEMBLED_AS = {"sm_70": "sm_75"}
CHECKS = """#define CHECK(...) do { if (!(__VA_ARGS__) && out[0] == 0) out[0] = __LINE__; } while (0)
#define TEST kernel void test(global int *out, int one, int zero)
"""
PERMITTED = ["-w", "-Wno-variadic-macros"]  # CHECK is one
# The definitions with which programs build these files.
DEFINITIONS = {"scan_device.cl": ["-DGROUP=256", "-DVECTORS=4"], "races.cl": ["-DNAME=races", "-DOWN"],
               "intel_sub_groups.cl": ["-DT=uint", "-DWIDTH=4", "-DSUFFIX=", "-DSHUFFLES", "-DBLOCKS"]}
# These files contain inline PTX.
FOR_GPUS_ALONE = {"gpu_kernels.cl", "gpu_copies.cl"}
BLOCK = re.compile(r"//: (runs|builds|warned|kernels|refused|cpu-refused)\b(.*)")


def blocks(text, for_gpu):
    """(options, source) of each block that must build, with its first set of options; language_test.cpp describes the
    format."""
    parts = re.split(r"(?m)^(?=//: (?:runs|builds|warned|kernels|refused|cpu-refused)\b)", text)
    common = parts[0]
    for part in parts[1:]:
        kind, options = BLOCK.match(part).groups()
        if kind == "refused" or (kind == "cpu-refused" and not for_gpu):
            continue
        options = re.sub(r'^\s*"[^"]*"', "", options).split("|")[0]
        options = shlex.split(options) or ["-cl-std=CL3.0"]
        if for_gpu and "-cl-std=CL3.1" in options:  # only CPUs have it (base/features.def)
            continue
        yield options, (CHECKS if kind == "runs" else "") + common + part


def programs(path, for_gpu):
    if not for_gpu and os.path.basename(path) in FOR_GPUS_ALONE:
        return
    with open(path, encoding="utf-8") as file:
        text = file.read()
    name, folder = os.path.basename(path), ["-I", os.path.dirname(os.path.abspath(path))]
    if BLOCK.search(text):
        for number, (options, source) in enumerate(blocks(text, for_gpu)):
            yield f"{name}, block {number}", options + folder, source
        return
    run = re.search(r"RUN:.*%upsweepc(.*)", text)
    options = re.findall(r"-cl-[^\s]+", run.group(1)) if run else []
    if not any(option.startswith("-cl-std") for option in options):
        options.append("-cl-std=CL2.0" if "(^" in text else "-cl-std=CL3.0")  # only CL2.0 has blocks in Clang
    yield name, options + folder + DEFINITIONS.get(name, []), text


def random_programs(program, count):
    text = subprocess.run([program, "1", count], check=True, capture_output=True, text=True).stdout
    for number, source in enumerate(text.split("//: program\n")[1:]):
        yield f"random kernel {number + 1}", ["-cl-std=CL3.0"], source


def compile_one(settings, options, source, folder):
    """The error, or an empty text."""
    for_gpu = settings.target.startswith("sm_")
    if for_gpu:  # which lacks sub-groups of 4
        source = re.sub(r"__attribute__\(\(intel_reqd_sub_group_size\(4\)\)\)", "", source)
    source_path, code = os.path.join(folder, "program.cl"), os.path.join(folder, "code")
    with open(source_path, "w", encoding="utf-8") as file:
        file.write(source)
    command = [settings.compiler, *PERMITTED, "--verify", *options, f"--cpu={COMPILED_AS.get(settings.target, settings.target)}"]
    command += ["--target=cuda"] if for_gpu else [f"--lanes={settings.lanes}"]
    done = subprocess.run([*command, source_path, "-o", code], capture_output=True, text=True, errors="replace")
    if done.returncode:
        return f"status {done.returncode}\n{done.stdout}{done.stderr}"
    if for_gpu and settings.assembler:
        arch = ASSEMBLED_AS.get(settings.target, settings.target)
        done = subprocess.run([settings.assembler, f"-arch={arch}", code, "-o", code + ".bin"], capture_output=True, text=True)
        if done.returncode:
            return f"not assembled\n{done.stdout}{done.stderr}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--for", dest="target", required=True)
    parser.add_argument("--lanes", default="vector")
    parser.add_argument("--assembler")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--random", nargs=2)
    parser.add_argument("files", nargs="*")
    settings = parser.parse_args()
    if settings.assembler and not os.access(settings.assembler, os.X_OK):
        print("ptxas is not installed: the code is not assembled")
        settings.assembler = None
    every = []
    for path in settings.files:
        every += programs(path, settings.target.startswith("sm_"))
    if settings.random:
        every += random_programs(*settings.random)
    first, step = map(int, settings.part.split("/"))
    chosen = every[first - 1 :: step]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, options, source in chosen:
            if problem := compile_one(settings, options, source, folder):
                failed += 1
                print(f"{name} ({' '.join(options)}): {problem}\n{source if 'random' in name else ''}")
    print(f"{len(chosen)} programs for {settings.target}, {failed} failures")
    return failed != 0 or not chosen


if __name__ == "__main__":
    sys.exit(main())
