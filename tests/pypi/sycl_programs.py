# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The SYCL programs of the folder sycl: the host's code is compiled by g++ with the headers of PyPI's intel-sycl-rt, the kernels at
run time by its libsycl-jit."""
import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess

SOURCES = pathlib.Path(__file__).resolve().parent / "sycl"
LANES = ("vector", "scalar")


def compiled(home, folder):
    """The program, made of all sources by g++ alone."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(SOURCES / "programs.h", folder)
    # Parsing SYCL's headers takes seconds, so it is done once.
    flags = ["g++", "-std=c++17", "-O1", "-w", "-DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING", "-isystem", home / "include"]
    subprocess.run([*flags, "-x", "c++-header", folder / "programs.h", "-o", folder / "programs.h.gch"], check=True)
    program = folder / "programs"
    subprocess.run([*flags, "-include", folder / "programs.h", *sorted(SOURCES.glob("*.cpp")), "-o", program, f"-L{home / 'lib'}", "-lsycl",
                    f"-Wl,-rpath,{home / 'lib'}"], check=True)
    return program


def mistake_in_printing(done):
    """Each of six work-items prints its line once, in any order."""
    lines = collections.Counter(line for line in done.stdout.splitlines() if line.startswith("item "))
    expected = collections.Counter(f"item {item} of group {group} has 2.50, text" for item in range(3) for group in range(2))
    return None if done.returncode == 0 and lines == expected else f"printed {dict(lines)}"


def mistake_in_assertion(done):
    """The fourth work-item's message, and the end by SIGABRT. GPUs name blocks and threads."""
    place = r"(global id: \[3,0,0\], local id: \[3,0,0\]|block: \[0,0,0\], thread: \[3,0,0\])"
    message = rf":\d+: .*check_signs.*: {place} Assertion `values\[i\] > 0` failed\."
    if done.returncode != -signal.SIGABRT:
        return f"the status is {done.returncode}"
    return None if len(re.findall(message, done.stderr)) == 1 and done.stderr.count("Assertion") == 1 else f"the message is {done.stderr!r}"


ALONE = {"printing": mistake_in_printing, "failed_assertion": mistake_in_assertion}


def main(home, folder):
    try:
        program = compiled(home, folder)
    except FileNotFoundError:
        print("skipped: there is no g++")
        return 77
    failures = 0
    for lanes in LANES:
        environment = {**os.environ, "UPSWEEP_LANES": lanes}
        print(f"UPSWEEP_LANES={lanes}", flush=True)
        failures += subprocess.run([program, SOURCES / "kernels"], env=environment).returncode != 0
        for name, mistake_in in ALONE.items():
            done = subprocess.run([program, SOURCES / "kernels", name], env=environment, capture_output=True, text=True)
            mistake = mistake_in(done)
            print(f"FAILED {name}: {mistake}" if mistake else f"ok {name}", flush=True)
            failures += mistake is not None
    return int(failures != 0)
